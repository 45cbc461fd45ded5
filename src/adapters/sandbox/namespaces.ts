/** Shuts commands in with Linux namespaces, through the tools of util-linux that nearly every distribution has. */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listCoveredProc } from './covered-proc.ts';
import type { EnclosedCommand, Enclosure } from './enclosure.ts';
import { namespaceScript } from './namespace-script.ts';
import { type Mounts, optionsAt, readMounts } from './read-mounts.ts';
import { inside } from './scratch-folder.ts';
import { isBelow } from './system-paths.ts';
import type { Mount } from './view.ts';

/** Programs that have to be there. */
export const namespaceTools = ['setpriv', 'unshare', 'mount', 'umount', 'pivot_root'] as const;

const always = ['nosuid', 'nodev'];

/** One line of a table of mounts; what would end a word is written as a number. */
function line(from: string, at: string, type: string, options: readonly string[]): string {
  const word = (text: string): string =>
    text.replaceAll(/[\\\s#]/gu, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `${word(from)} ${word(at)} ${type} ${options.join(',')} 0 0\n`;
}

function describeMount(mount: Mount, root: string, mounts: Mounts): string[] {
  const at = `${root}${mount.at}`;
  switch (mount.kind) {
    case 'read-only':
    case 'writable': {
      const bind = (from: string, to: string): string => {
        // Restrictions of the mount outside cannot be removed inside: the kernel refuses a mount that tries.
        const kept = optionsAt(mounts, from).filter((option) => option === 'noexec' || option === 'ro');
        const own = mount.kind === 'read-only' ? ['ro', ...always] : always;
        return line(from, to, 'none', ['rbind', ...new Set([...own, ...kept])]);
      };
      // The options count for the first mount only; what is mounted below it is put there once more.
      const below = [...mounts.keys()].filter((place) => isBelow(place, mount.from));
      return [
        bind(mount.from, at),
        ...below.map((place) => bind(place, `${at}${place.slice(mount.from.length)}`)),
      ];
    }
    case 'fresh':
      return [line('none', at, 'tmpfs', [`mode=${mount.at === inside.temporary ? 1777 : 755}`, ...always])];
    case 'hidden':
      return mount.isFolder
        ? [line('none', at, 'tmpfs', ['mode=555', 'ro', 'size=4k', ...always])]
        : [line('/dev/null', at, 'none', ['bind', 'ro'])];
    case 'link':
      return [];
  }
}

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

function describeSystem(root: string): { readonly first: string[]; readonly last: string[] } {
  const devicesAt = join(root, 'dev');
  const proc = join(root, 'proc');
  const { folders, files } = listCoveredProc();
  return {
    first: [
      // Read-only keeps owners from changing the rights of devices for everybody; writing to one is something else.
      ...devices.map((name) => line(`/dev/${name}`, join(devicesAt, name), 'none', ['bind', 'ro'])),
      line('none', join(devicesAt, 'pts'), 'devpts', [
        'newinstance',
        'ptmxmode=0666',
        'mode=620',
        'nosuid',
        'noexec',
      ]),
      line('none', join(devicesAt, 'shm'), 'tmpfs', ['mode=1777', ...always]),
      line('proc', proc, 'proc', [...always, 'noexec']),
    ],
    last: [
      ...folders.map((name) =>
        line(join(proc, name), join(proc, name), 'none', ['rbind', 'ro', ...always, 'noexec']),
      ),
      ...files.map((name) => line('/dev/null', join(proc, name), 'none', ['bind', 'ro'])),
    ],
  };
}

function makeSkeleton(root: string): void {
  for (const name of ['dev/pts', 'dev/shm', 'proc', '.outside'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of devices) writeFileSync(join(root, 'dev', name), '');
  const links = { ptmx: 'pts/ptmx', fd: '/proc/self/fd' };
  const streams = { stdin: '/proc/self/fd/0', stdout: '/proc/self/fd/1', stderr: '/proc/self/fd/2' };
  for (const [name, target] of Object.entries({ ...links, ...streams }))
    symlinkSync(target, join(root, 'dev', name));
}

const isFolder = (mount: Mount): boolean =>
  mount.kind === 'fresh' ||
  (mount.kind === 'hidden' ? mount.isFolder : mount.kind !== 'link' && statSync(mount.from).isDirectory());

interface Prepared {
  readonly first: readonly string[];
  /** Places in folders that are only there once they are mounted. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly last: readonly string[];
}

/** Makes the places where something is mounted, as far as they can be made from outside, and the tables. */
function prepareView(view: readonly Mount[], root: string): Prepared {
  const mounts = readMounts();
  const system = describeSystem(root);
  const prepared = { first: [line(root, root, 'none', ['bind', 'ro', ...always])], folders: [] as string[] };
  const [files, last]: [string[], string[]] = [[], []];
  for (const [index, mount] of view.entries()) {
    const at = `${root}${mount.at}`;
    const around = view.slice(0, index).findLast((one) => isBelow(mount.at, one.at));
    const isLate = around?.kind === 'fresh';
    (around === undefined ? prepared.first : last).push(...describeMount(mount, root, mounts));
    if (isLate) {
      prepared.folders.push(isFolder(mount) ? at : dirname(at));
      if (!isFolder(mount)) files.push(at);
    } else if (around === undefined) {
      mkdirSync(isFolder(mount) ? at : dirname(at), { recursive: true });
      if (mount.kind === 'link') symlinkSync(mount.target, at);
      else if (!isFolder(mount)) writeFileSync(at, '');
    }
  }
  return { ...prepared, first: [...prepared.first, ...system.first], files, last: [...last, ...system.last] };
}

export function makeNamespaces(setpriv: string, unshare: string): Enclosure {
  return {
    kind: 'namespaces',
    wrap: ({ argv, folder, view, identity, workshop, processes }: EnclosedCommand) => {
      const root = join(workshop, 'root');
      const table = join(workshop, 'table');
      makeSkeleton(root);
      const { first, folders, files, last } = prepareView(view, root);
      writeFileSync(`${table}.first`, first.join(''));
      writeFileSync(`${table}.last`, last.join(''));
      return [
        setpriv,
        // It ends when we do, however we end.
        ...['--pdeathsig', 'KILL', '--', unshare],
        ...['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--net', '--uts', '--cgroup'],
        ...['--fork', '--kill-child', '--', '/bin/sh', '-c', namespaceScript, 'sandbox'],
        ...[root, folder, String(identity.user), String(identity.group), table, String(processes ?? 0)],
        ...[...folders, '--', ...files, '--'],
        ...argv,
      ];
    },
  };
}
