/**
 * Which repository a folder belongs to, wherever the folder is: a random name in the git folder that all its work trees
 * share. It moves with the repository, also to another disk; git does not clone it.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const identityFile = 'gatewright-forge';
const identityForm = /^[0-9a-f]{32}$/u;

export interface RepositoryPlace {
  /** The git folder that all work trees share, with links resolved. */
  readonly gitFolder: string;
  /** The main work tree; of a repository without one, the git folder. */
  readonly folder: string;
}

/** Null when it is no file, or not a small one. */
function readSmallFile(path: string): string | null {
  try {
    const { size } = lstatSync(path);
    return lstatSync(path).isFile() && size < 5_000 ? readFileSync(path, 'utf8').trim() : null;
  } catch {
    return null;
  }
}

/** Read from git's own files, as git does: `status` and its like must not wait for a process. */
export function findPlaceOf(folder: string): RepositoryPlace | null {
  try {
    const own = join(folder, '.git');
    if (statSync(own).isDirectory()) return { gitFolder: realpathSync(own), folder };
    const [, target] = /^gitdir: (.+)$/u.exec(readSmallFile(own) ?? '') ?? [];
    if (target === undefined) return null;
    const gitFolder = resolve(folder, target);
    const common = readSmallFile(join(gitFolder, 'commondir'));
    // A submodule, or a repository whose git folder is elsewhere: it has no other work tree.
    if (common === null) return { gitFolder: realpathSync(gitFolder), folder };
    const shared = realpathSync(resolve(gitFolder, common));
    return { gitFolder: shared, folder: basename(shared) === '.git' ? dirname(shared) : shared };
  } catch {
    return null;
  }
}

/** Null when it has none, or none that we wrote. */
export function readIdentity({ gitFolder }: RepositoryPlace): string | null {
  const text = readSmallFile(join(gitFolder, identityFile));
  return text !== null && identityForm.test(text) ? text : null;
}

/** Gives it a new name, or the one that another process was quicker with; null where nothing can be written. */
export function makeIdentity(place: RepositoryPlace, { isCopy = false } = {}): string | null {
  const path = join(place.gitFolder, identityFile);
  try {
    // What stands there is of the repository that this one was copied from, or not ours.
    if (isCopy || readIdentity(place) === null) rmSync(path, { force: true });
    writeFileSync(path, `${randomBytes(16).toString('hex')}\n`, { flag: 'wx', mode: 0o644 });
  } catch {
    // Another process made it, or the folder cannot be written.
  }
  return readIdentity(place);
}

/** What earlier versions knew a folder by: the number and birth of its `.git` on the disk. Null where there is none. */
export function readOldIdentity(folder: string): string | null {
  try {
    const { ino, birthtimeNs } = statSync(join(folder, '.git'), { bigint: true });
    return ino === 0n || birthtimeNs === 0n ? null : `${ino}-${birthtimeNs}`;
  } catch {
    return null;
  }
}
