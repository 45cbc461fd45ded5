/** Finds what looks like a secret in folders of tools, such as the settings of npm beside an installation of Node.js. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secretName } from './tool-layouts.ts';

/** Large, and made of what was published. */
const published = new Set([
  ...['bin', 'sbin', 'lib', 'lib64', 'libexec', 'include', 'share', 'src', 'pkg', 'node_modules'],
  ...['Cellar', 'opt', 'man', 'doc', 'docs', 'jmods', 'legal', 'test', 'completions'],
]);
const deepest = 5;
const mostFolders = 3000;

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function findSecrets(folders: readonly string[]): string[] {
  const found: string[] = [];
  let looked = 0;
  const look = (folder: string, depth: number): void => {
    looked += 1;
    for (const entry of looked > mostFolders ? [] : list(folder)) {
      const path = join(folder, entry.name);
      // What a link leads to is only seen if it is shown itself.
      if (secretName.test(entry.name) && !entry.isSymbolicLink()) found.push(path);
      else if (entry.isDirectory() && depth < deepest && !published.has(entry.name)) look(path, depth + 1);
    }
  };
  for (const folder of folders) look(folder, 1);
  return found;
}
