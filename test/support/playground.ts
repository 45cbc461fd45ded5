/** A place of its own for every test: a home, a database, a git repository with an idea; and the program to run in it. */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isLong } from './property-runs.ts';
import { runWarm } from './warm-program.ts';

/** Made by build-program.ts before all tests; without it, folders of tests go where temporary ones do. */
const packageFolder = process.env.GATEWRIGHT_TEST_PACKAGE ?? tmpdir();

export const programFile = join(packageFolder, 'bin', 'gatewright.cjs');
export const builtPages = join(packageFolder, 'dist', 'web');
export const crashChildFile = join(packageFolder, 'dist', 'crash-child.js');

export interface Result {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, for looking for a sentence wherever it was said. */
  readonly all: string;
}

type Environment = Readonly<Record<string, string>>;

/**
 * The machine's programs, and none of the packages that npm puts in front: with Claude Code among them, every agent
 * that is woken by the way would start it to hear that no one is logged in. Tests of it name its folder themselves.
 */
export const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')));

/** By their brief; within what is removed after all tests, since workers end without notice. */
const startedRepositories = new Map<string | null, string>();

const goodBrief = `# Export reports as CSV

People copy numbers out of the report page by hand. They should get a file instead.

- a button on every report page
- the same columns as on the screen
`;

export class Playground {
  readonly folder: string;
  readonly repository: string;
  readonly database: string;
  readonly home: string;

  constructor(options: { readonly brief?: string | null; readonly name?: string } = {}) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-test-')));
    this.home = join(this.folder, 'home');
    this.repository = join(this.folder, options.name ?? 'project');
    this.database = join(this.folder, 'data', 'gatewright.db');
    mkdirSync(this.home);
    const brief = options.brief === undefined ? goodBrief : options.brief;
    const known = startedRepositories.get(brief);
    // Every repository begins in the same way; a copy is made much faster than another one.
    if (known !== undefined) {
      cpSync(known, this.repository, { recursive: true });
      return;
    }
    this.#start(brief);
    const copy = join(mkdtempSync(join(packageFolder, 'gw-start-')), 'project');
    cpSync(this.repository, copy, { recursive: true });
    startedRepositories.set(brief, copy);
  }

  #start(brief: string | null): void {
    mkdirSync(this.repository);
    this.git('init', '--quiet', '--initial-branch=main');
    // Thirteen examples of hooks that nobody reads.
    for (const name of readdirSync(this.path('.git/hooks'))) rmSync(this.path('.git/hooks', name));
    this.git('config', 'user.name', 'Test Person');
    this.git('config', 'user.email', 'test@example.invalid');
    this.write('README.md', '# Project\n');
    if (brief !== null) this.write('ideas/active/export-csv.md', brief);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Start');
  }

  get environment(): Environment {
    return {
      PATH: [dirname(process.execPath), ...machinePath].join(delimiter),
      HOME: this.home,
      GATEWRIGHT_DATABASE_URL: this.database,
      GATEWRIGHT_ACTOR: 'alice',
      // The same program is started hundreds of times.
      NODE_COMPILE_CACHE: join(packageFolder, 'compile-cache'),
      GIT_CONFIG_NOSYSTEM: '1',
      LANG: 'C.UTF-8',
      TERM: 'xterm',
      NO_COLOR: '1',
      TZ: 'UTC',
    };
  }

  remove(): void {
    for (const folder of [this.folder, this.#saved]) rmSync(folder, { recursive: true, force: true });
  }

  get #saved(): string {
    return `${this.folder}-saved`;
  }

  /**
   * Keeps all that is there now, for `restore`. Another process makes the copy: one that reads a database which it has
   * open, and closes the file, loses its locks on it.
   */
  save(): void {
    execFileSync('cp', ['-a', this.folder, this.#saved]);
  }

  /** Everything as it was when it was saved, and where it was: what is there names its place. */
  restore(): void {
    rmSync(this.folder, { recursive: true, force: true });
    execFileSync('cp', ['-a', this.#saved, this.folder]);
  }

  path(...parts: string[]): string {
    return join(this.repository, ...parts);
  }

  write(path: string, content: string | Uint8Array): string {
    const full = this.path(path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(this.path(path));
  }

  list(path: string): string[] {
    return existsSync(this.path(path)) ? readdirSync(this.path(path)).sort() : [];
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.repository,
      encoding: 'utf8',
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Writes files and commits them, if there are any. */
  commit(files: Readonly<Record<string, string>>, message = 'Files'): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    if (Object.keys(files).length === 0) return;
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  /** An editor that is a shell script; `$1` and `$2` are the files. */
  editor(script: string): string {
    const path = join(this.folder, `editor-${readdirSync(this.folder).length}.sh`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  }

  /**
   * Runs the program without a terminal. In `npm test` commands share a process that has loaded the program already,
   * unless the test gives them input, ends them or asks for a process of their own.
   */
  run(
    args: readonly string[],
    options: Partial<ProcessOptions> & { readonly file?: string; readonly isAlone?: boolean } = {},
  ): Promise<Result> {
    const { file, cwd = this.repository, env: more, isAlone = isLong, ...rest } = options;
    const env = { ...this.environment, ...more };
    const mayShare = !isAlone && file === undefined && Object.keys(rest).length === 0;
    const shared = mayShare ? runWarm(packageFolder, { args, cwd, env }) : null;
    return shared ?? runProcess([file ?? programFile, ...args], { ...rest, cwd, env });
  }

  async json<T>(args: readonly string[], options: { env?: Environment } = {}): Promise<T> {
    const result = await this.run([...args, '--json'], options);
    return JSON.parse(result.stdout) as T;
  }
}

interface ProcessOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string;
  /** Called as soon as the process runs, to kill it for example; with its number. */
  readonly onStart?: (kill: () => void, id: number) => void;
}

export function runProcess(args: readonly string[], options: ProcessOptions): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { cwd: options.cwd, env: { ...options.env } });
    const output = { stdout: '', stderr: '', all: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
        output.all += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    options.onStart?.(() => child.kill('SIGKILL'), child.pid ?? 0);
  });
}
