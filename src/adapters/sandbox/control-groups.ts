/**
 * Limits on memory and processor time for what runs in a sandbox, and the certainty that nothing of it is left: Linux control
 * groups, version 2 where a group was handed to us, version 1 where we may make one, else a scope of systemd. Without any
 * of them nothing is limited, and `doctor` says so.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface GroupLimits {
  readonly memoryBytes: number;
  /** Processors, as a number that may be broken: 1.5 is one and a half. */
  readonly processors: number;
}

/** The machine stays usable, whatever a test or a coding agent does. */
export function usualGroupLimits(processors: number, memory = totalmem()): GroupLimits {
  return { memoryBytes: Math.floor(memory * 0.75), processors: Math.max(0.5, processors * 0.9) };
}

/** A group of one command. */
export interface ControlGroup {
  /** The words before those of the command, which put it into the group. */
  readonly enter: readonly string[];
  /** Whether the kernel ended something in it for want of memory. */
  ranOutOfMemory(): boolean;
  /** Ends what is still in it, and removes it. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  make(): ControlGroup;
}

interface Mounted {
  readonly place: string;
  /** The group that is shown there; `/` unless only a part is. */
  readonly root: string;
  readonly options: readonly string[];
}

function listMounts(mountinfo: string, type: string): Mounted[] {
  return mountinfo
    .split('\n')
    .map((line) => line.split(' - '))
    .filter(([, after = '']) => after.split(' ')[0] === type)
    .map(([before = '', after = '']) => {
      const fields = before.split(' ');
      return {
        root: fields[3] ?? '/',
        place: fields[4] ?? '',
        options: (after.split(' ')[2] ?? '').split(','),
      };
    });
}

/** Where our own group is seen; null where it is not. */
function folderOf({ root, place }: Mounted, group: string): string | null {
  if (root === '/') return join(place, group);
  return group === root || group.startsWith(`${root}/`) ? join(place, group.slice(root.length)) : null;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const readWords = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split(/\s+/u);
  } catch {
    return [];
  }
};

interface Kernel {
  readonly mountinfo: string;
  /** `/proc/self/cgroup`. */
  readonly own: string;
}

function readKernel(): Kernel {
  return {
    mountinfo: readFileSync('/proc/self/mountinfo', 'utf8'),
    own: readFileSync('/proc/self/cgroup', 'utf8'),
  };
}

/** The nearest group above ours in which we may make others with limits of their own. */
function findSecondVersion({ mountinfo, own }: Kernel): string | null {
  const group = /^0::(\/.*)$/mu.exec(own)?.[1];
  const [mounted] = listMounts(mountinfo, 'cgroup2');
  const start = group === undefined || mounted === undefined ? null : folderOf(mounted, group);
  if (start === null || mounted === undefined) return null;
  for (let folder = start; folder.startsWith(mounted.place); folder = dirname(folder)) {
    const controllers = readWords(join(folder, 'cgroup.subtree_control'));
    const isOurs = isWritable(folder) && isWritable(join(folder, 'cgroup.procs'));
    if (isOurs && controllers.includes('memory') && controllers.includes('cpu')) return folder;
    if (folder === mounted.place) break;
  }
  return null;
}

/** Our own group of one controller. */
function findFirstVersion({ mountinfo, own }: Kernel, controller: string): string | null {
  const line = own.split('\n').find((one) => one.split(':')[1]?.split(',').includes(controller) === true);
  const mounted = listMounts(mountinfo, 'cgroup').find(({ options }) => options.includes(controller));
  const folder =
    line === undefined || mounted === undefined
      ? null
      : folderOf(mounted, line.split(':').slice(2).join(':'));
  return folder !== null && isWritable(folder) ? folder : null;
}

const prefix = 'gatewright-';
let made = 0;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** What processes that were killed have left; the kernel removes no group by itself. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid = ''] = /^gatewright-(\d+)-\d+$/u.exec(name) ?? [];
    if (pid === '' || !isGone(Number(pid))) continue;
    try {
      rmdirSync(join(folder, name));
    } catch {
      // Something is still in it; another sweep finds it empty.
    }
  }
}

const enterScript =
  'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"';
/** The kernel takes a moment to end a process. */
const removeTries = 100;

function killAll(folder: string): void {
  for (const pid of readWords(join(folder, 'cgroup.procs')).map(Number)) {
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

async function removeGroup(folder: string): Promise<void> {
  for (let count = 0; existsSync(folder) && count < removeTries; count += 1) {
    killAll(folder);
    try {
      rmdirSync(folder);
    } catch {
      await sleep(20);
    }
  }
}

type Setting = readonly [file: string, value: string];

/** In each folder a group of the same name, with its settings. */
class GroupMaker implements ControlGroups {
  readonly #parents: ReadonlyMap<string, readonly Setting[]>;
  readonly #eventsFile: string;

  constructor(parents: ReadonlyMap<string, readonly Setting[]>, eventsFile: string) {
    this.#parents = parents;
    this.#eventsFile = eventsFile;
  }

  make(): ControlGroup {
    made += 1;
    const folders = [...this.#parents].map(([parent, settings]) => {
      sweep(parent);
      const folder = join(parent, `${prefix}${process.pid}-${made}`);
      mkdirSync(folder);
      for (const [file, value] of settings) writeFileSync(join(folder, file), value);
      return folder;
    });
    const [first = ''] = folders;
    return {
      enter: ['/bin/sh', '-c', enterScript, 'sh', ...folders, '--'],
      ranOutOfMemory: () => {
        const words = readWords(join(first, this.#eventsFile));
        const at = words.indexOf('oom_kill');
        return at >= 0 && Number(words[at + 1]) > 0;
      },
      remove: async () => {
        await Promise.all(folders.map(removeGroup));
      },
    };
  }
}

const period = 100_000;

/** The way there is to limit a command here, tried out; or why there is none. */
export async function findControlGroups(
  limits: GroupLimits,
  kernel: Kernel = readKernel(),
): Promise<ControlGroups | string> {
  const memory = String(limits.memoryBytes);
  const quota = String(Math.floor(limits.processors * period));
  const second = findSecondVersion(kernel);
  const candidates: GroupMaker[] = [];
  if (second !== null) {
    const settings: Setting[] = [
      ['memory.max', memory],
      ['cpu.max', `${quota} ${period}`],
    ];
    candidates.push(new GroupMaker(new Map([[second, settings]]), 'memory.events'));
  }
  const [memoryFolder, processorFolder] = ['memory', 'cpu'].map((name) => findFirstVersion(kernel, name));
  if (memoryFolder != null && processorFolder != null) {
    const parents = new Map<string, readonly Setting[]>([
      [memoryFolder, [['memory.limit_in_bytes', memory]]],
      [
        processorFolder,
        [
          ['cpu.cfs_period_us', String(period)],
          ['cpu.cfs_quota_us', quota],
        ],
      ],
    ]);
    candidates.push(new GroupMaker(parents, 'memory.oom_control'));
  }
  const reasons: string[] = [];
  for (const candidate of candidates) {
    try {
      await candidate.make().remove();
      return candidate;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  return reasons.join('; ') || 'no control group with memory and cpu is delegated to this user';
}
