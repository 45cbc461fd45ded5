/**
 * A loop that is killed after every change it makes, one after the other, and resumed each time: attempts, commits,
 * comments, labels and pull requests are neither lost nor doubled. One walk is cut off at each of its points once, which
 * is far cheaper than a walk for each.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cutOffAtEachPoint,
  expectCutOffEverywhere,
  makeIsLeftOut,
  placeOf,
  watchPlaces,
} from '../support/cut-off-everywhere.ts';
import { lookAtLoop } from '../support/loop-outcome.ts';
import { makeScenario, openScenario } from '../support/loop-scenario.ts';
import type { LoopWorld } from '../support/loop-world.ts';

const isLeftOut = makeIsLeftOut(3);

let quiet: LoopWorld;
let expected: Awaited<ReturnType<typeof lookAtLoop>>;
let undisturbed: readonly string[];
beforeAll(async () => {
  quiet = await openScenario('commands');
  const watched = watchPlaces(quiet.house);
  await makeScenario(quiet)(watched.house);
  undisturbed = watched.places;
  expected = await lookAtLoop(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a loop', () => {
  it('that no one kills does what the scenario says', async () => {
    expect((await quiet.entriesOf('run-ended')).map(({ data }) => data.reason.message)).toEqual([
      expect.stringContaining('is merged with #2'),
    ]);
    expect(expected.told).toHaveLength(15);
    expect(
      expected.judged.map((text) => JSON.parse(text) as { task: string; passed: boolean }),
    ).toMatchObject([
      { task: 'US-001', passed: false },
      { task: 'US-001', passed: false },
      { task: 'US-001', passed: true },
      { task: 'US-002', passed: true },
      // From the hint that was promoted, and what an agent discovered.
      { task: 'US-005', passed: true },
      { task: 'US-006', passed: true },
      ...[1, 2, 3].map((attempt) => ({ task: 'US-003', attempt, passed: false })),
      { task: 'US-004', passed: true },
      { task: 'US-007', passed: true },
    ]);
    // The other hint was told until its time was over.
    expect(expected.hinted.filter((line) => /[a-z]/u.test(line))).toEqual([
      'US-003 2 passing',
      'US-003 3 passing',
      'US-004 1 passing',
    ]);
    expect(expected.comments.filter((body) => body.startsWith('## 🪶 Wisp'))).toHaveLength(3);
    expect(expected.reviews).toEqual([[expect.stringContaining('## No Issues')]]);
    expect(expected.pulls.map(([, state]) => state)).toEqual(['merged']);
    expect(quiet.git('show', 'main:src/quotient.ts')).toContain('a / b');
    expect(expected.labels).toEqual(['AI: Complete']);
    expect(expected.reports).toBe(1);
    expect(expected.problems).toEqual([]);
    expect(expected.copies).toBe(1);
  });

  it('that is killed after every change ends as one that is not', { timeout: 3_600_000 }, async () => {
    const world = await openScenario('commands');
    const places = await cutOffAtEachPoint(world.house, makeScenario(world), (name, args) => {
      const place = placeOf(name, args);
      return isLeftOut(place) ? '' : place;
    });
    expect(await lookAtLoop(world)).toEqual(expected);
    expectCutOffEverywhere(places, undisturbed, 250);
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
});
