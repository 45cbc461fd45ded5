/**
 * A pipeline that the fleet drives by a label and comments, cut off after every change that it makes and killed in
 * processes of its own: all events come again, and attempts, comments, commits, the pull request and its review are neither
 * lost nor doubled.
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
import { MortalDispatch } from '../support/mortal-dispatch.ts';
import {
  lookAtPipeline,
  makePipelineOrders,
  openPipelineScenario,
  pipelineOrders,
} from '../support/pipeline-scenario.ts';
import type { PipelineWorld } from '../support/pipeline-world.ts';
import { lookAround } from '../support/world-state.ts';

const isLeftOut = makeIsLeftOut(6);

async function look(world: PipelineWorld) {
  const { ledger, git } = await lookAround(world.fleet);
  // A node that comes by its own push again fetches it; what was fetched is kept for a while.
  const refs = git.refs.filter((ref) => !ref.startsWith('refs/gatewright/fetched/'));
  return { ...(await lookAtPipeline(world)), ledger, git: { ...git, refs } };
}

let quiet: PipelineWorld;
let expected: Awaited<ReturnType<typeof look>>;
let undisturbed: readonly string[];
beforeAll(async () => {
  quiet = await openPipelineScenario('orders');
  const watched = watchPlaces(quiet.house);
  await makePipelineOrders(quiet)(watched.house);
  undisturbed = watched.places;
  expected = await look(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a pipeline that the fleet drives', () => {
  it('does what the scenario says if no one kills it', () => {
    expect(expected.once).toEqual([
      ...['gate-answered', 'question-answered', 'gate-answered', 'pull-request-made', 'run-ended'],
    ]);
    expect(expected.state.pipeline).toMatchObject({ status: 'completed', attempt: 4 });
    expect(expected.ledger).toMatchObject({ paidTwice: [], problems: [], open: [] });
    expect(expected.ledger.runs.filter((run) => !run.endsWith(' done'))).toEqual([]);
    expect(expected.pulls).toHaveLength(1);
  });

  it('ends the same if it is cut off after every change', { timeout: 3_600_000 }, async () => {
    const world = await openPipelineScenario('orders');
    const places = await cutOffAtEachPoint(world.house, makePipelineOrders(world), (name, args) => {
      const place = placeOf(name, args);
      return isLeftOut(place) ? '' : place;
    });
    expect(await look(world)).toEqual(expected);
    expectCutOffEverywhere(places, undisturbed, 100);
    for (const name of [
      'transport.pushBranch',
      'forge.createComment',
      'forge.createPullRequest',
      'forge.createReview',
      'coder.work',
    ])
      expect(places).toContain(`after ${name}`);
    world.remove();
  });

  it('ends the same if its processes are killed again and again', { timeout: 3_600_000 }, async () => {
    const world = await openPipelineScenario('orders');
    const dispatch = new MortalDispatch(world.fleet, isExhaustive ? 45 : 90);
    for (const order of pipelineOrders) {
      await dispatch.settle();
      await order(world, world.house);
    }
    await dispatch.settle();
    expect(dispatch.deaths).toBeGreaterThan(3);
    expect(await look(world)).toEqual(expected);
    world.remove();
  });
});
