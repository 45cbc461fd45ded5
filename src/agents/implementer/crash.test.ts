/** Killed at any entry of the ledger, before or after it is written, the implementer ends as if nothing had happened. */
import { describe, expect, it } from 'vitest';
import { isExhaustive } from '../../../test/support/crash-everywhere.ts';
import { goodSteps, ImplementerWorld, type Work } from '../../../test/support/implementer-world.ts';

const plan: Work = { role: 'planner', outcome: { text: 'Change `src/sum.mjs`.' } };
const work: Work = { steps: goodSteps, includes: ['a person has approved'] };
const fix: Work = { role: 'fixer', steps: [{ write: 'fix.txt', content: 'x\n' }] };
const stuck: Work = { steps: [{ write: 'note.txt', content: 'x\n' }], outcome: { failed: 'crash' } };

class Killed extends Error {}

/** From the given entry on nothing is written any more; a program that is killed writes nothing either. */
function killAt(world: ImplementerWorld, at: number, isWritten: boolean): { readonly count: () => number } {
  const { ledger } = world.fleet.house;
  const append = ledger.append.bind(ledger);
  let count = 0;
  ledger.append = async (...args) => {
    // Only asks whether the lease is still held.
    if (args[0].length === 0 && count < at) return append(...args);
    count += 1;
    if (count < at) return append(...args);
    if (count === at && isWritten) await append(...args);
    throw new Killed();
  };
  return { count: () => count };
}

/** Without what differs from one run to the next: commits, marks, runs, times, and what a busy machine can give. */
function settled(text: string): string {
  return text.replace(
    /[0-9a-f]{12,}(?:\.[0-9a-f]+)?|\b[0-9A-Z]{26}\b|\d+\.\d s|in a sandbox \(\w+\)|without a sandbox/gu,
    '…',
  );
}

/** Everything that anybody can see afterwards. */
async function look(world: ImplementerWorld, numbers: readonly number[]): Promise<object> {
  const pulls = await world.pulls();
  const about = [...numbers, ...pulls.map(({ number }) => number)];
  return {
    pulls: pulls.map(({ title, labels, body }) => [title, labels, settled(body)]),
    files: pulls.map(({ head }) => world.git('ls-tree', '-r', head.sha)),
    commits: world.git('log', '--format=%s', '--branches=gatewright/*', '--not', 'main'),
    said: await Promise.all(about.map(async (number) => (await world.said(number)).map(settled))),
    labels: await Promise.all(about.map((number) => world.labels(number))),
    plans: (await world.entries(numbers[0] ?? 0, 'plan-approved')).length,
  };
}

interface Scenario {
  readonly name: string;
  readonly works: readonly Work[];
  /** Everything up to what is killed. */
  readonly prepare: (world: ImplementerWorld) => Promise<number>;
  readonly run: (world: ImplementerWorld, number: number) => Promise<unknown>;
}

async function handOnCorrection(world: ImplementerWorld): Promise<unknown> {
  const [pull] = await world.pulls();
  return world.deliver('handed-on', {
    ...{ number: pull?.number ?? 0, to: 'implementer', task: 'fix', from: 'R' },
    ...{ actor: world.fleet.own, actorKind: 'bot' },
  });
}

async function askForPlan(world: ImplementerWorld): Promise<number> {
  return world.fileIssue('It should add.', { labels: ['planning'] });
}

const scenarios: readonly Scenario[] = [
  {
    name: 'a plan',
    works: [plan],
    prepare: askForPlan,
    run: (world, number) => world.deliver('labeled', { number, isPullRequest: false, label: 'planning' }),
  },
  {
    name: 'an approval without a mention, and the work',
    works: [plan, work],
    prepare: async (world) => {
      const number = await askForPlan(world);
      await world.deliver('labeled', { number, isPullRequest: false, label: 'planning' });
      return number;
    },
    run: (world, number) => world.say(number, 'Approved.'),
  },
  {
    name: 'a correction',
    works: [{ steps: goodSteps }, fix],
    prepare: async (world) => {
      const { number } = await world.order();
      const [pull] = await world.pulls();
      await world.recordReview(pull?.number ?? 0, 'Wrong');
      return number;
    },
    run: handOnCorrection,
  },
  {
    name: 'a correction that changed nothing for the review',
    works: [{ steps: goodSteps }, fix],
    prepare: async (world) => {
      const { number } = await world.order();
      const [pull] = await world.pulls();
      await world.review(pull?.number ?? 0, 'Wrong');
      await world.recordReview(pull?.number ?? 0, 'Wrong');
      return number;
    },
    run: handOnCorrection,
  },
  {
    name: 'a stop',
    works: [stuck],
    prepare: (world) => world.fileIssue('@claude please'),
    run: (world, number) => world.deliver('issue-opened', { number, text: '@claude please' }),
  },
];

/** Runs the tests in the process of the runner, which takes half the time. */
const settings = { GATEWRIGHT_VERIFY: 'node --test --test-isolation=none' };

interface Stage {
  readonly world: ImplementerWorld;
  readonly number: number;
}

/** Everything up to what is killed, done once. */
async function setUp({ works, prepare }: Scenario): Promise<Stage> {
  const world = await ImplementerWorld.open(works, settings);
  const number = await prepare(world);
  world.fleet.playground.save();
  return { world, number };
}

async function walk(
  { world, number }: Stage,
  { works, run }: Scenario,
  at: number,
  isWritten: boolean,
): Promise<{ seen: object; count: number }> {
  world.fleet.playground.restore();
  await world.play(works, settings);
  const { count } = killAt(world, at, isWritten);
  let isKilled = false;
  try {
    await run(world, number);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    isKilled = true;
  }
  expect(isKilled).toBe(Number.isFinite(at));
  if (isKilled) {
    await world.play(works, settings);
    await world.fleet.settle();
    expect(await world.fleet.house.views.listOpenEvents()).toEqual([]);
    expect((await world.fleet.house.views.listRuns()).filter(({ status }) => status === 'running')).toEqual(
      [],
    );
  }
  return { seen: await look(world, [number]), count: count() };
}

describe('the implementer, killed', () => {
  it.each(scenarios)('during $name', { timeout: 3_600_000 }, async (scenario) => {
    const stage = await setUp(scenario);
    const { seen, count } = await walk(stage, scenario, Number.POSITIVE_INFINITY, false);
    // What is received is written before any run: the first entry is the delivery.
    const points = Array.from({ length: count - 1 }, (_, index) => index + 2).flatMap((at) => [
      { at, isWritten: false },
      { at, isWritten: true },
    ]);
    const step = isExhaustive ? 1 : Math.ceil(points.length / 2);
    const shift = isExhaustive ? 0 : scenario.name.length % step;
    for (const [index, { at, isWritten }] of points.entries()) {
      if (index % step !== shift) continue;
      const again = await walk(stage, scenario, at, isWritten);
      expect(again.seen, `killed ${isWritten ? 'after' : 'before'} entry ${at}`).toEqual(seen);
    }
    stage.world.remove();
  });
});
