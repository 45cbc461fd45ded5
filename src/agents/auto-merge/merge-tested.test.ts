/** The merge queue on the local forge: real git, and the project's own tests really run with node. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isExhaustive, isLong } from '../../../test/support/crash-everywhere.ts';
import { cutOffEverywhere } from '../../../test/support/cut-off-everywhere.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import {
  openReadyPullRequest,
  recordReview,
  setLabel,
  setLabelAgain,
} from '../../../test/support/reviewed-pull-request.ts';
import { openDatabase } from '../../adapters/sqlite/database.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';

/** Green as long as not more than one of the parts is there, and nothing is called bad. */
const check = `import { readdirSync } from 'node:fs';
import assert from 'node:assert';
const names = readdirSync('.');
assert.ok(names.filter((name) => name.startsWith('part-')).length < 2, 'too many parts \`\`\` @alice');
assert.ok(!names.some((name) => name.startsWith('bad')));
`;

let world: FleetWorld;
beforeEach(async () => {
  const first = await FleetWorld.open({ 'check.mjs': check });
  world = await first.reopen({ GATEWRIGHT_VERIFY: 'node check.mjs' });
});
afterEach(() => world.remove());

const wakeFor = (number: number) =>
  world.event('unlabeled', { number, isPullRequest: true, label: 'something' });

async function open(...names: readonly string[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of names)
    numbers.push((await openReadyPullRequest(world, name, { [`${name}.txt`]: `${name}\n` })).number);
  return numbers;
}

const alice = () => world.as('alice');
const stateOf = async (number: number) =>
  (await (await alice()).getPullRequest(world.repository, number)).state;
const commentsOf = async (number: number) => (await alice()).listComments(world.repository, number);

async function statesOf(numbers: readonly number[]): Promise<string[]> {
  return Promise.all(numbers.map(stateOf));
}

async function ends(number: number): Promise<string[]> {
  return (await world.entries(number)).flatMap((entry) =>
    entry.kind === 'run-ended' ? [entry.data.reason.message] : [],
  );
}

/** Test runs, with what came of them. */
async function exits(numbers: readonly number[]): Promise<(number | null)[]> {
  const entries = (await Promise.all(numbers.map((number) => world.entries(number)))).flat();
  return entries.flatMap((entry) => (entry.kind === 'command-verified' ? [entry.data.exitCode] : []));
}

/** Whether the tests pass on every commit that the base ever was at, one by one. */
function isBaseGreen(): boolean[] {
  const { playground } = world;
  const commits = playground.git('rev-list', '--reverse', 'main').split('\n').slice(1);
  return commits.map((commit) => {
    const names = playground.git('ls-tree', '--name-only', commit).split('\n');
    return (
      names.filter((name) => name.startsWith('part-')).length < 2 &&
      !names.some((name) => name.startsWith('bad'))
    );
  });
}

function commit(path: string, branch: string): void {
  const { playground } = world;
  playground.git('checkout', '--quiet', branch);
  playground.write(path, 'x\n');
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', `Write ${path}`);
  playground.git('checkout', '--quiet', 'main');
}

/** Every commit that the base ever was at, oldest first. */
const basesOf = (): string[] =>
  world.playground.git('reflog', 'show', '--format=%H', 'main').split('\n').toReversed();

/** Whatever the base was at after the first few was tested as it was, file by file. */
async function expectTested(numbers: readonly number[], after: number): Promise<void> {
  const treeOf = (one: string) => world.playground.git('rev-parse', `${one}^{tree}`);
  const entries = (await Promise.all(numbers.map((number) => world.entries(number)))).flat();
  const green = entries.flatMap((entry) =>
    entry.kind === 'command-verified' && entry.data.exitCode === 0 ? [treeOf(entry.data.commit)] : [],
  );
  const bases = basesOf().slice(after);
  expect(bases.length).toBeGreaterThan(0);
  for (const one of bases) expect(green).toContain(treeOf(one));
}

describe('merging with a command that verifies', () => {
  it('tests several together and merges them in one move, each as a commit of its own', async () => {
    const numbers = await open('a', 'b', 'c', 'd', 'e', 'f');
    const before = basesOf().length;
    await world.deliver(...numbers.map(wakeFor));
    expect(await statesOf(numbers)).toEqual(Array(6).fill('merged'));
    // Five at once, then the sixth.
    expect(await exits(numbers)).toEqual([0, 0]);
    expect(await ends(1)).toContain('merged #1, #2, #3, #4, #5');
    expect(world.playground.git('log', '--format=%s', 'main').split('\n').slice(0, 6)).toEqual(
      ['f', 'e', 'd', 'c', 'b', 'a'].map((name, index) => `Work on ${name} (#${6 - index})`),
    );
    expect(basesOf()).toHaveLength(before + 2);
    await expectTested(numbers, before);
  });

  it('finds the one that breaks things, merges the others, and says so once', {
    timeout: 180_000,
  }, async () => {
    const numbers = await open('a', 'b', 'bad-one', 'c');
    await world.deliver(...numbers.map(wakeFor));
    expect(await statesOf(numbers)).toEqual(['merged', 'merged', 'open', 'merged']);
    await world.deliver(wakeFor(3), wakeFor(3));
    const [comment, ...more] = await commentsOf(3);
    expect(more).toEqual([]);
    expect(comment?.body).toMatch(/^Not merged: with [0-9a-f]{12} on top of main at [0-9a-f]{12} \(/u);
    expect(comment?.body).toContain('`node check.mjs` fails.');
    expect(isBaseGreen()).toEqual(Array(isBaseGreen().length).fill(true));
    // It spoils no other batch.
    const before = (await exits([1, 2, 3, 4])).length;
    const [next = 0] = await open('g');
    await world.deliver(wakeFor(next));
    expect(await exits([next])).toEqual([0]);
    expect((await exits([1, 2, 3, 4])).length).toBe(before);
  });

  it('lets in only one of two that break together', async () => {
    const numbers = await open('part-one', 'part-two');
    await world.deliver(...numbers.map(wakeFor));
    expect(await statesOf(numbers)).toEqual(['merged', 'open']);
    const [comment] = await commentsOf(2);
    expect(comment?.body).toContain('(Work on part-one (\\#&#8203;1))');
    expect(comment?.body).toContain('too many parts');
    expect(comment?.body.match(/^`{4}/gmu)).toHaveLength(2);
    expect(await commentsOf(1)).toEqual([]);
    expect(isBaseGreen().every(Boolean)).toBe(true);
    // Fixed, it goes in.
    world.playground.git('checkout', '--quiet', 'part-two');
    world.playground.git('mv', 'part-two.txt', 'piece.txt');
    world.playground.git('commit', '--quiet', '--message', 'Another name');
    const head = world.playground.git('rev-parse', 'HEAD');
    world.playground.git('checkout', '--quiet', 'main');
    await recordReview(world, { number: 2, head });
    await setLabelAgain(world, 2, 'auto-merge');
    await world.deliver(wakeFor(2));
    expect(await stateOf(2)).toBe('merged');
  });

  it('tests again when its base moved while it was tested', async () => {
    const [number = 0] = await open('part-one');
    const { commands } = world.house;
    const run = commands.run.bind(commands);
    let runs = 0;
    commands.run = async (request) => {
      runs += 1;
      const result = await run(request);
      if (runs === 1) commit('part-two.txt', 'main');
      return result;
    };
    await world.deliver(wakeFor(number));
    commands.run = run;
    expect(runs).toBe(2);
    expect(await stateOf(number)).toBe('open');
    expect(await ends(number)).toEqual([expect.stringContaining('breaks the tests')]);
    expect(isBaseGreen().every(Boolean)).toBe(true);
  });

  it('merges nothing that was pushed to, held or objected to while it was tested', async () => {
    const numbers = await open('a', 'b', 'c');
    const { commands } = world.house;
    const run = commands.run.bind(commands);
    let runs = 0;
    commands.run = async (request) => {
      runs += 1;
      const result = await run(request);
      if (runs === 1) {
        await setLabel(world, 1, 'hold');
        commit('bad.txt', 'b');
      }
      return result;
    };
    await world.deliver(...numbers.map(wakeFor));
    commands.run = run;
    expect(await statesOf(numbers)).toEqual(['open', 'open', 'merged']);
    expect(await ends(1)).toEqual(['not merged: the label "hold" blocks it']);
    expect(isBaseGreen().every(Boolean)).toBe(true);
  });

  it('puts a batch onto the base in one move, or nothing of it', async () => {
    // The first works only with the second, so a base with the first alone would be red.
    const numbers = await open('bad-a', 'b');
    world.playground.git('checkout', '--quiet', 'b');
    world.playground.write('check.mjs', '');
    world.playground.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    const head = world.playground.git('rev-parse', 'HEAD');
    world.playground.git('checkout', '--quiet', 'main');
    await recordReview(world, { number: 2, head });
    await setLabelAgain(world, 2, 'auto-merge');
    const { forge } = world.house;
    const merge = forge.mergeTogether.bind(forge);
    forge.mergeTogether = async (...args) => {
      commit('later.txt', 'b');
      return merge(...args);
    };
    const before = basesOf();
    await world.deliver(wakeFor(1));
    forge.mergeTogether = merge;
    // The second was pushed to right before: alone, the first breaks things.
    expect(await statesOf(numbers)).toEqual(['open', 'open']);
    expect(basesOf()).toEqual(before);
    await recordReview(world, { number: 2, head: world.playground.git('rev-parse', 'b') });
    await setLabel(world, 1, 'anything');
    await setLabelAgain(world, 2, 'auto-merge');
    await world.deliver(wakeFor(2));
    expect(await statesOf(numbers)).toEqual(['open', 'merged']);
    await world.deliver(wakeFor(1));
    expect(await statesOf(numbers)).toEqual(['merged', 'merged']);
    await expectTested(numbers, before.length);
  });

  it('merges nothing once another run has taken over, and is taken up again', async () => {
    const [number = 0] = await open('a');
    const { commands, leases } = world.house;
    const run = commands.run.bind(commands);
    const queue = `${world.repository}~merge-queue`;
    let other: Awaited<ReturnType<typeof leases.acquire>> | null = null;
    commands.run = async (request) => {
      const result = await run(request);
      // As if this process had stood still for longer than a lease lasts.
      const database = openDatabase(world.playground.database);
      database.prepare('UPDATE leases SET expires = 1 WHERE subject = ?').run(queue);
      database.close();
      other ??= await leases.acquire(queue);
      return result;
    };
    const [outcome] = await world.deliver(wakeFor(number));
    commands.run = run;
    expect(outcome?.isSettled).toBe(false);
    expect(await stateOf(number)).toBe('open');
    const taken = other as Awaited<ReturnType<typeof leases.acquire>> | null;
    if (taken !== null && 'lease' in taken) await taken.lease.release();
    await world.settle();
    expect(await stateOf(number)).toBe('merged');
    expect(await exits([number])).toEqual([0]);
  });

  it.runIf(isLong)('is done once, wherever it is cut off', async () => {
    const numbers = await open('part-one', ...(isExhaustive ? ['a', 'b'] : ['a']), 'part-two');
    const before = basesOf().length;
    for (const number of numbers) await receiveEvent(world.house, wakeFor(number));
    expect(await cutOffEverywhere(world)).toBeGreaterThan(30);
    expect(await statesOf(numbers)).toEqual([...numbers.slice(1).map(() => 'merged'), 'open']);
    expect(world.playground.git('log', '--format=%s', 'main').split('\n')).toHaveLength(numbers.length + 1);
    expect(await commentsOf(numbers.length)).toHaveLength(1);
    await expectTested(numbers, before);
    const { workspaces } = world.house;
    const runs = (await world.entries(1)).map(({ run }) => run);
    for (const run of new Set(runs))
      if (run !== '') expect(await workspaces.remove(`${run}-verify`)).toBe(false);
  });
});
