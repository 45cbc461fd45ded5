/**
 * Removes a folder whatever an agent left in it: names that are not text, folders so deep that no path leads there, and
 * rights that were taken away. Links are removed and never followed. None of the agent's processes may be alive.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { systemErrorCode } from '../../errors.ts';

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);

/** Whoever owns a folder may give themselves every right to it. */
function unlock(folder: Buffer): void {
  const { mode } = lstatSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o7777) | 0o700);
}

/**
 * Empties a folder by bringing every folder in it up to one place and emptying it there: no path gets longer than two names,
 * and nothing is called within itself, however deep it was.
 */
export function removeFolder(path: string): boolean {
  const root = Buffer.from(path);
  const status = lstatSync(root, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (!status.isDirectory()) {
    unlinkSync(root);
    return true;
  }
  const place = Buffer.from(`${path}.removed-${process.pid}`);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  let count = readdirSync(place).length;
  const waiting: Buffer[] = [];
  const bring = (from: Buffer): void => {
    // A folder that is not one's own to write to cannot be moved, since it says which is above it.
    unlock(from);
    count += 1;
    const to = below(place, Buffer.from(String(count)));
    renameSync(from, to);
    waiting.push(to);
  };
  bring(root);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const entry = below(folder, name);
      const found = lstatSync(entry, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (found.isDirectory()) bring(entry);
      else unlinkSync(entry);
    }
    rmdirSync(folder);
  }
  try {
    rmdirSync(place);
  } catch (error) {
    // What an earlier attempt left there.
    if (systemErrorCode(error) !== 'ENOTEMPTY') throw error;
    removeFolder(place.toString());
  }
  return true;
}
