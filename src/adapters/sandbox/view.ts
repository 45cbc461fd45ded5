/**
 * What a command in a sandbox sees of this machine: the system's programs and libraries, read-only; the parts of its
 * settings that programs cannot do without; what was granted; and folders of its own that are gone afterwards. It is a list
 * of what is there, so that whatever nobody thought of is not.
 */
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { SandboxPolicy } from '../../ports/sandbox.ts';
import { inside, type OwnFolder, settingFolders } from './own-folder.ts';

export type Mount =
  /** A file or folder of this machine, at the same place or at another. */
  | { readonly kind: 'read-only' | 'writable'; readonly from: string; readonly at: string }
  /** A folder in memory. */
  | { readonly kind: 'fresh'; readonly at: string }
  /** A file or folder that is there and holds nothing. */
  | { readonly kind: 'hidden'; readonly at: string; readonly isFolder: boolean }
  | { readonly kind: 'link'; readonly target: string; readonly at: string };

const systemPaths = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Programs that speak to a forge; they would find no credential, and they are not to be found either. */
const forgePrograms = ['gh', 'hub', 'glab'];
const programFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Where programs are looked for inside. */
export const searchPath = [`${inside.own}/bin`, ...programFolders].join(':');

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

/** A path of the system as it is: a link stays a link, or programs would be there twice. */
function showAsItIs(path: string): Mount[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isSymbolicLink()) return [{ kind: 'link', target: readlinkSync(path), at: path }];
  return [{ kind: 'read-only', from: path, at: path }];
}

function hideForgePrograms(): Mount[] {
  const found = programFolders.flatMap((folder) =>
    forgePrograms.map((name) => join(folder, name)).filter((file) => existsSync(file)),
  );
  const files = new Set(found.map((file) => realpathSync(file)));
  return [...files]
    .filter((file) => isWithin(file, '/usr'))
    .map((at) => ({ kind: 'hidden', at, isFolder: false }));
}

const hasPackageFile = (folder: string): boolean => existsSync(join(folder, 'package.json'));

/** The folder of the package that a program belongs to; only the file itself where there is none. */
function packageOf(file: string): string {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    // A package that people work on in their home is no package that was installed.
    if (hasPackageFile(folder))
      return basename(dirname(folder)) === 'node_modules' || isScoped(folder) ? folder : file;
  }
  return file;
}

function isScoped(folder: string): boolean {
  const scope = dirname(folder);
  return basename(scope).startsWith('@') && basename(dirname(scope)) === 'node_modules';
}

/** What a program needs of the place where it stands, beside the system. */
function showProgram(file: string): Mount[] {
  const real = realpathSync(file);
  if (systemPaths.some((path) => isWithin(real, path))) return [];
  const from = packageOf(real);
  return [{ kind: 'read-only', from, at: from }];
}

type Grant = Extract<Mount, { readonly from: string }>;

/** The place may be in a folder that somebody else changes, so it has to be the folder that it seems to be. */
function showElsewhere({ from, at }: { readonly from: string; readonly at: string }): Grant {
  const status = lstatSync(at, { throwIfNoEntry: false });
  if (realpathSync(dirname(at)) !== dirname(at) || (status !== undefined && !status.isDirectory()))
    throw new GatewrightError('path-outside-root', `${at} is not a plain folder.`);
  mkdirSync(at, { recursive: true });
  return { kind: 'read-only', from: realpathSync(from), at };
}

export interface ViewParts {
  readonly own: Pick<OwnFolder, 'shown' | 'settings'>;
  /** Programs that have to be there, wherever they stand. */
  readonly programs: readonly string[];
  /** What is never seen, even below a folder that was granted. */
  readonly hidden: readonly string[];
}

/** In the order in which they have to be made: a folder comes before what is in it. */
export function planView(policy: SandboxPolicy, { own, programs, hidden }: ViewParts): Mount[] {
  const asItIs = (kind: 'read-only' | 'writable', path: string): Grant => {
    const real = realpathSync(path);
    return { kind, from: real, at: real };
  };
  const grants: Grant[] = [
    ...(policy.readable ?? []).map((grant) =>
      typeof grant === 'string' ? asItIs('read-only', grant) : showElsewhere(grant),
    ),
    ...policy.writable.map((path) => asItIs('writable', path)),
  ];
  const concealed = hidden
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => grants.some(({ at }) => isBelow(path, at)))
    .map((at) => ({ kind: 'hidden' as const, at, isFolder: lstatSync(at).isDirectory() }));
  const all: Mount[] = [
    ...systemPaths.flatMap(showAsItIs),
    { kind: 'read-only', from: own.settings, at: '/etc' },
    ...settingFolders.map((name) => ({
      ...{ kind: 'read-only' as const, from: realpathSync(`/etc/${name}`), at: `/etc/${name}` },
    })),
    ...[inside.temporary, inside.home, '/var/tmp'].map((at) => ({ kind: 'fresh' as const, at })),
    { kind: 'read-only', from: own.shown, at: inside.own },
    ...programs.flatMap(showProgram),
    ...grants,
    ...hideForgePrograms(),
    ...concealed,
  ];
  // The last word about a place counts: what is granted for writing may also be in a list of what is to be read.
  const byPlace = new Map(all.map((mount) => [mount.at, mount]));
  return [...byPlace.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}
