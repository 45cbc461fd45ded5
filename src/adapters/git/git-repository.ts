/** A real git work tree. */
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { localSettingsPath } from '../../domain/machine/local-settings.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommitRequest, Repository } from '../../ports/repository.ts';
import { readBranchFile, readHeadFile, unknown } from './branch-files.ts';
import type { Environment } from './git-environment.ts';
import { askForRoot } from './git-folders.ts';
import { findPlaceOf, makeIdentity, readIdentity } from './repository-identity.ts';
import { runGit, tryGit } from './run-git.ts';
import {
  createFile,
  listNames,
  movePath,
  pathExists,
  readTextFile,
  removeFolder,
  replaceFile,
} from './safe-files.ts';

const longestWaitForLock = 30_000;

interface GitRepositoryOptions {
  readonly environment: Environment;
  readonly clock: Pick<Clock, 'sleep' | 'randomBytes'>;
  /** Where work trees are made; outside the repository. */
  readonly worktreeFolder: string;
}

/** The root of the work tree that a folder is in, with links resolved. */
export async function findRepositoryRoot(folder: string, environment: Environment): Promise<string> {
  const notOne = new GatewrightError('not-a-repository', `${folder} is not inside a git work tree.`);
  if (!existsSync(folder)) throw notOne;
  const root = await askForRoot(folder, environment);
  if (root === null) throw notOne;
  return realpathSync(root);
}

/** The address of a remote as it is set, short forms spelled out; null when there is none. It may hold a password. */
export async function readRemote(
  folder: string,
  environment: Environment,
  name: string,
): Promise<string | null> {
  const found = await tryGit(folder, environment, ['remote', 'get-url', name]);
  return found.code === 0 ? found.output.trim() : null;
}

/** The addresses of all remotes. */
export async function readRemotes(folder: string, environment: Environment): Promise<string[]> {
  const names = (await runGit(folder, environment, ['remote'])).split('\n').filter((name) => name !== '');
  const addresses = await Promise.all(names.map((name) => readRemote(folder, environment, name)));
  return addresses.filter((address) => address !== null);
}

export class GitRepository implements Repository {
  readonly root: string;
  readonly #options: GitRepositoryOptions;

  constructor(root: string, options: GitRepositoryOptions) {
    this.root = root;
    this.#options = options;
  }

  #git(...args: string[]): Promise<string> {
    return runGit(this.root, this.#options.environment, args);
  }

  #tryGit(...args: string[]): ReturnType<typeof tryGit> {
    return tryGit(this.root, this.#options.environment, args);
  }

  async identify(): Promise<string | null> {
    const place = findPlaceOf(this.root);
    return place === null ? null : (readIdentity(place) ?? makeIdentity(place));
  }

  async isOwnWorkTree(folder: string): Promise<boolean> {
    if (folder === this.root) return true;
    const [own, other] = [findPlaceOf(this.root), findPlaceOf(folder)];
    return own !== null && other !== null && own.gitFolder === other.gitFolder;
  }

  readText(path: string): Promise<string | null> {
    return readTextFile(this.root, path);
  }

  listFolder(path: string): Promise<string[]> {
    return listNames(this.root, path);
  }

  exists(path: string): Promise<boolean> {
    return pathExists(this.root, path);
  }

  async listFiles(): Promise<string[]> {
    const kinds = ['--cached', '--others', '--deleted'];
    const { output } = await this.#tryGit('ls-files', '-z', '-t', ...kinds, '--exclude-standard');
    const lines = output.split('\0').filter((line) => line !== '');
    // A file that was removed but not yet committed is still in the index: git lists it a second time, marked with R.
    const removed = new Set(lines.filter((line) => line.startsWith('R ')).map((line) => line.slice(2)));
    return [...new Set(lines.map((line) => line.slice(2)))].filter((path) => !removed.has(path)).sort();
  }

  async hasLink(path: string): Promise<boolean> {
    const { output } = await this.#tryGit('--literal-pathspecs', 'ls-files', '--stage', '-z', '--', path);
    return output
      .split('\0')
      .some((entry) => entry.startsWith('120000 ') && entry.slice(entry.indexOf('\t') + 1) === path);
  }

  createFile(path: string, content: string): Promise<boolean> {
    return createFile(this.root, path, content);
  }

  replaceFile(path: string, content: string): Promise<void> {
    return replaceFile(this.root, path, content);
  }

  /** Of all work trees of the repository together. */
  async #commonFolder(): Promise<string> {
    return resolve(this.root, await this.#git('rev-parse', '--git-common-dir'));
  }

  async readSettings(): Promise<string | null> {
    return readTextFile(await this.#commonFolder(), localSettingsPath);
  }

  async writeSettings(content: string): Promise<void> {
    const folder = await this.#commonFolder();
    if (!(await createFile(folder, localSettingsPath, content)))
      await replaceFile(folder, localSettingsPath, content);
  }

  move(from: string, to: string): Promise<boolean> {
    return movePath(this.root, from, to);
  }

  removeFolder(path: string): Promise<void> {
    return removeFolder(this.root, path);
  }

  async commit(request: CommitRequest): Promise<string> {
    const message = `${request.message}\n\nGatewright-Effect: ${request.marker}\n`;
    for (let waited = 0; ; ) {
      const result = await this.#commitOnce(message, request.paths);
      if (result !== null) return result;
      if (waited >= longestWaitForLock) {
        throw new GatewrightError('git-busy', 'Another git process holds the index of this repository.');
      }
      waited += await this.#pause();
      // The lock may have been held by a git of ours that outlived its killed parent and has now done the work.
      const done = await this.findCommit(request.marker, null);
      if (done !== null) return done;
    }
  }

  /** One try; null when the index was locked. */
  async #commitOnce(message: string, paths: readonly string[]): Promise<string | null> {
    const [{ output: tracked }, { output: committed }, { output: ignored }] = await Promise.all([
      this.#tryGit('--literal-pathspecs', 'ls-files', '-z', '--', ...paths),
      this.#tryGit('--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...paths),
      this.#tryGit('-c', 'core.quotePath=false', 'check-ignore', '--', ...paths),
    ]);
    const known: string[] = [];
    const staged: string[] = [];
    const has = (names: string, path: string): boolean =>
      names.split('\0').some((name) => name === path || name.startsWith(`${path}/`));
    for (const path of paths) {
      const isTracked = has(tracked, path);
      // What git is told to ignore, such as private ideas, stays out of the commit.
      const isIgnored = !isTracked && ignored.split('\n').includes(path);
      const isThere = isTracked || (!isIgnored && (await this.exists(path)));
      if (isThere) staged.push(path);
      // One that was removed and staged before the process died is in neither place any more, but still to be committed.
      if (isThere || has(committed, path)) known.push(path);
    }
    // Without a path git would add everything there is.
    if (known.length === 0) throw new GatewrightError('git-failed', 'None of the files to commit exists.');
    const steps = [
      ...(staged.length === 0 ? [] : [['--literal-pathspecs', 'add', '--all', '--', ...staged]]),
      // `--only` leaves everything else that is staged as it is. Hooks do not run.
      [
        '--literal-pathspecs',
        '-c',
        'core.abbrev=40',
        'commit',
        '--no-verify',
        '--only',
        '--message',
        message,
        '--',
        ...known,
      ],
    ];
    let output = '';
    for (const step of steps) {
      const result = await this.#tryGit(...step);
      output = result.output;
      if (result.code === 0) continue;
      // Another commit may also have written back an index that it read before our files were added.
      if (/index\.lock|cannot lock ref|Unable to create .*\.lock|did not match any file/u.test(result.errors))
        return null;
      const done = await this.#findCommitted(known);
      if (done !== null) return done;
      const said = (result.errors.trim() || result.output.trim()).slice(0, 1000);
      throw new GatewrightError(
        'git-failed',
        `git ${step.includes('commit') ? 'commit' : 'add'} failed: ${said}`,
      );
    }
    // Git says which commit it made, so it need not be asked: "[main 1234…] Title".
    const said = /^\[[^\]]* ([0-9a-f]{40,64})\]/mu.exec(output)?.[1];
    return said ?? this.#git('rev-parse', 'HEAD');
  }

  /** The commit that holds the paths as they are, when a person was quicker; null when something is left to commit. */
  async #findCommitted(paths: readonly string[]): Promise<string | null> {
    const status = await this.#tryGit('--literal-pathspecs', 'status', '--porcelain', '--', ...paths);
    if (status.code !== 0 || status.output.trim() !== '') return null;
    const last = await this.#git('--literal-pathspecs', 'rev-list', '--max-count=1', 'HEAD', '--', ...paths);
    return last === '' ? null : last;
  }

  async findCommit(marker: string, since: string | null): Promise<string | null> {
    const range = since === null ? ['--max-count=200'] : [`--since=${since}`];
    const log = await this.#tryGit(
      'log',
      '--all',
      ...range,
      '--format=%H %(trailers:key=Gatewright-Effect,valueonly,separator=%x2C)',
    );
    if (log.code !== 0) return null;
    for (const line of log.output.split('\n')) {
      const [commit, trailer] = line.split(' ');
      if (commit !== undefined && trailer === marker) return commit;
    }
    return null;
  }

  /** Read from its file; a work tree beside the main one has another. */
  #readHead(): ReturnType<typeof readHeadFile> {
    const place = findPlaceOf(this.root);
    return place?.folder === this.root ? readHeadFile(place.gitFolder) : unknown;
  }

  /** Whether it surely has a commit; false when it takes git to tell. */
  #surelyHasCommit(): boolean {
    const head = this.#readHead();
    const place = findPlaceOf(this.root);
    if (head === unknown || place === null) return false;
    return head === null || typeof readBranchFile(place.gitFolder, head) === 'string';
  }

  async currentBranch(): Promise<string | null> {
    const known = this.#readHead();
    if (known !== unknown) return known;
    const head = await this.#tryGit('symbolic-ref', '--quiet', 'HEAD');
    const ref = head.output.trim();
    return head.code === 0 && ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
  }

  async #worktreePath(name: string): Promise<string> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(name)) {
      throw new GatewrightError('path-outside-root', 'That is not a name for a work tree.');
    }
    await mkdir(this.#options.worktreeFolder, { recursive: true, mode: 0o700 });
    // Git lists work trees by their real path.
    return join(realpathSync(this.#options.worktreeFolder), name);
  }

  /** Removes this one and no other: pruning would also drop a person's work tree whose disk is away for a moment. */
  async #dropWorktree(path: string): Promise<boolean> {
    const existed = existsSync(path);
    await rm(path, { recursive: true, force: true });
    await this.#tryGit('worktree', 'remove', '--force', '--force', path);
    return existed;
  }

  async makeWorktree(name: string): Promise<string> {
    const path = await this.#worktreePath(name);
    if (await this.#isWorktree(path)) return path;
    let isCleared = false;
    for (let waited = 0; ; ) {
      const added = await this.#tryGit('worktree', 'add', '--quiet', '--detach', '--no-checkout', path);
      if (added.code === 0) return path;
      // Git reads the other work trees too and fails over one that another process is just making.
      if (/failed to read|lock/u.test(added.errors) && waited < longestWaitForLock) {
        waited += await this.#pause();
      } else if (isCleared) {
        throw new GatewrightError('git-failed', `git worktree failed: ${added.errors.trim().slice(0, 1000)}`);
      } else {
        // An earlier attempt left pieces.
        await this.#dropWorktree(path);
        isCleared = true;
      }
    }
  }

  /** Whether the one of an earlier attempt is there, whole. */
  async #isWorktree(path: string): Promise<boolean> {
    if (!existsSync(join(path, '.git'))) return false;
    return (await tryGit(path, this.#options.environment, ['rev-parse', '--git-dir'])).code === 0;
  }

  /** Waits a little while, never the same, so that processes which collided do not collide again. */
  async #pause(): Promise<number> {
    const pause = 40 + ((this.#options.clock.randomBytes(1)[0] ?? 0) % 120);
    await this.#options.clock.sleep(pause);
    return pause;
  }

  async removeWorktree(name: string): Promise<boolean> {
    return this.#dropWorktree(await this.#worktreePath(name));
  }

  async checkReady(paths: readonly string[]): Promise<{ problem: string; fix: string }[]> {
    const [hasCommit, committer, author, ignored] = await Promise.all([
      this.#surelyHasCommit() ||
        this.#tryGit('rev-parse', '--quiet', '--verify', 'HEAD').then(({ code }) => code === 0),
      this.#tryGit('var', 'GIT_COMMITTER_IDENT'),
      this.#tryGit('var', 'GIT_AUTHOR_IDENT'),
      this.#tryGit('check-ignore', '--no-index', '--', ...paths),
    ]);
    const problems: { problem: string; fix: string }[] = [];
    if (!hasCommit) {
      problems.push({
        problem: 'the repository has no commit yet',
        fix: 'git commit --allow-empty -m "Start"',
      });
    }
    if (committer.code !== 0 || author.code !== 0) {
      problems.push({
        problem: 'git does not know your name and address',
        fix: 'git config --global user.name "Your Name" and git config --global user.email you@example.com',
      });
    }
    if (ignored.code > 1)
      throw new GatewrightError('git-failed', `git check-ignore failed: ${ignored.errors.trim()}`);
    if (ignored.code === 0) {
      const list = ignored.output.trim().split('\n').join(', ');
      problems.push({
        problem: `git ignores ${list}, where the audit trail goes`,
        fix: 'remove the rule from .gitignore',
      });
    }
    return problems;
  }
}
