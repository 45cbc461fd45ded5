/** Looks for processes by a word of their command line: in a sandbox they have other numbers than outside. */
import { readdirSync, readFileSync } from 'node:fs';

/** Numbers of those that have this word. The dead have no command line. */
export function findProcesses(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((id) => {
      try {
        const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
        return words.some((one) => one === word);
      } catch {
        return false;
      }
    })
    .map(Number);
}
