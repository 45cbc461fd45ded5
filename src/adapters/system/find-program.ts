/** Looks for a program where a shell would. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file that would be started, or null. On Windows the ending of a script (`.cmd`) counts only where a shell runs it. */
export function findProgram(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  endings: readonly string[] = ['.exe'],
): string | null {
  const names = process.platform === 'win32' ? endings.map((ending) => `${name}${ending}`) : [name];
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    for (const one of folder === '' ? [] : names) {
      const file = join(folder, one);
      try {
        accessSync(file, constants.X_OK);
        if (statSync(file).isFile()) return file;
      } catch {
        // Not there; the next folder may have it.
      }
    }
  }
  return null;
}
