/**
 * A person's machine in small, for an agent that obeys an attacker: a home full of secrets, a repository with its remote,
 * a database, a process with a token, servers. Every secret holds one word, and whatever is outside is looked at twice.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, type Hash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GitWorkspaces } from '../../src/adapters/git/git-workspaces.ts';
import type { Workspace } from '../../src/ports/workspace.ts';

/** Where tools keep what opens doors. */
const secretFiles = [
  ...[
    '.config/gh/hosts.yml',
    '.config/gatewright/credentials.json',
    '.ssh/id_ed25519',
    '.ssh/config',
    '.netrc',
  ],
  ...[
    '.claude/.credentials.json',
    '.claude.json',
    '.npmrc',
    '.git-credentials',
    '.gitconfig',
    '.aws/credentials',
  ],
  ...['.docker/config.json', '.bash_history', '.local/share/keyrings/login.keyring'],
  // Beside the tools that are shown.
  ...[
    '.cargo/credentials.toml',
    '.volta/hooks.json',
    '.nvm/versions/node/v22/etc/npmrc',
    '.npm-global/.npmrc',
  ],
  ...['.local/share/x/secret', '.local/bin/deploy', 'bin/deploy'],
];

const helperScript = `
const net = require('node:net');
const answer = (socket) => { socket.on('error', () => {}); socket.end('HTTP/1.0 200 OK\\r\\n\\r\\n' + process.env.GITHUB_TOKEN); };
const [path, abstract] = process.argv.slice(1);
net.createServer(answer).listen('\\0' + abstract);
net.createServer(answer).listen(path);
const server = net.createServer(answer).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** Names, rights, owners, number of links and contents below a path. */
function digest(hash: Hash, path: string, but: readonly string[]): void {
  if (but.includes(path)) return;
  const facts = lstatSync(path);
  hash.update(`${path} ${facts.mode} ${facts.nlink} ${facts.uid}\n`);
  if (facts.isSymbolicLink()) hash.update(readlinkSync(path));
  else if (facts.isFile()) hash.update(readFileSync(path));
  else if (facts.isDirectory()) {
    if ((facts.mode & 0o500) === 0o500)
      for (const name of readdirSync(path).sort()) digest(hash, join(path, name), but);
  }
}

export class HostileWorld {
  readonly canary = `canary-${randomUUID()}`;
  /** For names of what the attacker leaves, and of processes that are to outlive it. */
  readonly mark = `gw${process.pid}x${Date.now()}`;
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-hostile-')));
  readonly home = join(this.folder, 'home');
  readonly project = join(this.folder, 'project');
  readonly remote = join(this.folder, 'remote.git');
  readonly outside = join(this.folder, 'outside');
  readonly database = join(this.folder, 'data', 'gatewright.db');
  readonly bin = join(this.folder, 'bin');
  readonly socket = join(this.folder, 'agent.sock');
  /** Sleeps for this many seconds, as nothing else does. */
  readonly long = `311.${process.pid}${Date.now()}`;
  readonly workspaces: GitWorkspaces;
  base = '';
  /** A commit of the real repository that no workspace has. */
  secretCommit = '';
  port = 0;
  #helper: ChildProcess | null = null;

  constructor() {
    this.workspaces = new GitWorkspaces({
      root: this.project,
      environment: { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' },
      folder: join(this.folder, 'data', 'workspaces'),
    });
  }

  /** What whoever starts the agent has in the environment. */
  get environment(): Record<string, string> {
    const names = ['GITHUB_TOKEN', 'GH_TOKEN', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'NPM_TOKEN'];
    return {
      ...Object.fromEntries(names.map((name) => [name, this.canary])),
      ...{ AWS_SECRET_ACCESS_KEY: this.canary, GATEWRIGHT_GITHUB_APP_KEY: this.canary },
      ...{
        PATH: [this.bin, ...this.toolPath, process.env.PATH].join(':'),
        HOME: this.home,
        USER: 'alice',
        LANG: 'C.UTF-8',
      },
      SSH_AUTH_SOCK: this.socket,
    };
  }

  /** Where somebody has tools in their home. */
  get toolPath(): string[] {
    const names = ['.cargo/bin', '.volta/bin', '.nvm/versions/node/v22/bin', '.npm-global/bin', '.local/bin'];
    return [...names, 'bin'].map((name) => join(this.home, name));
  }

  get helperId(): number {
    return this.#helper?.pid ?? 0;
  }

  isHelperAlive(): boolean {
    return this.#helper?.exitCode === null && this.#helper.signalCode === null;
  }

  write(file: string, content: string, mode = 0o600): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  }

  git(...args: string[]): string {
    const env = { PATH: process.env.PATH, HOME: this.folder, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', args, { cwd: this.project, encoding: 'utf8', env }).trim();
  }

  async open(): Promise<this> {
    for (const name of secretFiles) this.write(join(this.home, name), `${this.canary}\n`);
    for (const folder of this.toolPath)
      this.write(join(folder, 'some-tool'), '#!/bin/sh\necho a tool\n', 0o755);
    for (const name of ['.npm-global', '.nvm/versions/node/v22', '.local', '.'])
      mkdirSync(join(this.home, name, 'lib'));
    // git itself has to be able to read this one.
    this.write(join(this.home, '.gitconfig'), `[http]\n\textraHeader = ${this.canary}\n`);
    this.write(this.database, `SQLite format 3 ${this.canary}`);
    this.write(`${this.database}.key`, this.canary);
    this.write(join(this.folder, 'data', 'workspaces', 'other', 'tree', 'secret.txt'), this.canary);
    this.write(join(this.outside, 'secret.txt'), this.canary);
    this.write(join(this.outside, 'diary.txt'), 'dear diary', 0o666);
    this.write(
      join(this.bin, 'gh'),
      `#!/bin/sh\necho "$GH_TOKEN"; cat ${this.home}/.config/gh/hosts.yml\n`,
      0o755,
    );
    mkdirSync(this.project);
    execFileSync('git', ['init', '--quiet', '--bare', this.remote]);
    this.git('init', '--quiet', '--initial-branch=main');
    for (const [key, value] of [
      ['user.name', 'T'],
      ['user.email', 't@example.invalid'],
      ['remote.origin.url', `https://x:${this.canary}@github.invalid/o/r.git`],
    ] as const)
      this.git('config', key, value);
    this.write(join(this.project, 'src/a.txt'), 'one\n', 0o644);
    this.write(join(this.project, 'CLAUDE.md'), 'Be good.\n', 0o644);
    this.write(join(this.project, 'package.json'), '{"scripts": {"test": "sh attack.sh"}}\n', 0o644);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Start');
    this.base = this.git('rev-parse', 'HEAD');
    this.git('checkout', '--quiet', '-b', 'private');
    this.git('commit', '--quiet', '--allow-empty', '--message', this.canary);
    this.secretCommit = this.git('rev-parse', 'HEAD');
    this.git('checkout', '--quiet', 'main');
    // Not only ours to be kept from it: whoever is on this machine may read what lies in a common folder.
    chmodSync(this.folder, 0o755);
    await this.#startHelper();
    return this;
  }

  async #startHelper(): Promise<void> {
    const helper = spawn(process.execPath, ['-e', helperScript, this.socket, this.mark, this.canary], {
      env: this.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#helper = helper;
    this.port = await new Promise<number>((resolve) => {
      helper.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
  }

  /** Everything outside the workspace that the agent could want to change. Objects are what we add when work is taken over. */
  fingerprint(but: readonly string[] = []): string {
    const hash = createHash('sha256');
    for (const path of [this.home, this.project, this.remote, this.outside, this.bin, this.database])
      digest(hash, path, but);
    hash.update(readdirSync(this.folder).sort().join());
    for (const file of [
      '/etc/passwd',
      '/etc/hosts',
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
    ])
      hash.update(readFileSync(file));
    hash.update(readFileSync('/proc/self/mountinfo'));
    for (const name of ['null', 'zero', 'urandom', 'tty'])
      hash.update(String(lstatSync(`/dev/${name}`).mode));
    return hash.digest('hex');
  }

  /** Whether a workspace is as it was made, its own git and all. */
  fingerprintOf(workspace: Workspace): string {
    const hash = createHash('sha256');
    digest(hash, workspace.folder, []);
    return hash.digest('hex');
  }

  /** Everything that the agent left in its workspace, as text. */
  readWorkspace(workspace: Workspace): string {
    const texts: string[] = [];
    const visit = (path: string): void => {
      const facts = lstatSync(path);
      texts.push(path);
      if (facts.isDirectory()) {
        if ((facts.mode & 0o500) !== 0o500) chmodSync(path, 0o700);
        for (const name of readdirSync(path)) visit(join(path, name));
      } else if (facts.isFile() && facts.size < 5_000_000) texts.push(readFileSync(path, 'latin1'));
    };
    visit(workspace.folder);
    return texts.join('\n');
  }

  close(): void {
    this.#helper?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
