/** Red, then green, with real runs of a real test runner: what is not shown that way is not proven. */
import { afterEach, describe, expect, it } from 'vitest';
import { type CodingRun, withCodingContext } from '../../../../test/support/coding-world.ts';
import { FleetWorld } from '../../../../test/support/fleet-world.ts';
import { override } from '../../../../test/support/override.ts';
import { testRunners } from '../../../domain/changes/test-runners.ts';
import type { House } from '../../house.ts';
import { verifyCommit } from '../verify-commit.ts';
import { proveChange } from './prove-change.ts';
import type { Proof } from './rules/proof.ts';

let world: FleetWorld;
afterEach(() => world.remove());

const head =
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\n\n";
const oldTest = "test('adds', () => {\n  assert.strictEqual(add(1, 2), 3);\n});\n";
const newTest = "test('refuses text', () => {\n  assert.throws(() => add('1', 2));\n});\n";
const files = {
  'package.json': '{ "name": "demo", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
  'test/add.test.js': `${head}${oldTest}`,
};
const mended =
  "export function add(a, b) {\n  if (typeof a !== 'number') throw new TypeError('no number');\n  return a + b;\n}\n";
const command = ['node', '--test'];
const run = (): CodingRun => ({ runId: 'R1', subject: `${world.repository}#7`, own: world.own });

interface Scene {
  readonly change: Readonly<Record<string, string>>;
  readonly since?: 'head';
  readonly argv?: readonly string[];
}

async function open(): Promise<void> {
  world = await FleetWorld.open(files);
}

/** What a person sees of it too. */
async function prove(
  { change, since, argv = command }: Scene,
  house: House = world.house,
): Promise<{ proof: Proof; told: string[] }> {
  const base = world.git('rev-parse', 'main');
  const branch = `work-${world.git('for-each-ref').split('\n').length}`;
  const commit = world.branch(branch, change);
  return proveCommit(house, { base, commit, argv, since: since === undefined ? null : commit });
}

async function proveCommit(
  house: House,
  {
    base,
    commit,
    argv,
    since,
  }: { base: string; commit: string; argv: readonly string[]; since: string | null },
): Promise<{ proof: Proof; told: string[] }> {
  const told: string[] = [];
  const proof = await withCodingContext(
    house,
    run(),
    (context) =>
      proveChange(
        { ...context, trees: house.trees, workspaces: house.workspaces },
        {
          ...{ base, commit, since, steeringFrom: base, command: argv },
          runners: testRunners.filter(({ name }) => name === 'node:test'),
          verify: async (checked, progress) => [await verifyCommit({ ...context, progress }, argv, checked)],
        },
      ),
    (event) => {
      if (event.kind === 'checked') told.push(`${event.ok} ${event.name}`);
    },
  );
  return { proof, told };
}

async function entriesOf(kind: string): Promise<number> {
  const entries = await world.house.ledger.readSubject(run().subject);
  return entries.filter((entry) => entry.kind === kind).length;
}

describe('a change', () => {
  it('is proven when its tests fail without it and pass with it, and that is run once', async () => {
    await open();
    const change = { 'src/add.js': mended, 'test/add.test.js': `${head}${oldTest}\n${newTest}` };
    const base = world.git('rev-parse', 'main');
    const commit = world.branch('work', change);
    const { proof, told } = await proveCommit(world.house, { base, commit, argv: command, since: null });
    expect(proof).toMatchObject({
      ...{ isProven: true, reasons: [], redGreen: 'shown', newCases: 1, weakened: [] },
      counts: { runner: 'node:test', executed: 2, passed: 2 },
      without: { runner: 'node:test', executed: 2, failed: 1 },
    });
    expect(told).toEqual([
      'true node --test',
      'true node --test (its tests without the change, which should fail)',
    ]);
    const again = await proveCommit(world.house, { base, commit, argv: command, since: null });
    expect(again).toEqual({ proof, told: [] });
    expect([await entriesOf('change-proven'), await entriesOf('command-verified')]).toEqual([1, 2]);
    // No branch was made for it, and the files of the person are as they were.
    expect(world.git('branch', '--list').split('\n')).toHaveLength(2);
    expect(world.git('status', '--porcelain')).toBe('');
  });

  it('is read by git while its checks run; what git could not do is told when they have ended', async () => {
    await open();
    const base = world.git('rev-parse', 'main');
    const change = { 'src/add.js': mended, 'test/add.test.js': `${head}${oldTest}\n${newTest}` };
    const given = { base, commit: world.branch('work', change), argv: command, since: null };
    const { house } = world;
    let tellMade: () => void = () => undefined;
    const made = new Promise<void>((resolve) => {
      tellMade = resolve;
    });
    // The first check ends only when the commit with its tests alone is there.
    const commands = override(house.commands, {
      run: async (request) => {
        await made;
        return house.commands.run(request);
      },
    });
    const commit: House['workspaces']['commit'] = (request) =>
      house.workspaces.commit(request).finally(() => tellMade());
    const waiting = { ...house, commands, workspaces: override(house.workspaces, { commit }) };
    expect((await proveCommit(waiting, given)).proof.isProven).toBe(true);

    const another = { ...given, commit: world.branch('more', { ...change, 'README.md': 'More.\n' }) };
    const diff = (): never => {
      throw new Error('no diff');
    };
    const failing = { ...house, workspaces: override(house.workspaces, { diff }) };
    await expect(proveCommit(failing, another)).rejects.toThrow('no diff');
    expect(await entriesOf('command-verified')).toBe(3);
  });

  it('is run no second time when the run was killed before the result was written down', async () => {
    await open();
    const base = world.git('rev-parse', 'main');
    const commit = world.branch('work', {
      'src/add.js': mended,
      'test/add.test.js': `${head}${oldTest}\n${newTest}`,
    });
    const { ledger } = world.house;
    const mortal = override(ledger, {
      append: (...args) => {
        if (args[0].some(({ kind }) => kind === 'change-proven')) throw new Error('killed');
        return ledger.append(...args);
      },
    });
    const change = { base, commit, argv: command, since: null };
    await expect(proveCommit({ ...world.house, ledger: mortal }, change)).rejects.toThrow('killed');
    expect(await entriesOf('command-verified')).toBe(2);
    const { proof, told } = await proveCommit(world.house, change);
    expect([proof.isProven, told]).toEqual([true, []]);
    expect([await entriesOf('change-proven'), await entriesOf('command-verified')]).toEqual([1, 2]);
  });

  it('is not proven by tests that pass without it, that are not there, or that are weaker', async () => {
    await open();
    const idle = "test('is there', () => {\n  assert.ok(add);\n});\n";
    const passing = await prove({
      change: { 'src/add.js': mended, 'test/add.test.js': `${head}${oldTest}\n${idle}` },
    });
    expect(passing.proof).toMatchObject({ isProven: false, redGreen: 'not-red' });
    const untested = await prove({ change: { 'src/add.js': mended } });
    expect(untested.proof).toMatchObject({
      isProven: false,
      redGreen: 'no-tests-changed',
      counts: { executed: 1 },
    });
    const weaker = await prove({ change: { 'src/add.js': mended, 'test/add.test.js': `${head}${newTest}` } });
    expect(weaker.proof).toMatchObject({ isProven: false, redGreen: 'shown', newCases: 0 });
    expect(weaker.proof.reasons).toEqual(['It makes tests or checks weaker in 1 place.']);
    const looser = oldTest.replace('strictEqual(add(1, 2), 3)', 'ok(add(1, 2))');
    const weak = await prove({
      change: { 'src/add.js': mended, 'test/add.test.js': `${head}${looser}\n${newTest}` },
    });
    expect(weak.proof).toMatchObject({ isProven: false, redGreen: 'shown' });
    expect(weak.proof.weakened).toMatchObject([
      { path: 'test/add.test.js', line: 6, kind: 'assertion-weakened' },
    ]);
  });

  it('is not proven where no test ran, or none is reported', async () => {
    await open();
    const ends = await prove({
      change: { 'src/add.js': mended, 'test/add.test.js': `process.exit(0);\n${head}${oldTest}` },
    });
    expect(ends.proof).toMatchObject({
      isProven: false,
      redGreen: 'not-run',
      counts: { runner: 'node:test' },
    });
    const liar = { 'src/add.js': mended, 'test/add.test.js': "console.log('all tests passed');\n" };
    const said = await prove({ change: liar, argv: ['node', 'test/add.test.js'] });
    expect(said.proof).toMatchObject({
      isProven: false,
      redGreen: 'unknown-runner',
      counts: { runner: null, why: 'unknown' },
    });
    const broken = await prove({
      change: {
        'src/add.js': 'export const add = 1;\n',
        'test/add.test.js': `${head}${oldTest}\n${newTest}`,
      },
    });
    expect(broken.proof).toMatchObject({ isProven: false, redGreen: 'not-run' });
    expect(broken.proof.reasons[0]).toBe('The check fails: node --test.');
    // Each was run once: without a number or a pass nothing is compared.
    expect(await entriesOf('command-verified')).toBe(3);
  });

  it('is not proven by code that imitates the report of its runner and ends it', async () => {
    await open();
    const block = (count: number): string =>
      ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']
        .map((key) => `console.log('\\u2139 ${key} ${key === 'tests' || key === 'pass' ? count : 0}');`)
        .join('\n');
    const tests = { 'test/add.test.js': `${head}${oldTest}\n${newTest}` };
    const liar = await prove({
      change: { ...tests, 'src/add.js': `${block(2)}\nprocess.exit(0);\n${mended}` },
    });
    // Its own report is there too, since the runner is another process: the two contradict each other.
    expect(liar.proof).toMatchObject({ isProven: false, counts: { runner: null, why: 'unclear' } });
    // A runner in the same process would be gone; only the report of the code is left then.
    const alone = await prove({
      change: { ...tests, 'src/add.js': `${block(9)}\nprocess.exit(0);\n${mended}` },
      argv: ['node', 'test/add.test.js'],
    });
    expect(alone.proof).toMatchObject({ isProven: false, redGreen: 'not-red', counts: { executed: 9 } });
    expect(alone.proof.reasons).toEqual([
      'With the change 9 tests are reported and without it 2, although the test files are the same.',
    ]);
  });

  it('needs no test of its own where it changes text or tests alone, and none again where its tests are the same', async () => {
    await open();
    const text = await prove({ change: { 'README.md': 'How to add.\n' } });
    expect(text.proof).toMatchObject({ isProven: true, redGreen: 'not-run', counts: { executed: 1 } });
    const tests = await prove({
      change: { 'test/more.test.js': `${head}${oldTest.replace('adds', 'adds more')}` },
    });
    expect(tests.proof).toMatchObject({ isProven: true, redGreen: 'not-run', newCases: 1 });
    const both = { 'src/add.js': mended, 'test/add.test.js': `${head}${oldTest}\n${newTest}` };
    expect((await prove({ change: both, since: 'head' })).proof).toMatchObject({ redGreen: 'not-run' });
    expect(await entriesOf('command-verified')).toBe(3);
  });
});
