/** A pipeline and a loop that people order on the forge, played by jobs of GitHub Actions: they end as one process ends them. */
import { describe, expect, it } from 'vitest';
import type { FleetWorld } from '../support/fleet-world.ts';
import { makeOrders } from '../support/loop-orders.ts';
import { lookAtLoop } from '../support/loop-outcome.ts';
import { openScenario } from '../support/loop-scenario.ts';
import { lookAtPipeline, makePipelineOrders, openPipelineScenario } from '../support/pipeline-scenario.ts';
import { ActionsPlay } from '../support/play-proposals.ts';
import { lookAround } from '../support/world-state.ts';

/** From here on, what happens there is for the jobs. */
function handToJobs(fleet: FleetWorld): void {
  const play = new ActionsPlay(fleet);
  Object.assign(fleet, {
    catchUp: async (house = fleet.house): Promise<void> => {
      await play.settle(house, (scratch) => ({ ...scratch, clock: house.clock }));
    },
  });
}

describe('workflows that jobs of GitHub Actions play', () => {
  it('end as in one process: a pipeline', async () => {
    const quiet = await openPipelineScenario('orders');
    await makePipelineOrders(quiet)(quiet.house);
    const world = await openPipelineScenario('orders');
    handToJobs(world.fleet);
    await makePipelineOrders(world)(world.house);
    expect(await lookAtPipeline(world)).toEqual(await lookAtPipeline(quiet));
    const { ledger } = await lookAround(world.fleet);
    expect(ledger).toMatchObject({ paidTwice: [], problems: [], open: [] });
    quiet.remove();
    world.remove();
  }, 900_000);

  it('end as in one process: a loop', async () => {
    const quiet = await openScenario('orders');
    await makeOrders(quiet)(quiet.house);
    const world = await openScenario('orders');
    handToJobs(world.fleet);
    await makeOrders(world)(world.house);
    expect(await lookAtLoop(world)).toEqual(await lookAtLoop(quiet));
    const { ledger } = await lookAround(world.fleet);
    expect(ledger).toMatchObject({ paidTwice: [], problems: [], open: [] });
    quiet.remove();
    world.remove();
  }, 900_000);
});
