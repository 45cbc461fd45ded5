/**
 * A loop that is killed after every change it makes, one after the other, and resumed each time: attempts, commits,
 * comments, labels and pull requests are neither lost nor doubled. One walk is cut off at each of its points once, which
 * is far cheaper than a walk for each.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { isExhaustive } from '../support/crash-everywhere.ts';
import { cutOffAtEachPoint, placeOf } from '../support/cut-off-everywhere.ts';
import { lookAtScenario, makeScenarioAnswer, scenarioWork } from '../support/loop-scenario.ts';
import { LoopWorld } from '../support/loop-world.ts';

const seed = process.env.GATEWRIGHT_TEST_SEED ?? '20261115';

/** What is done over and over in the same way: of these one in so many is enough, chosen by the seed. */
const common = /workspaces|commands|checkpoints|ledger\.append (?:node-begun|prompt-sent|command-verified)/u;
const oneIn = 3;
const isLeftOut = (place: string): boolean =>
  !isExhaustive &&
  common.test(place) &&
  Number.parseInt(sha256(`${seed} ${place}`).slice(0, 8), 16) % oneIn !== 0;

let quiet: LoopWorld;
let expected: Awaited<ReturnType<typeof lookAtScenario>>;
beforeAll(async () => {
  quiet = await LoopWorld.open(scenarioWork);
  const ended = await quiet.go(makeScenarioAnswer(quiet));
  expect([ended.status, ended.reason.message]).toEqual(['done', expect.stringContaining('is merged')]);
  expected = await lookAtScenario(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a loop', () => {
  it('that no one kills does what the scenario says', async () => {
    expect(expected.told).toHaveLength(14);
    expect(
      expected.judged.map((text) => JSON.parse(text) as { task: string; passed: boolean }),
    ).toMatchObject([
      { task: 'US-001', passed: false },
      { task: 'US-001', passed: false },
      { task: 'US-001', passed: true },
      { task: 'US-002', passed: true },
      { task: 'US-005', passed: true },
      ...[1, 2, 3].map((attempt) => ({ task: 'US-003', attempt, passed: false })),
      { task: 'US-004', passed: true },
      { task: 'US-006', passed: true },
    ]);
    expect(expected.labels).toEqual(['AI: Complete']);
    expect(expected.reports).toBe(1);
    expect(expected.problems).toEqual([]);
    expect(expected.copies).toBe(1);
  });

  it('that is killed after every change ends as one that is not', { timeout: 3_600_000 }, async () => {
    const world = await LoopWorld.open(scenarioWork);
    const answer = makeScenarioAnswer(world);
    let isDone = false;
    const places = await cutOffAtEachPoint(
      world.house,
      async (house) => {
        // Killed after its last entry, it is done.
        if (isDone) return;
        const runs = await world.house.views.listRuns({ repository: world.repository, workflows: ['loop'] });
        isDone = runs.some(({ status }) => status === 'done');
        if (!isDone) await world.go(answer, house);
      },
      (name, args) => {
        const place = placeOf(name, args);
        return isLeftOut(place) ? '' : place;
      },
    );
    expect(await lookAtScenario(world)).toEqual(expected);
    // A harness that stops looking would pass everything.
    expect(places.length).toBeGreaterThan(isExhaustive ? 500 : 250);
    for (const name of [
      'transport.pushBranch',
      'forge.createComment',
      'forge.createPullRequest',
      'coder.work',
    ])
      expect(places).toContain(`after ${name}`);
    world.remove();
  });
});
