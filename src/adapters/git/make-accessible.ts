/**
 * Gives us back what an agent took away from its own folder: files and folders without read or write permission would be
 * missing from what is taken over, and could not be removed.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

function setRights(path: string, wanted: number): void {
  const { mode } = lstatSync(path);
  if ((mode & wanted) !== wanted) chmodSync(path, (mode & 0o7777) | wanted);
}

/** Links are left alone: what they lead to is not the agent's. No process of the agent may be alive. */
export function makeAccessible(folder: string): void {
  setRights(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeAccessible(path);
    else if (entry.isFile()) setRights(path, 0o400);
  }
}
