/** The machine of a reader: the program on the path, a new home with a git identity, and every setting as it is by default. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { machinePath, programFile } from './playground.ts';

/** Makes it in a folder of its own; returns the variables of its shell. */
export function makeReaderMachine(folder: string): Readonly<Record<string, string>> {
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const one of [home, bin]) mkdirSync(one, { recursive: true });
  symlinkSync(programFile, join(bin, 'gatewright'));
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = alice@example.invalid\n');
  return {
    PATH: [bin, dirname(process.execPath), ...machinePath].join(delimiter),
    ...{ HOME: home, LANG: 'C.UTF-8', TERM: 'xterm', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1' },
  };
}
