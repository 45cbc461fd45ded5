/**
 * Before all tests: builds the program as it is published, and the crash child beside it, so that end-to-end tests run
 * what users run and start it in a tenth of a second. Each test run has its own copy.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookForNetwork } from '../world/private-network.ts';
import { whyNoSandbox } from './needs-sandbox.ts';
import { linkPackages, makeQuickFolder, makeRunFolder } from './run-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** Tests ask for it by a variable: each would have to try it out otherwise. */
async function lookForSandbox(): Promise<void> {
  const why = await whyNoSandbox();
  process.env.GATEWRIGHT_TEST_NO_SANDBOX = why ?? '';
  if (why !== null && process.env.CI !== 'true')
    process.stderr.write(`Tests that need a sandbox are left out: this machine has none (${why}).\n`);
}

/** The same for the little internet of test/world. */
function lookForNamespaces(): void {
  const why = lookForNetwork();
  process.env.GATEWRIGHT_TEST_NO_NETWORK = why ?? '';
  if (why !== null && process.env.CI !== 'true')
    process.stderr.write(`test/world is left out: this machine makes no namespaces (${why}).\n`);
}

export async function setup(): Promise<() => void> {
  // Asked for by each of vitest's projects.
  if (process.env.GATEWRIGHT_TEST_PACKAGE !== undefined) return () => undefined;
  const folder = makeRunFolder('tests');
  execFileSync(
    process.execPath,
    [join(root, 'scripts', 'build.ts'), join(folder, 'dist'), 'test/support/crash-child.ts'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  for (const part of ['bin', 'prompts', 'templates', 'demo', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  linkPackages(folder);
  const quick = makeQuickFolder();
  if (quick !== null) process.env.GATEWRIGHT_TEST_QUICK = quick;
  // All that tests make lies there and is removed with it.
  process.env.TMPDIR = join(folder, 'tmp');
  // Each file of tests has a new process, which loads much the same as the others.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  mkdirSync(process.env.TMPDIR);
  process.env.GATEWRIGHT_TEST_PACKAGE = folder;
  await lookForSandbox();
  lookForNamespaces();
  return () => {
    for (const one of [folder, quick]) if (one !== null) rmSync(one, { recursive: true, force: true });
  };
}
