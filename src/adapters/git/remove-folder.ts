/**
 * Removes a folder whatever an agent left in it: names that are not text, folders so deep that no path leads there, and
 * rights that were taken away. Links are removed and never followed. None of the agent's processes may be alive.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';

const below = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);

/** The owner of a folder can always restore all of their own permissions on it. */
function unlock(folder: Buffer): void {
  const { mode } = lstatSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o7777) | 0o700);
}

/** What is being removed, and what an attempt that was cut off has left of it. */
const placeOf = (path: string): string => `${path}.removed`;

/**
 * Empties a folder by bringing every folder in it up to one place and emptying it there: no path gets longer than two names,
 * and nothing is called within itself, however deep it was.
 */
export function removeWithCare(path: string): void {
  const place = Buffer.from(placeOf(path));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const waiting = readdirSync(place, { encoding: 'buffer' }).map((name) => below(place, name));
  const bring = (from: Buffer): void => {
    // Moving a folder needs the right to write to it, because its entry ".." changes.
    unlock(from);
    const to = below(place, Buffer.from(randomUUID()));
    renameSync(from, to);
    waiting.push(to);
  };
  if (existsSync(path)) bring(Buffer.from(path));
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
  rmdirSync(place);
}

/**
 * Returns whether something was there. The dependencies of a project are tens of thousands of files: meanwhile the
 * process has to be able to renew its leases, to show that it works and to be stopped.
 */
export async function removeFolder(path: string): Promise<boolean> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() === false) unlinkSync(path);
  else if (status !== undefined)
    try {
      // The quick way; it fails on names, depths and permissions that `removeWithCare` can handle.
      await rm(path, { recursive: true, force: true });
    } catch {
      removeWithCare(path);
    }
  if (existsSync(placeOf(path))) removeWithCare(path);
  return status !== undefined;
}
