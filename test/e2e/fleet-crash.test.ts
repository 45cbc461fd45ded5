/** The agents under the crash harness: killed (SIGKILL) anywhere and started again, they lose nothing and do nothing twice. */
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/agents/agents.ts';
import {
  choosePoints,
  crashAgainAndAgain,
  crashAtEach,
  isExhaustive,
  isLong,
  listPoints,
} from '../support/crash-everywhere.ts';
import { makeCrashScenario } from '../support/fleet-crash.ts';
import { fleetScenarios } from '../support/fleet-scenarios.ts';

/** The whole way from an order to its merge takes a while: `npm test` cuts it off in one process only. */
const scenes = fleetScenarios.filter(({ name }) => isLong || name !== 'an order');

/** In `npm test` a few: after what cannot be undone. Everything else is cut off in src/fleet/cut-off.test.ts too. */
function chooseFew(points: readonly string[], most: number): number[] {
  const all = choosePoints(points, points.length);
  if (isExhaustive) return all;
  const grave = all.filter((index) =>
    /after (?:transport|forge\.(?:create|merge))/u.test(points[index] ?? ''),
  );
  const step = Math.max(1, Math.floor(grave.length / most));
  return grave
    .toReversed()
    .filter((_, index) => index % step === 0)
    .slice(0, most);
}

describe('agents, killed at any instant', () => {
  it.each(scenes.map((scenario) => [scenario.name, scenario] as const))(
    'lose nothing and do nothing twice: %s',
    async (_, scenario) => {
      const crash = makeCrashScenario(scenario);
      const points = await listPoints(crash);
      // A harness that stops looking would pass everything.
      expect(points.filter((name) => name.startsWith('after forge.')).length).toBeGreaterThan(0);
      expect(points.filter((name) => name === 'after ledger.append').length).toBeGreaterThan(5);
      const chosen = chooseFew(points, points.length > 100 ? 2 : 1);
      expect(chosen).not.toEqual([]);
      await crashAtEach(crash, points, chosen);
    },
    isExhaustive ? 3_600_000 : 120_000,
  );

  it.runIf(isExhaustive).each(fleetScenarios.map((scenario) => [scenario.name, scenario] as const))(
    'get there even if they are killed again and again: %s',
    async (_, scenario) => {
      const crash = makeCrashScenario(scenario);
      const points = await listPoints(crash);
      // More points than lie in what a life has to do before it gets on: to prove a change, it makes a copy first.
      expect(await crashAgainAndAgain(crash, points.length > 23 ? 23 : 13)).toBeGreaterThan(1);
    },
    600_000,
  );

  it('are all of them', () => {
    const shown = new Set(fleetScenarios.flatMap((scenario) => scenario.agents));
    expect(Object.keys(agents).filter((name) => !shown.has(name as keyof typeof agents))).toEqual([]);
  });
});
