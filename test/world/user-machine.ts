/**
 * A person's machine in the little internet: a home, tools on the search path, a clone of the project. The program has its
 * default settings; beside the keys it gets what somebody behind a company's authority (and its proxy) has set anyway.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { programFile, type Result } from '../support/playground.ts';
import type { LittleInternet } from './little-internet.ts';

type Environment = Readonly<Record<string, string>>;

/** Assembled, so that nothing that looks for keys in files takes them for real ones. */
const canary = (prefix: string): string => `${prefix}canary${'0123456789abcdef'.repeat(2)}`;

const { ANTHROPIC_API_KEY, GEMINI_API_KEY, GITHUB_TOKEN, OPENAI_API_KEY } = {
  ANTHROPIC_API_KEY: canary('sk-ant-'),
  GEMINI_API_KEY: canary('AIza'),
  GITHUB_TOKEN: canary('ghp_'),
  OPENAI_API_KEY: canary('sk-proj-'),
};

/** What most people have. */
export const keys = { ANTHROPIC_API_KEY, GEMINI_API_KEY, GITHUB_TOKEN } as const;

/** Everything that nothing may show. */
export const allKeys = { ...keys, OPENAI_API_KEY } as const;

export interface MachineOptions {
  /** The keys in the environment. */
  readonly given?: Environment;
  /** Whether the Claude Code CLI is installed. */
  readonly hasClaude?: boolean;
}

/** Everything that a process on this machine may find in its environment; there is no address of any service among it. */
export const allowedVariables: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'TERM'],
  ...Object.keys(allKeys),
  ...['NODE_EXTRA_CA_CERTS', 'GIT_SSL_CAINFO'],
  ...['HTTPS_PROXY', 'NO_PROXY'],
  'GATEWRIGHT_WEBHOOK_SECRET',
];

const toolsOfTests = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Result>;
}

export class UserMachine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-test-')));
  readonly home = join(this.folder, 'home');
  readonly project = join(this.folder, 'project');
  /** Where it is when nobody says where. */
  readonly database = join(this.home, '.local', 'share', 'gatewright', 'gatewright.db');
  /** The variables of everything that was started. */
  readonly environments: Environment[] = [];
  readonly #internet: LittleInternet;
  readonly #given: Environment;
  readonly #started = new Set<ChildProcess>();

  constructor(internet: LittleInternet, { given = keys, hasClaude = true }: MachineOptions = {}) {
    this.#internet = internet;
    this.#given = given;
    mkdirSync(join(this.folder, 'tools', 'bin'), { recursive: true });
    mkdirSync(this.home);
    this.install('node', process.execPath);
    if (hasClaude) this.install('claude', join(toolsOfTests, 'claude'));
    this.install('gatewright', programFile);
    writeFileSync(
      join(this.home, '.gitconfig'),
      [
        '[user]\n\tname = Test Person\n\temail = test@example.invalid',
        // As `gh auth setup-git` leaves it.
        '[credential "https://github.com"]',
        '\thelper = "!f() { echo username=x-access-token; echo \\"password=$GITHUB_TOKEN\\"; }; f"\n',
      ].join('\n'),
    );
  }

  get environment(): Environment {
    const { authorityFile, proxyVariables } = this.#internet;
    return {
      PATH: [join(this.folder, 'tools', 'bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: this.home,
      USER: 'casey',
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      ...this.#given,
      NODE_EXTRA_CA_CERTS: authorityFile,
      GIT_SSL_CAINFO: authorityFile,
      ...proxyVariables,
    };
  }

  install(name: string, file: string): void {
    symlinkSync(realpathSync(file), join(this.folder, 'tools', 'bin', name));
  }

  /** Their own configuration file, with what no repository may say. */
  configure(settings: object): void {
    const file = join(this.home, '.config', 'gatewright', 'config.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  }

  write(path: string, content: string): void {
    const file = join(this.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** Starts a program in the network, where the project is unless told otherwise. */
  start(command: readonly string[], more: Environment = {}, folder = this.project): Started {
    const environment = { ...this.environment, ...more };
    this.environments.push(environment);
    const [program, ...words] = this.#internet.network.enter(folder, command);
    const child = spawn(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#started.add(child);
    const output = { stdout: '', stderr: '', all: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
        output.all += text;
      });
    const ended = new Promise<Result>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.#started.delete(child);
        resolve({ code, signal, ...output });
      });
    });
    return { child, ended };
  }

  run(...words: readonly string[]): Promise<Result> {
    return this.start(['gatewright', ...words]).ended;
  }

  async git(...words: readonly string[]): Promise<string> {
    const result = await this.start(['git', ...words]).ended;
    if (result.code !== 0) throw new Error(`git ${words.join(' ')}\n${result.all}`);
    return result.stdout.trim();
  }

  /** As everybody begins. */
  async clone(address: string): Promise<void> {
    const result = await this.start(['git', 'clone', '--quiet', address, this.project], {}, this.folder)
      .ended;
    if (result.code !== 0) throw new Error(`git clone ${address}\n${result.all}`);
  }

  async remove(): Promise<void> {
    for (const child of this.#started) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
