/**
 * A pipeline that is killed after every change it makes, one after the other, and resumed each time: attempts, comments,
 * commits and the pull request are neither lost nor doubled, and issue-state.json is valid at every moment.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { House } from '../../src/runs/house.ts';
import {
  cutOffAtEachPoint,
  expectCutOffEverywhere,
  makeIsLeftOut,
  placeOf,
  watchPlaces,
} from '../support/cut-off-everywhere.ts';
import { lookAtPipeline, makePipelineCommands, openPipelineScenario } from '../support/pipeline-scenario.ts';
import type { PipelineWorld } from '../support/pipeline-world.ts';

const isLeftOut = makeIsLeftOut(3);

let quiet: PipelineWorld;
let expected: Awaited<ReturnType<typeof lookAtPipeline>>;
let undisturbed: readonly string[];
beforeAll(async () => {
  quiet = await openPipelineScenario('commands');
  const watched = watchPlaces(quiet.house);
  await makePipelineCommands(quiet)(watched.house);
  undisturbed = watched.places;
  expected = await lookAtPipeline(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a pipeline', () => {
  it('that no one kills does what the script says', () => {
    expect(expected.once).toEqual([
      ...['gate-answered', 'stage-returned', 'gate-answered', 'question-answered'],
      ...['gate-answered', 'pull-request-made', 'run-ended'],
    ]);
    expect(expected.told).toHaveLength(11);
    expect(expected.stages.map((line) => line.split(':')[0])).toEqual([
      ...['triage', 'analyst', 'analyst', 'writer', 'writer', 'build', 'writer', 'build', 'reviewer'],
      ...['writer', 'build', 'writer', 'build', 'reviewer', 'committer'],
    ]);
    expect(expected.state.pipeline).toMatchObject({ status: 'completed', attempt: 4, max_attempts: 6 });
    expect(expected).toMatchObject({ gates: [], learned: 1, problems: [], file: false });
    expect(expected.pulls).toHaveLength(1);
  });

  it('that is killed after every change ends as one that is not', { timeout: 3_600_000 }, async () => {
    const world = await openPipelineScenario('commands');
    const play = makePipelineCommands(world);
    const settle = async (house: House): Promise<void> => {
      const [last] = await house.views.listRuns({ workflows: ['pipeline'] });
      // Begun again, it would say that its pull request is open.
      if (last?.status === 'done') {
        await expect(world.go(undefined, undefined, house)).rejects.toMatchObject({ code: 'run-finished' });
        return;
      }
      await play(house);
    };
    const places = await cutOffAtEachPoint(world.house, settle, (name, args) => {
      const place = placeOf(name, args);
      return isLeftOut(place) ? '' : place;
    });
    expect(await lookAtPipeline(world)).toEqual(expected);
    expectCutOffEverywhere(places, undisturbed, 120);
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
