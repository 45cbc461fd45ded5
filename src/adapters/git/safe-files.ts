/**
 * File work below one root. No path leaves it, and a new file appears whole or not at all. The calls are synchronous
 * inside: a handful of small files, for which handing each step to another thread takes longer than the step.
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { isGitFolder } from '../../domain/changes/plain-path.ts';
import { GatewrightError, systemErrorCode } from '../../errors.ts';

function isInside(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** What git keeps for itself is no part of what it keeps: settings there name programs, and may hold a token. */
function isOfGit(root: string, path: string): boolean {
  return relative(root, path).split(sep).some(isGitFolder);
}

/** Turns what the file system says into an error of ours. */
function explainFileError(error: unknown, path: string): never {
  if (error instanceof GatewrightError) throw error;
  const code = systemErrorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    throw new GatewrightError('disk-full', `No room left to write ${path}.`, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    throw new GatewrightError('cannot-write', `${path} cannot be written.`, { cause: error });
  }
  if (code === 'ENAMETOOLONG') {
    throw new GatewrightError('file-conflict', 'The name of a file is longer than the disk takes.', {
      cause: error,
    });
  }
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTEMPTY') {
    throw new GatewrightError('file-conflict', `Another file or folder is at ${path}.`, {
      cause: error,
    });
  }
  throw error;
}

/** Whether something is there, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The absolute path of a relative one; refuses `..`, absolute paths, NUL, git's own folder, and links that lead outside or there. */
function resolve(root: string, path: string): string {
  const outside = (): never => {
    throw new GatewrightError(
      'path-outside-root',
      `"${path.slice(0, 200)}" is not a path inside the repository.`,
    );
  };
  if (
    path === '' ||
    path.includes('\0') ||
    isAbsolute(path) ||
    normalize(path).split(/[\\/]/u).includes('..')
  )
    outside();
  const full = join(root, path);
  if (isOfGit(root, full)) outside();
  // The deepest part that exists decides: whatever is below it, we make ourselves.
  for (let part = full; isInside(root, part); part = dirname(part)) {
    try {
      const real = realpathSync(part);
      if (!isInside(root, real) || isOfGit(root, real)) outside();
      return full;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'ENOTDIR') return full;
      if (code === 'ELOOP') outside();
      if (code !== 'ENOENT') return explainFileError(error, path);
      const found = lstatSync(part, { throwIfNoEntry: false });
      // A link that leads nowhere yet may lead anywhere later; one that leads to itself leads nowhere at all.
      if (found?.isSymbolicLink() === true) outside();
      // Another process has made it in between, which may happen at any part: look at all of them again.
      if (found !== undefined) return resolve(root, path);
    }
  }
  return outside();
}

/** Makes a folder and those above it. Node's own way reports a read-only disk as a missing folder. */
function makeFolders(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' && dirname(folder) !== folder) {
      makeFolders(dirname(folder));
      makeFolders(folder);
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Removes what processes that are gone left in a folder of their attempts to write files. */
function removeStalePartials(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const owner = /^\..+\.(\d+)-[0-9a-f]{8}\.partial$/u.exec(entry)?.[1];
    if (owner === undefined) continue;
    try {
      process.kill(Number(owner), 0);
    } catch (error) {
      if (systemErrorCode(error) === 'ESRCH') rmSync(join(folder, entry), { force: true });
    }
  }
}

/** Makes sure that a folder's entries, or a file's content, are on the disk. */
function syncAndClose(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(folder: string): void {
  syncAndClose(openSync(folder, constants.O_RDONLY));
}

/** A new file with this content, on the disk before it returns. */
function writeNew(path: string, content: string): void {
  const descriptor = openSync(path, 'wx', 0o644);
  try {
    writeFileSync(descriptor, content, 'utf8');
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  syncAndClose(descriptor);
}

/** Writes beside the place, then puts it there. */
function writeWhole(full: string, content: string, put: (from: string, to: string) => void): void {
  const folder = dirname(full);
  removeStalePartials(folder);
  // A name of its own, made and never opened: what is there already could be a link to somewhere else.
  const partial = join(folder, `.${basename(full)}.${process.pid}-${randomBytes(4).toString('hex')}.partial`);
  try {
    writeNew(partial, content);
    put(partial, full);
  } finally {
    rmSync(partial, { force: true });
  }
  syncFolder(folder);
}

export async function resolveInside(root: string, path: string): Promise<string> {
  return resolve(root, path);
}

export async function readTextFile(root: string, path: string): Promise<string | null> {
  try {
    return readFileSync(resolve(root, path), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) return null;
    return explainFileError(error, path);
  }
}

export async function listNames(root: string, path: string): Promise<string[]> {
  try {
    return readdirSync(resolve(root, path));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    return explainFileError(error, path);
  }
}

export async function pathExists(root: string, path: string): Promise<boolean> {
  try {
    accessSync(resolve(root, path));
    return true;
  } catch (error) {
    if (error instanceof GatewrightError) throw error;
    return false;
  }
}

export async function createFile(root: string, path: string, content: string): Promise<boolean> {
  try {
    const full = resolve(root, path);
    makeFolders(dirname(full));
    // Before anything is written, for nothing, to the disk. What comes there after this look is seen below.
    if (isThere(full)) return false;
    let isNew = true;
    writeWhole(full, content, (from, to) => {
      try {
        // A link fails when the name is taken, so an existing file is never replaced.
        linkSync(from, to);
      } catch (error) {
        if (systemErrorCode(error) !== 'EEXIST') throw error;
        isNew = false;
      }
    });
    return isNew;
  } catch (error) {
    return explainFileError(error, path);
  }
}

/** New content for a file that is there: whole or not at all, and the old one until then. */
export async function replaceFile(root: string, path: string, content: string): Promise<void> {
  try {
    const full = resolve(root, path);
    if (!lstatSync(full).isFile())
      throw new GatewrightError('file-conflict', `${path} is not a file that can be changed.`);
    writeWhole(full, content, renameSync);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT')
      throw new GatewrightError('file-conflict', `${path} is gone, so it cannot be changed.`);
    explainFileError(error, path);
  }
}

export async function movePath(root: string, from: string, to: string): Promise<boolean> {
  const source = resolve(root, from);
  const target = resolve(root, to);
  const [sourceExists, targetExists] = [isThere(source), isThere(target)];
  if (targetExists) {
    if (!sourceExists) return false;
    throw new GatewrightError('file-conflict', `${to} exists already, so ${from} cannot be moved there.`);
  }
  if (!sourceExists)
    throw new GatewrightError('file-conflict', `${from} is gone, so it cannot be moved to ${to}.`);
  try {
    // One that was whole when its process died is of no use either, and would be kept and committed with the rest.
    if (statSync(source).isDirectory()) removeStalePartials(source);
    makeFolders(dirname(target));
    renameSync(source, target);
    syncFolder(dirname(target));
    syncFolder(dirname(source));
    return true;
  } catch (error) {
    return explainFileError(error, to);
  }
}

export async function removeFolder(root: string, path: string): Promise<void> {
  try {
    const full = resolve(root, path);
    if (relative(root, full) === '')
      throw new GatewrightError('path-outside-root', 'Gatewright does not remove the repository itself.');
    rmSync(full, { recursive: true, force: true });
  } catch (error) {
    explainFileError(error, path);
  }
}
