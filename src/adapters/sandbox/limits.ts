/**
 * What a command in a sandbox can use up, as far as the kernel lets every user limit it: the number of processes, the
 * size of a file, and no memory dump on the disk. Memory is limited by control groups (control-groups.ts) where there
 * are any: Node.js and other programs with large address spaces do not survive any of the limits for single processes.
 * When memory runs out, the kernel ends this command first.
 */
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { delimiter } from 'node:path';
import { findProgram } from '../system/find-program.ts';
import { programFolders } from './system-paths.ts';

export interface Limits {
  /** Processes and threads at once. A large build has some hundreds. */
  readonly processes: number;
  /** Of one file. */
  readonly fileBytes: number;
}

export const usualLimits: Limits = { processes: 4096, fileBytes: 8 * 1024 ** 3 };

/** Whether the kernel is at least of a version. */
export function isKernel(major: number, minor: number, version = release()): boolean {
  const [ours = 0, below = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ours > major || (ours === major && below >= minor);
}

/** Our own upper limit; no child can get more. Infinite when nothing is said. */
export function readOwnLimit(name: string, limits = readFileSync('/proc/self/limits', 'utf8')): number {
  const [, hard] = new RegExp(`^${name} +\\S+ +(\\S+)`, 'mu').exec(limits) ?? [];
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

/**
 * How many processes a namespace can have, for a kernel that counts them for each; null where writing it down would set it
 * for the whole machine. It counts for root, too, whose processes are not counted otherwise.
 */
export function processesOfNamespace({ processes }: Limits): number | null {
  return isKernel(6, 14) ? processes : null;
}

/** The words before those of a command that starts with limits. */
export function startWithLimits({ processes, fileBytes }: Limits): string[] {
  const program = findProgram({ PATH: programFolders.join(delimiter) }, 'prlimit');
  const most = (wanted: number, name: string): string => {
    const value = Math.min(wanted, readOwnLimit(name));
    return `${value}:${value}`;
  };
  const limits =
    program === null
      ? []
      : [
          program,
          // With 0 the memory would still be handed to a program that collects it, if the machine has one.
          `--core=${most(1, 'Max core file size')}`,
          `--fsize=${most(fileBytes, 'Max file size')}`,
          // Older kernels count all processes of the user, inside and outside.
          ...(isKernel(5, 14) ? [`--nproc=${most(processes, 'Max processes')}`] : []),
          '--',
        ];
  // A shell says, as anywhere, with 126 and 127 that a program could not be started.
  const script = 'echo 1000 2> /dev/null > /proc/self/oom_score_adj; exec "$@"';
  return [...limits, '/bin/sh', '-c', script, 'sh'];
}
