/**
 * A git repository that tests commit to with plumbing alone: no work tree is touched, so it serves for a bare repository
 * behind a pretended GitHub as well as for the folder of a local forge.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Content by path; null removes the file. */
export type StoredFiles = Readonly<Record<string, string | Uint8Array | null>>;

interface CommitOptions {
  /** Where a new branch begins: a branch or a commit. `main` unless told; ignored when the branch exists. */
  readonly from?: string;
  readonly message?: string;
  /** ISO 8601; now unless told. */
  readonly at?: string;
}

export class GitStore {
  /** The bare repository, or the work tree. */
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static open(folder: string): GitStore {
    return new GitStore(folder);
  }

  /** Makes a repository with a branch `main` that holds README.md. Nothing is checked out. */
  static make(folder: string, options: { readonly isBare?: boolean } = {}): GitStore {
    mkdirSync(folder, { recursive: true });
    const store = new GitStore(folder);
    store.run('init', '--quiet', '--initial-branch=main', ...(options.isBare === true ? ['--bare'] : []));
    store.commit('main', { 'README.md': '# Project\n' }, { message: 'Start' });
    // A work tree that has nothing of `main` checked out, as on a server: nobody's files are in the way.
    if (options.isBare !== true) store.run('checkout', '--quiet', '--detach', 'main');
    return store;
  }

  #execute(
    args: readonly string[],
    more: { input?: string | Uint8Array; env?: Record<string, string> } = {},
  ) {
    return execFileSync('git', args, {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'A Committer',
        GIT_AUTHOR_EMAIL: 'committer@example.invalid',
        GIT_COMMITTER_NAME: 'A Committer',
        GIT_COMMITTER_EMAIL: 'committer@example.invalid',
        ...more.env,
      },
      stdio: [more.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      ...(more.input === undefined ? {} : { input: more.input }),
    });
  }

  /** Runs git and returns what it printed, without the last line break. */
  run(...args: string[]): string {
    return this.#execute(args).toString('utf8').replace(/\n$/u, '');
  }

  /** What a branch, tag or commit stands for; null when there is no such thing. */
  resolve(ref: string): string | null {
    try {
      return this.run('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    } catch {
      return null;
    }
  }

  /** Every ref with its commit, to see that nothing changed. */
  refs(): string {
    return this.run('for-each-ref', '--format=%(refname) %(objectname)');
  }

  /** Commits these files on top of a branch, which is made when it is missing; returns the commit. */
  commit(branch: string, files: StoredFiles, options: CommitOptions = {}): string {
    const tip = this.resolve(`refs/heads/${branch}`);
    const parent = tip ?? this.resolve(options.from ?? 'main');
    const index = join(tmpdir(), `gw-index-${randomUUID()}`);
    const env = { GIT_INDEX_FILE: index };
    try {
      if (parent !== null) this.#execute(['read-tree', parent], { env });
      for (const [path, content] of Object.entries(files)) {
        // --force-remove wants a work tree.
        if (content === null)
          this.#execute(['update-index', '-z', '--index-info'], {
            input: `0 ${'0'.repeat(40)}\t${path}\0`,
            env,
          });
        else {
          const blob = this.#execute(['hash-object', '-w', '--stdin'], { input: content }).toString().trim();
          this.#execute(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { env });
        }
      }
      const tree = this.#execute(['write-tree'], { env }).toString().trim();
      const commit = this.#execute(['commit-tree', tree, ...(parent === null ? [] : ['-p', parent])], {
        input: options.message ?? `Change ${Object.keys(files).join(', ')}`,
        env: options.at === undefined ? {} : { GIT_AUTHOR_DATE: options.at, GIT_COMMITTER_DATE: options.at },
      })
        .toString()
        .trim();
      this.run('update-ref', `refs/heads/${branch}`, commit, ...(tip === null ? [] : [tip]));
      return commit;
    } finally {
      rmSync(index, { force: true });
    }
  }

  readFile(ref: string, path: string): string | null {
    try {
      return this.#execute(['cat-file', 'blob', `${ref}:${path}`]).toString('utf8');
    } catch {
      return null;
    }
  }
}
