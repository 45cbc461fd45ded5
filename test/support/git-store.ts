/**
 * A git repository that tests commit to with plumbing alone: no work tree is touched, so it serves for a bare repository
 * behind a pretended GitHub as well as for the folder of a local forge.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
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

const committer = 'A Committer <committer@example.invalid>';

export class GitStore {
  /** The bare repository, or the work tree. */
  readonly folder: string;
  #gitFolder: string | null = null;
  readonly #known = new Map<string, string>();

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

  #execute(args: readonly string[], more: { input?: Uint8Array } = {}) {
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

  /** The same as `run`, asked once: for what depends on nothing but the commits it names, by their hashes. */
  recall(...args: string[]): string {
    const key = args.join('\0');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = this.run(...args);
    this.#known.set(key, text);
    return text;
  }

  /** For a folder that was brought back to what it was: what git answered may have left objects there. */
  forget(): void {
    this.#known.clear();
  }

  /** What a branch, tag or commit stands for; null when there is no such thing. */
  resolve(ref: string): string | null {
    const read = this.#readBranch(ref);
    if (read !== undefined) return read;
    try {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
      return /^[0-9a-f]{40}$/u.test(ref) ? this.recall(...args) : this.run(...args);
    } catch {
      return null;
    }
  }

  /** A branch that lies in a file of its own, without a process: it is asked for at every request. */
  #readBranch(ref: string): string | null | undefined {
    if (!/^refs\/heads\/[\w-]+(?:\/[\w-]+)*$/u.test(ref)) return undefined;
    this.#gitFolder ??= existsSync(join(this.folder, '.git')) ? join(this.folder, '.git') : this.folder;
    try {
      const text = readFileSync(join(this.#gitFolder, ref), 'utf8').trim();
      return /^[0-9a-f]{40}$/u.test(text) ? text : undefined;
    } catch {
      const isElsewhere = ['packed-refs', 'reftable'].some((name) =>
        existsSync(join(this.#gitFolder ?? '', name)),
      );
      return isElsewhere ? undefined : null;
    }
  }

  /** Every ref with its commit, to see that nothing changed. */
  refs(): string {
    return this.run('for-each-ref', '--format=%(refname) %(objectname)');
  }

  /** Commits these files on top of a branch, which is made when it is missing; returns the commit. */
  commit(branch: string, files: StoredFiles, options: CommitOptions = {}): string {
    const parent = this.resolve(`refs/heads/${branch}`) ?? this.resolve(options.from ?? 'main');
    const at = `${Math.floor((options.at === undefined ? Date.now() : Date.parse(options.at)) / 1000)} +0000`;
    const parts: (string | Uint8Array)[] = [];
    const data = (content: string | Uint8Array) =>
      parts.push(`data ${Buffer.byteLength(content)}\n`, content, '\n');
    parts.push(`commit refs/heads/${branch}\nmark :1\n`);
    for (const who of ['author', 'committer']) parts.push(`${who} ${committer} ${at}\n`);
    data(options.message ?? `Change ${Object.keys(files).join(', ')}`);
    if (parent !== null) parts.push(`from ${parent}\n`);
    for (const [path, content] of Object.entries(files)) {
      const quoted = `"${path.replace(/["\\]/gu, '\\$&').replaceAll('\n', '\\n')}"`;
      if (content === null) parts.push(`D ${quoted}\n`);
      else {
        parts.push(`M 100644 inline ${quoted}\n`);
        data(content);
      }
    }
    parts.push('get-mark :1\n');
    const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
    // Kept as a pack: making single files of it would start another process.
    const settings = ['-c', 'fastimport.unpackLimit=1', '-c', 'core.fsync=none'];
    return this.#execute([...settings, 'fast-import', '--quiet'], { input })
      .toString()
      .trim();
  }

  readFile(ref: string, path: string): string | null {
    try {
      return this.#execute(['cat-file', 'blob', `${ref}:${path}`]).toString('utf8');
    } catch {
      return null;
    }
  }
}
