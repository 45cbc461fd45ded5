/** What is mounted where on this machine, for what has to be kept of it inside. */
import { readFileSync } from 'node:fs';
import { isBelow } from './system-paths.ts';

/** Places, with the options that something is mounted there with. */
export type Mounts = ReadonlyMap<string, readonly string[]>;

/** Paths in `/proc/self/mountinfo` have spaces and the like written as octal numbers. */
function decodePath(text: string): string {
  const bytes = text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Every place where something is mounted, with the options that it is mounted with. */
export function readMounts(): Mounts {
  const lines = readFileSync('/proc/self/mountinfo', 'latin1').split('\n');
  return new Map(
    lines
      .map((line) => line.split(' '))
      .filter((fields) => fields.length > 6)
      .map((fields) => [decodePath(fields[4] ?? ''), (fields[5] ?? '').split(',')]),
  );
}

/** The options of the mount that a path is on. */
export function optionsAt(mounts: Mounts, path: string): readonly string[] {
  let best = '/';
  for (const place of mounts.keys())
    if ((place === path || isBelow(path, place)) && place.length > best.length) best = place;
  return mounts.get(best) ?? [];
}
