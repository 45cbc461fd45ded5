/**
 * Before all tests: builds the program as it is published, and the crash child beside it, so that end-to-end tests run
 * what users run and start it in a tenth of a second. Each test run has its own copy.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export function setup(): () => void {
  // Asked for by each of vitest's projects.
  if (process.env.GATEWRIGHT_TEST_PACKAGE !== undefined) return () => undefined;
  const folder = join(root, '.build', `package-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  execFileSync(
    process.execPath,
    [join(root, 'scripts', 'build.ts'), join(folder, 'dist'), 'test/support/crash-child.ts'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  for (const part of ['bin', 'prompts', 'templates', 'demo', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  process.env.GATEWRIGHT_TEST_PACKAGE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
