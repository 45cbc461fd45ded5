/** Finds what looks like a secret in folders of tools, such as the settings of npm beside an installation of Node.js. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { secretName } from './tool-layouts.ts';

/** Folders that are large and hold only published files, so that they are not searched. */
const published = new Set([
  ...['bin', 'sbin', 'lib', 'lib64', 'libexec', 'include', 'share', 'src', 'pkg', 'node_modules'],
  ...['Cellar', 'opt', 'man', 'doc', 'docs', 'jmods', 'legal', 'test', 'completions'],
]);
const deepest = 5;

/**
 * In one folder that is shown. Enough for any toolchain that we know of, as what was published is not looked through; less
 * than a second, because it is done anew for each command.
 */
export const mostFoldersOfTool = 20_000;

/** Source files often have "token" in their names; `token.py` is a part of Python. */
const code =
  /\.(?:py[ciod]?|[cm]?[jt]sx?|map|rb|go|rs|java|class|jar|php|pl|pm|c|cc|cpp|h|hpp|so|dylib|html?|md|rst|css)$/iu;

function isSecretName(name: string): boolean {
  return secretName.test(name) && !code.test(name);
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @returns null if there are more folders than are searched, so that their content is unknown */
export function findSecrets(root: string, mostFolders: number): string[] | null {
  const found: string[] = [];
  const waiting = [{ folder: root, depth: 1 }];
  let looked = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    looked += 1;
    if (looked > mostFolders) return null;
    for (const entry of list(next.folder)) {
      const path = join(next.folder, entry.name);
      // A link reveals nothing by itself: its target is visible only if it is shown too.
      if (isSecretName(entry.name) && !entry.isSymbolicLink()) found.push(path);
      else if (entry.isDirectory() && next.depth < deepest && !published.has(entry.name))
        waiting.push({ folder: path, depth: next.depth + 1 });
    }
  }
  return found.sort();
}
