/**
 * One folder for all that a run of the tests or of the benches makes: below the folder for temporary files, so that a
 * run that is killed leaves nothing in the checkout. The next run removes what is left of those that have ended.
 */
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type RunKind = 'tests' | 'bench';

const root = join(import.meta.dirname, '..', '..');

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the folders of this user's runs that have ended without removing them. */
function sweep(kind: RunKind, parent: string): void {
  const name = new RegExp(`^gatewright-${kind}-(\\d+)-`, 'u');
  for (const entry of readdirSync(parent)) {
    const id = name.exec(entry)?.[1];
    if (id === undefined || isAlive(Number(id))) continue;
    const folder = join(parent, entry);
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeRunFolder(kind: RunKind, parent = tmpdir()): string {
  sweep(kind, parent);
  return realpathSync(mkdtempSync(join(parent, `gatewright-${kind}-${process.pid}-`)));
}

/** What all tests have at one time is a tenth of it. */
const enough = 1024 ** 3;

/**
 * Makes a folder in memory, if this machine has a place for it with enough room, in which programs can be run. The
 * thousands of small files that git makes take a sixth less time there, and the disk is not waited for. A person who sets
 * TMPDIR decides.
 */
export function makeQuickFolder(): string | null {
  const shared = '/dev/shm';
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return null;
  let trial: string | null = null;
  try {
    const { bavail, bsize } = statfsSync(shared);
    if (bavail * bsize < enough) return null;
    trial = mkdtempSync(join(shared, 'gatewright-trial-'));
    const script = join(trial, 'run');
    writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    execFileSync(script);
    return makeRunFolder('tests', shared);
  } catch {
    return null;
  } finally {
    if (trial !== null) rmSync(trial, { recursive: true, force: true });
  }
}

/** The folder that was made for this run, or the one for temporary files. */
export function findQuickFolder(): string {
  return process.env.GATEWRIGHT_TEST_QUICK ?? tmpdir();
}

/** What a program in that folder imports is found there. */
export function linkPackages(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
