/** Runs of the tests and of the benches that are killed leave nothing in the checkout; what they made elsewhere, the next run removes. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeRunFolder } from './support/run-folder.ts';

const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** Everything in the checkout that is not committed, ignored or not; not what lies in folders that are ignored as a whole. */
function look(): string {
  const words = ['status', '--porcelain', '--ignored'];
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' });
}

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'gw-killed-'));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

/** Starts a program with a folder for temporary files of its own, and kills it and all that it started. */
async function kill(words: readonly string[], isUnderWay: (said: string) => boolean): Promise<void> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { PATH, HOME, TMPDIR: temporary, NO_COLOR: '1', BENCH_SCALE: '0.1' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString('utf8');
    });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect.poll(() => isUnderWay(said), { timeout: 120_000, interval: 20 }).toBe(true);
  expect(child.exitCode, said).toBe(null);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
}

const made = () => readdirSync(temporary).filter((name) => name.startsWith('gatewright-'));

const tests = [
  'run',
  '--root',
  root,
  '--maxWorkers=2',
  'test/e2e/scenarios.test.ts',
  'test/e2e/modes.test.ts',
];

it.each<[string, readonly string[], (said: string) => boolean]>([
  ['tests, while the program is built', [vitest, ...tests], () => made().length > 0],
  [
    'tests, in the middle',
    [vitest, ...tests, '--reporter=verbose'],
    (said) => (said.match(/✓/gu) ?? []).length > 3,
  ],
  ['benches', ['bench/run.ts', 'whole-run'], (said) => said.includes('whole-run …')],
])('%s', async (_, words, isUnderWay) => {
  const before = look();
  await kill(words, isUnderWay);
  // Processes that were started by those that were killed may still be at work.
  await wait(500);
  expect(look()).toBe(before);
  const left = made();
  expect(left).toHaveLength(1);
  const kind = left[0]?.startsWith('gatewright-bench-') === true ? 'bench' : 'tests';
  const outer = process.env.TMPDIR;
  try {
    process.env.TMPDIR = temporary;
    const next = makeRunFolder(kind);
    expect(made().map((name) => join(temporary, name))).toEqual([next]);
  } finally {
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
  }
});
