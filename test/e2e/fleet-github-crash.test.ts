/** The agents at GitHub, killed (SIGKILL) around every request, push and entry of the ledger: nothing is lost or done twice. */
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/agents/agents.ts';
import { chooseChanges, inParallel, isExhaustive } from '../support/crash-everywhere.ts';
import { allScenes } from '../support/fleet-scenarios.ts';
import {
  type Death,
  playUndisturbed,
  restarts,
  Stages,
  survive,
  surviveManyDeaths,
} from '../support/github-fleet-crash.ts';

const isLong = process.env.GATEWRIGHT_TEST_LONG === '1';
const sample = [
  ...['builds that fail', 'daily-digest'],
  ...(isLong ? ['the merge queue merges it', 'the merge queue takes it out again'] : []),
];
const scenes = isExhaustive ? allScenes : allScenes.filter(({ name }) => sample.includes(name));

/** In `npm test` one of each: its answer is lost. */
function choose(deaths: readonly Death[]): readonly Death[] {
  if (isExhaustive) {
    const chosen = new Set(chooseChanges(deaths.map(({ name }) => name)));
    return deaths.filter((_, index) => chosen.has(index));
  }
  return deaths.filter(({ name }) => /^after (?:PUT|POST) /u.test(name)).slice(-1);
}

describe('agents at GitHub, killed at any instant', () => {
  it.each(scenes.map((scene) => [scene.name, scene] as const))(
    'lose nothing and do nothing twice: %s',
    async (name, scene) => {
      const stages = new Stages(scene);
      const { state, deaths } = await playUndisturbed(stages);
      // A harness that stops looking would pass everything.
      expect(deaths.filter((one) => /^after (?:POST|PUT|PATCH)/u.test(one.name)).length).toBeGreaterThan(0);
      expect(deaths.filter((one) => one.name === 'after ledger.append').length).toBeGreaterThan(5);
      const chosen = [...choose(deaths).entries()];
      expect(chosen).not.toEqual([]);
      const failures: string[] = [];
      await inParallel(chosen, 3, async ([index, death]) => {
        const restart = restarts[index % restarts.length] ?? 'dispatch';
        await survive(stages, state, death, restart).catch((error: unknown) => {
          const { message, cause } = error as Error;
          const failure = `${message}: ${cause instanceof Error ? cause.message : String(cause)}`;
          // Told at once: the walk may take an hour.
          if (isExhaustive) console.error(failure);
          failures.push(failure);
        });
      });
      if (isExhaustive) console.log(`${name}: killed at ${chosen.length} of ${deaths.length} points`);
      expect(failures).toEqual([]);
      await stages.close();
    },
    isExhaustive ? 7_200_000 : 120_000,
  );

  it.runIf(isExhaustive).each(scenes.map((scene) => [scene.name, scene] as const))(
    'get there even if they are killed again and again: %s',
    async (_, scene) => {
      const stages = new Stages(scene);
      const { state, deaths } = await playUndisturbed(stages);
      // More points than lie in what a life has to do before it gets on.
      const lives = await surviveManyDeaths(stages, state, 36);
      if (deaths.length > 80) expect(lives).toBeGreaterThan(2);
      await stages.close();
    },
    1_800_000,
  );

  it('are all of them', () => {
    const shown = new Set(allScenes.flatMap((scene) => scene.agents));
    expect(Object.keys(agents).filter((name) => !shown.has(name as keyof typeof agents))).toEqual([]);
  });
});
