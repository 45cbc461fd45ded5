/** Where runs leave artifacts, and refs their caches. */
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

export interface StoredArtifact {
  readonly id: number;
  readonly run: number;
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  readonly at: string;
}

/** Files below a path, as `upload-artifact` finds them: links are followed, hidden names are left out unless asked for. */
function findFiles(path: string, isHiddenToo: boolean): string[] {
  if (!isHiddenToo && basename(path).startsWith('.')) return [];
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => findFiles(join(path, name), isHiddenToo));
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((one) => one.split('/'));
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length === -1 ? first : first.slice(0, length)).join('/') || '/';
}

export class ArtifactStore {
  readonly artifacts: StoredArtifact[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The files that were put in, or null where there are none. A name is taken once in a run, unless it is overwritten. */
  add(
    { id, run, name, at }: Pick<StoredArtifact, 'id' | 'run' | 'name' | 'at'>,
    patterns: readonly string[],
    cwd: string,
    { isHiddenToo = false, isOverwriting = false } = {},
  ): number | null {
    if (/["<>|*?\r\n\\/:]/u.test(name)) throw new Error(`The artifact name is not valid: ${name}`);
    const taken = this.artifacts.findIndex((one) => one.run === run && one.name === name);
    if (taken !== -1 && isOverwriting) this.artifacts.splice(taken, 1);
    else if (taken !== -1)
      throw new Error(
        'Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict: an artifact with this name already exists on the workflow run',
      );
    const searched = patterns.flatMap((pattern) => {
      if (!/[*?[]/u.test(pattern)) return [resolve(cwd, pattern)];
      return globSync(pattern, { cwd }).map((one) => resolve(cwd, one));
    });
    const files = searched.flatMap((one) => findFiles(one, isHiddenToo));
    const [only] = files;
    if (only === undefined) return null;
    const [single] = searched;
    const isFolder = searched.length === 1 && single !== undefined && statSync(single).isDirectory();
    const root = isFolder ? single : commonFolder(files.map((one) => dirname(one)));
    mkdirSync(this.#folder, { recursive: true });
    const folder = mkdtempSync(join(this.#folder, 'artifact-'));
    for (const file of files)
      cpSync(realpathSync(file), join(folder, relative(root, file)), { dereference: true });
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    this.artifacts.push({ id, run, name, folder, bytes, at });
    return files.length;
  }

  ofRun(run: number): StoredArtifact[] {
    return this.artifacts.filter((one) => one.run === run);
  }
}

interface StoredCache {
  readonly ref: string;
  readonly key: string;
  readonly version: string;
  readonly folder: string;
}

/** A ref sees its own caches and those of the default branch; every job of a ref may save one, whatever its token. */
export class CacheStore {
  readonly caches: StoredCache[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The key that fitted, or null.
   * @param version the paths as the file names them: a cache of others is another one
   */
  restore(
    refs: readonly string[],
    keys: readonly string[],
    version: string,
    paths: readonly string[],
  ): string | null {
    for (const [index, key] of keys.entries()) {
      for (const ref of refs) {
        const found = this.caches.findLast(
          (one) =>
            one.ref === ref &&
            one.version === version &&
            (one.key === key || (index > 0 && one.key.startsWith(key))),
        );
        if (found === undefined) continue;
        for (const [at, path] of paths.entries()) {
          const kept = join(found.folder, String(at));
          if (!existsSync(kept)) continue;
          rmSync(path, { recursive: true, force: true });
          cpSync(kept, path, { recursive: true, verbatimSymlinks: true });
        }
        return found.key;
      }
    }
    return null;
  }

  /** A key that is there is not written again. */
  save(ref: string, key: string, version: string, paths: readonly string[]): boolean {
    if (this.caches.some((one) => one.ref === ref && one.key === key && one.version === version))
      return false;
    mkdirSync(this.#folder, { recursive: true });
    const folder = mkdtempSync(join(this.#folder, 'cache-'));
    for (const [at, path] of paths.entries())
      if (existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined)
        cpSync(path, join(folder, String(at)), { recursive: true, verbatimSymlinks: true });
    this.caches.push({ ref, key, version, folder });
    return true;
  }
}
