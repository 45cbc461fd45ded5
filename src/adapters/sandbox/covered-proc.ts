/**
 * The parts of /proc that are about the whole machine and not about processes. A process whose user is root outside may
 * write some of them from inside any namespace, and so change the machine: they are covered, whatever a kernel calls
 * them.
 */
import { lstatSync, readdirSync } from 'node:fs';

/** No command needs them, and they reveal too much. */
const telling = [
  'kcore',
  'keys',
  'key-users',
  'kpagecount',
  'kpageflags',
  'sched_debug',
  'timer_list',
  'vmallocinfo',
];

export interface CoveredProc {
  /** Shown read-only. */
  readonly folders: readonly string[];
  /** Shown empty. */
  readonly files: readonly string[];
}

let known: CoveredProc | undefined;

export function listCoveredProc(): CoveredProc {
  known ??= readCoveredProc();
  return known;
}

function readCoveredProc(): CoveredProc {
  const entries = readdirSync('/proc')
    .filter((name) => !/^\d+$/u.test(name))
    .flatMap((name) => {
      const facts = lstatSync(`/proc/${name}`, { throwIfNoEntry: false });
      return facts === undefined ? [] : [{ name, facts }];
    });
  return {
    folders: entries.filter(({ facts }) => facts.isDirectory()).map(({ name }) => name),
    files: entries
      .filter(({ name, facts }) => facts.isFile() && ((facts.mode & 0o222) !== 0 || telling.includes(name)))
      .map(({ name }) => name),
  };
}
