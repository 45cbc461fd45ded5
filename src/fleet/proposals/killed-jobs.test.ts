/** Jobs that are killed, between each other and at each point of their work, lose nothing and do nothing twice. */
import { describe, expect, it } from 'vitest';
import { cutOffAtEachPoint } from '../../../test/support/cut-off-everywhere.ts';
import { expectWhole } from '../../../test/support/fleet-crash.ts';
import { type FleetScenario, setUp } from '../../../test/support/fleet-scene.ts';
import { withHousePoints } from '../../../test/support/house-points.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { orderScenes } from '../../../test/support/order-scenes.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import { lookAround } from '../../../test/support/world-state.ts';

const [order, contribution, failure] = orderScenes as [FleetScenario, FleetScenario, FleetScenario];

async function playUndisturbed(scenario: FleetScenario) {
  const { world, settle } = await setUp(scenario);
  await settle(world.house);
  const state = await lookAround(world);
  await world.remove();
  return state;
}

async function killEverywhere(scenario: FleetScenario): Promise<void> {
  const undisturbed = await playUndisturbed(scenario);
  expectWhole(scenario, undisturbed);
  const { world } = await setUp(scenario);
  const play = new ActionsPlay(world);
  const places = await cutOffAtEachPoint(world.house, (house) => play.settle(house));
  expect(await lookAround(world)).toEqual(undisturbed);
  expect(places.length).toBeGreaterThanOrEqual(10);
  await world.remove();
}

describe('jobs that are killed', () => {
  it('anywhere leave what jobs leave that are not: a review', () => killEverywhere(contribution), 300_000);
  itLong('anywhere leave what jobs leave that are not: an order', () => killEverywhere(order), 1_800_000);
});

describe('the job that asks models', () => {
  it.each([order, contribution, failure].map((scenario) => [scenario.name, scenario] as const))(
    'changes nothing on the forge, pushes nothing and writes to no ledger that counts: %s',
    async (_, scenario) => {
      const { world } = await setUp(scenario);
      const play = new ActionsPlay(world);
      const written: string[] = [];
      const before: number[] = [];
      await play.settle(world.house, (scratch) =>
        withHousePoints(scratch, {
          point: (name) => {
            if (/^(?:before|after) (?:forge|transport|repository)\./u.test(name)) written.push(name);
            before.push(1);
          },
        }),
      );
      // It does work: on its own ledger and in its own copies.
      expect(before.length).toBeGreaterThanOrEqual(5);
      expect(written).toEqual([]);
      await world.remove();
    },
    120_000,
  );
});
