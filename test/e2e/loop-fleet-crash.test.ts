/**
 * A loop that the fleet drives by labels and comments, cut off after every change that it makes and killed in processes of
 * its own: all events come again, and attempts, commits, comments, labels, reviews and the merge are neither lost nor
 * doubled.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isExhaustive } from '../support/crash-everywhere.ts';
import {
  cutOffAtEachPoint,
  expectCutOffEverywhere,
  makeIsLeftOut,
  placeOf,
  watchPlaces,
} from '../support/cut-off-everywhere.ts';
import { giveOrdersToMortals, makeOrders } from '../support/loop-orders.ts';
import { lookAtLoop } from '../support/loop-outcome.ts';
import { openScenario } from '../support/loop-scenario.ts';
import type { LoopWorld } from '../support/loop-world.ts';
import { lookAround } from '../support/world-state.ts';

const isLeftOut = makeIsLeftOut(8);

async function look(world: LoopWorld) {
  const { ledger, git } = await lookAround(world.fleet);
  // A node that comes by its own push again fetches it; what was fetched is kept for a while.
  const refs = git.refs.filter((ref) => !ref.startsWith('refs/gatewright/fetched/'));
  return { ...(await lookAtLoop(world)), ledger, git: { ...git, refs } };
}

let quiet: LoopWorld;
let expected: Awaited<ReturnType<typeof look>>;
let undisturbed: readonly string[];
beforeAll(async () => {
  quiet = await openScenario('orders');
  const watched = watchPlaces(quiet.house);
  await makeOrders(quiet)(watched.house);
  undisturbed = watched.places;
  expected = await look(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a loop that the fleet drives', () => {
  it('does what the scenario says if no one kills it', () => {
    expect(expected.judged.map((text) => JSON.parse(text) as object)).toMatchObject([
      ...[1, 2].map((attempt) => ({ task: 'US-001', attempt, passed: false })),
      ...['US-001', 'US-002', 'US-005'].map((task) => ({ task, passed: true })),
      ...[1, 2, 3].map((attempt) => ({ task: 'US-003', attempt, passed: false })),
      ...['US-004', 'US-006'].map((task) => ({ task, passed: true })),
    ]);
    expect(expected.hinted.at(-1)).toBe('US-006 1');
    expect(expected.ledger).toMatchObject({ paidTwice: [], problems: [], open: [] });
    expect(expected.ledger.runs.filter((run) => !run.endsWith(' done'))).toEqual([]);
    expect(expected.labels).toEqual(['AI: Complete']);
    expect(expected.reviews).toHaveLength(1);
    expect(expected.pulls.map(([, state]) => state)).toEqual(['merged']);
  });

  it('ends the same if it is cut off after every change', { timeout: 3_600_000 }, async () => {
    const world = await openScenario('orders');
    const places = await cutOffAtEachPoint(world.house, makeOrders(world), (name, args) => {
      const place = placeOf(name, args);
      return isLeftOut(place) ? '' : place;
    });
    expect(await look(world)).toEqual(expected);
    expectCutOffEverywhere(places, undisturbed, 150);
    for (const name of [
      'transport.pushBranch',
      'forge.createComment',
      'forge.createPullRequest',
      'forge.createReview',
      'forge.mergePullRequest',
      'coder.work',
    ])
      expect(places).toContain(`after ${name}`);
    world.remove();
  });

  it('ends the same if its processes are killed again and again', { timeout: 3_600_000 }, async () => {
    const world = await openScenario('orders');
    // More points than lie in what a life has to do before it gets on.
    expect(await giveOrdersToMortals(world, isExhaustive ? 45 : 90)).toBeGreaterThan(5);
    expect(await look(world)).toEqual(expected);
    world.remove();
  });
});
