/** Looks at programs and the folders they are in. */
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';

export function realPathOf(path: string): string | null {
  try {
    return path === '' ? null : realpathSync(path);
  } catch {
    return null;
  }
}

export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const longestScript = 2048;

function readStart(file: string): string {
  const bytes = Buffer.alloc(longestScript + 1);
  try {
    const descriptor = openSync(file, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/**
 * Whether a file may be shown by itself, among others that are not: a compiled program, or the few lines that pip
 * writes to start a package. A script that a person wrote may contain anything, so it is not shown.
 */
export function isOfferedAlone(file: string): boolean {
  const start = readStart(file);
  if (start.startsWith('\u007fELF')) return true;
  return (
    start.length <= longestScript &&
    /^#!\S*\/python[\d.]*\n/u.test(start) &&
    /^from [\w.]+ import \w+$/mu.test(start) &&
    /^ {4}sys\.exit\(\w+\(\)\)$/mu.test(start)
  );
}
