/**
 * Every agent is cut off at every point of its work, each in turn, and taken up again: it leaves what one that nobody
 * disturbed leaves. With real processes and SIGKILL: test/e2e/fleet-crash.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { cutOffAtEachPoint } from '../../test/support/cut-off-everywhere.ts';
import { expectWhole } from '../../test/support/fleet-crash.ts';
import { playableScenes } from '../../test/support/fleet-scenarios.ts';
import { type FleetScenario, setUp } from '../../test/support/fleet-scene.ts';
import { lookAround } from '../../test/support/world-state.ts';
import { agents } from '../agents/agents.ts';

async function playUndisturbed(scenario: FleetScenario) {
  const { world, settle } = await setUp(scenario);
  await settle(world.house);
  const state = await lookAround(world);
  await world.remove();
  return state;
}

describe('an agent that is cut off', () => {
  it.each(playableScenes.map((scenario) => [scenario.name, scenario] as const))(
    'anywhere leaves what one leaves that is not: %s',
    async (_, scenario) => {
      const undisturbed = await playUndisturbed(scenario);
      expectWhole(scenario, undisturbed);
      const { world, settle } = await setUp(scenario);
      const places = await cutOffAtEachPoint(world.house, settle);
      expect(await lookAround(world)).toEqual(undisturbed);
      expect(places.length).toBeGreaterThanOrEqual(10);
      await world.remove();
    },
    300_000,
  );

  it('is each of them', () => {
    const shown = new Set(playableScenes.flatMap((scenario) => scenario.agents));
    expect(Object.keys(agents).filter((name) => !shown.has(name as keyof typeof agents))).toEqual([]);
  });
});
