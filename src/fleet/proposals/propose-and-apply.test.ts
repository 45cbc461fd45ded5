/** Each agent's scene played by begin, propose and apply leaves what `dispatch` leaves. */
import { describe, expect, it } from 'vitest';
import { expectWhole } from '../../../test/support/fleet-crash.ts';
import { allScenes } from '../../../test/support/fleet-scenarios.ts';
import { setUp } from '../../../test/support/fleet-scene.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import { lookAround } from '../../../test/support/world-state.ts';

describe('a scene that jobs of GitHub Actions play', () => {
  it.each(
    allScenes.filter((scene) => scene.on !== 'github').map((scenario) => [scenario.name, scenario] as const),
  )(
    'leaves what one leaves that one process plays: %s',
    async (_, scenario) => {
      const undisturbed = await setUp(scenario);
      await undisturbed.settle(undisturbed.world.house);
      const wanted = await lookAround(undisturbed.world);
      expectWhole(scenario, wanted);
      await undisturbed.world.remove();
      const { world, due } = await setUp(scenario);
      const play = new ActionsPlay(world);
      if (due !== null) await play.due(due);
      await play.settle();
      expect(await lookAround(world)).toEqual(wanted);
      await world.remove();
    },
    120_000,
  );
});
