/** Finds the user's settings for one repository without starting git, which `config show` would wait for. */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localSettingsPath } from '../domain/machine/local-settings.ts';

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Null where no git directory is. */
export function findLocalFile(root: string): string | null {
  const entry = join(root, '.git');
  const facts = statSync(entry, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  if (facts.isDirectory()) return join(entry, localSettingsPath);
  // A linked work tree: a file that names its own directory, which names the one of the repository.
  const named = /^gitdir: (.+)$/u.exec(readLine(entry) ?? '')?.[1];
  if (named === undefined) return null;
  const folder = resolve(root, named);
  return join(resolve(folder, readLine(join(folder, 'commondir')) ?? '.'), localSettingsPath);
}
