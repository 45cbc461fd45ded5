/** The folders of ours that a command in a sandbox sees beside the system: programs, settings, the way out. */
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../../errors.ts';
import { optionsAt, readMounts } from './read-mounts.ts';

/** Where things are inside. */
export const inside = {
  home: '/home/worker',
  temporary: '/tmp',
  /** Ours: programs that stand elsewhere, settings that are made up, and the way out to the network. */
  own: '/run/gatewright',
  user: 'worker',
} as const;

/** Folders of settings. Not on it: passwords, keys, and what servers, git and npm are set to for the whole machine. */
export const settingFolders = [
  ...['alternatives', 'ssl/certs', 'pki/tls/certs', 'pki/ca-trust', 'crypto-policies', 'fonts'],
  ...['java-11-openjdk', 'java-17-openjdk', 'java-21-openjdk', 'java-25-openjdk'],
].filter((name) => existsSync(`/etc/${name}`));

/** Single settings; small files that everybody may read. */
const settingFiles = [
  ...['ld.so.cache', 'localtime', 'timezone', 'os-release', 'mime.types', 'protocols', 'services'],
  ...['ssl/openssl.cnf', 'ssl/cert.pem'],
];
const largestSetting = 4 * 1024 * 1024;

export interface OwnFolder {
  /** Seen inside as `inside.own`. */
  readonly shown: string;
  /** Seen inside as `/etc`. */
  readonly settings: string;
  /** For the code that builds the sandbox; nothing in it is seen inside. */
  readonly workshop: string;
  remove(): void;
}

/** Enough for programs to find out who they are and where "localhost" is, and nothing about this machine. */
function makeUpSettings(user: number, group: number): Readonly<Record<string, string>> {
  return {
    passwd: `${inside.user}:x:${user}:${group}::${inside.home}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    group: `${inside.user}:x:${group}:\nnogroup:x:65534:\n`,
    hosts: '127.0.0.1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  };
}

function fillSettings(folder: string, user: number, group: number): void {
  // What is mounted there needs a place that exists.
  for (const name of settingFolders) mkdirSync(join(folder, name), { recursive: true });
  for (const name of settingFiles) {
    const source = `/etc/${name}`;
    const facts = statSync(source, { throwIfNoEntry: false });
    if (facts === undefined || !facts.isFile() || facts.size > largestSetting) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(source, join(folder, name));
  }
  for (const [name, content] of Object.entries(makeUpSettings(user, group)))
    writeFileSync(join(folder, name), content);
}

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
};

/** The memory of the machine as a folder, on nearly every Linux. */
const inMemory = '/dev/shm';
const kindInMemory = 0x01021994;
/** Many times of what a sandbox needs; in some containers there are 64 MB for all. */
const leastBytes = 32 * 1024 * 1024;

function isUsable(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    // What the mount outside forbids is forbidden inside as well.
    const options = optionsAt(readMounts(), folder);
    return (
      type === kindInMemory &&
      bavail * bsize >= leastBytes &&
      options.includes('rw') &&
      !options.includes('noexec')
    );
  } catch {
    return false;
  }
}

/**
 * Where a sandbox is built. Its folders are about two hundred small files, links and places to mount at, which are removed
 * when the command has ended; on a disk they are half of the time that a sandbox takes. So: the folder for temporary files
 * that a person chose, else memory, else the usual one.
 */
export function boxPlace(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { TMPDIR = '', TMP = '', TEMP = '' } = environment;
  return TMPDIR + TMP + TEMP === '' && isUsable(inMemory) ? inMemory : tmpdir();
}

/** Others may share the folder for temporary files but not the numbers of processes. */
const longestWork = 24 * 60 * 60_000;

/** Removes what processes left that were ended before they could. The sandboxes themselves ended with them. */
export function sweepOwnFolders(now: number): void {
  for (const place of new Set([tmpdir(), boxPlace()]))
    for (const name of readdirSync(place)) {
      const id = /^gw-(?:box|home)-(\d+)-/u.exec(name)?.[1];
      const folder = join(place, name);
      const facts = id === undefined ? undefined : lstatSync(folder, { throwIfNoEntry: false });
      if (facts === undefined || facts.uid !== process.getuid?.() || isAlive(Number(id))) continue;
      if (now - facts.mtimeMs > longestWork) rmSync(folder, { recursive: true, force: true });
    }
}

/** A folder for temporary files that is known as ours, and whose, if we are ended before we can remove it. */
export function makeTemporaryFolder(kind: 'box' | 'home'): string {
  // A command may fill its home; what stands in the box is ours and small.
  const place = kind === 'box' ? boxPlace() : tmpdir();
  return mkdtempSync(join(place, `gw-${kind}-${process.pid}-`));
}

export function makeOwnFolder(
  identity: { readonly user: number; readonly group: number },
  programs: Readonly<Record<string, string>>,
  tools: {
    readonly programs: Readonly<Record<string, string>>;
    readonly settings: Readonly<Record<string, string>>;
  },
): OwnFolder {
  const folder = makeTemporaryFolder('box');
  const [shown, settings, workshop] = [join(folder, 'own'), join(folder, 'etc'), join(folder, 'workshop')];
  for (const one of [shown, settings, workshop, join(shown, 'bin'), join(shown, 'tools')]) mkdirSync(one);
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(shown, 'bin', name));
  for (const [name, file] of Object.entries(tools.programs)) symlinkSync(file, join(shown, 'tools', name));
  for (const [name, text] of Object.entries(tools.settings)) writeFileSync(join(shown, name), text);
  fillSettings(settings, identity.user, identity.group);
  return { shown, settings, workshop, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
