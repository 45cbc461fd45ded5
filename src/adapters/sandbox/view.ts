/**
 * What a command in a sandbox sees of this machine: the system's programs and libraries, read-only; the parts of its
 * settings that programs need; what was granted; and folders of its own that are removed afterwards. It lists what is
 * visible, so everything that is not on the list stays hidden.
 */
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { SandboxPolicy } from '../../ports/sandbox.ts';
import type { FoundTools } from './find-tools.ts';
import { inside, type OwnFolder, settingFolders } from './scratch-folder.ts';
import { forgePrograms, isBelow, isWithin, programFolders, systemPaths } from './system-paths.ts';

export type Mount =
  /** A file or folder of this machine, at the same place or at another. */
  | { readonly kind: 'read-only' | 'writable'; readonly from: string; readonly at: string }
  /** A folder in memory. */
  | { readonly kind: 'fresh'; readonly at: string }
  /** A file or folder that is there and holds nothing. */
  | { readonly kind: 'hidden'; readonly at: string; readonly isFolder: boolean }
  | { readonly kind: 'link'; readonly target: string; readonly at: string };

/** What npm is set to for everybody here; it may hold a token. */
const machineSettings = ['/usr/etc/npmrc', '/usr/local/etc/npmrc'];

/** Where programs are looked for inside. */
export function searchPathOf(tools: FoundTools): string {
  const all = [`${inside.own}/bin`, ...tools.searchPath, `${inside.own}/tools`, ...programFolders];
  return all.join(':');
}

/** A path of the system as it is: a link stays a link, or programs would be there twice. */
function showAsItIs(path: string): Mount[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isSymbolicLink()) return [{ kind: 'link', target: readlinkSync(path), at: path }];
  return [{ kind: 'read-only', from: path, at: path }];
}

function hideForgePrograms({ searchPath, places }: FoundTools): Mount[] {
  const found = [...programFolders, ...searchPath].flatMap((folder) =>
    forgePrograms.map((name) => join(folder, name)).filter((file) => existsSync(file)),
  );
  const files = new Set([...found, ...machineSettings.filter(existsSync)].map((file) => realpathSync(file)));
  return [...files]
    .flatMap((file) => [
      ...(isWithin(file, '/usr') ? [file] : []),
      ...places
        .filter(({ from }) => isWithin(file, from))
        .map(({ from, at }) => `${at}${file.slice(from.length)}`),
    ])
    .map((at) => ({ kind: 'hidden', at, isFolder: false }));
}

/** What is there of the tools, and what of it is covered. */
function showTools({ places, homeFiles, concealed }: FoundTools): Mount[] {
  return [
    ...[...places, ...homeFiles].map((place) => ({ kind: 'read-only' as const, ...place })),
    ...concealed.map(({ from, at }) => ({
      ...{ kind: 'hidden' as const, at, isFolder: lstatSync(from).isDirectory() },
    })),
  ];
}

const hasPackageFile = (folder: string): boolean => existsSync(join(folder, 'package.json'));

/** The folder of the package that a program belongs to; only the file itself where there is none. */
function packageOf(file: string): string {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    // A package that people develop in their home is not an installed package.
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

/** Another program may change the folder around this place, so it is checked that the place is really a plain folder. */
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
  readonly tools: FoundTools;
  /** What is never seen, even below a folder that was granted. */
  readonly hidden: readonly string[];
}

/** In the order in which they have to be made: a folder comes before what is in it. */
export function planView(policy: SandboxPolicy, { own, programs, tools, hidden }: ViewParts): Mount[] {
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
    .filter((path) => [...grants, ...tools.places].some(({ at }) => isBelow(path, at)))
    .map((at) => ({ kind: 'hidden' as const, at, isFolder: lstatSync(at).isDirectory() }));
  const all: Mount[] = [
    ...systemPaths.flatMap(showAsItIs),
    { kind: 'read-only', from: own.settings, at: '/etc' },
    ...settingFolders.map((name) => ({
      ...{ kind: 'read-only' as const, from: realpathSync(`/etc/${name}`), at: `/etc/${name}` },
    })),
    ...[inside.temporary, inside.home, '/var/tmp'].map((at) => ({ kind: 'fresh' as const, at })),
    { kind: 'read-only', from: own.shown, at: inside.own },
    ...showTools(tools),
    ...programs
      .filter((file) => !tools.shown.some((one) => isWithin(realpathSync(file), one)))
      .flatMap(showProgram),
    ...grants,
    ...hideForgePrograms(tools),
    ...concealed,
  ];
  // The last mount of a place counts: a folder granted for writing may also be in the list of readable ones.
  const byPlace = new Map(all.map((mount) => [mount.at, mount]));
  return [...byPlace.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}
