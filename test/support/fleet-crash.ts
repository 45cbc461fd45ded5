/** Scenes of the fleet for the crash harness: killed anywhere and called again, they leave what an undisturbed one leaves. */
import { expect } from 'vitest';
import type { CrashScenario, Prepared } from './crash-everywhere.ts';
import { type FleetScenario, setUp } from './fleet-scene.ts';
import { openRecords } from './open-records.ts';
import { readWorld, type WorldState } from './world-state.ts';

const repository = 'local/project';

/** The first world that is looked at has to be an undisturbed one. */
export function makeCrashScenario(scenario: FleetScenario): CrashScenario {
  let undisturbed: WorldState | null = null;
  // Where all that leads up to a kill was done once, it need not be done again for the next one.
  const free: Prepared[] = [];
  return {
    async prepare() {
      const known = free.pop();
      known?.playground.restore();
      if (known !== undefined) return known;
      const { world, command, environment } = await setUp(scenario);
      const { playground } = world;
      playground.save();
      const prepared: Prepared = {
        ...{ playground, begin: command, resume: command, env: environment },
        giveBack: () => free.push(prepared),
      };
      return prepared;
    },
    async expectOneOfEverything(playground) {
      const { forge, close } = openRecords(playground);
      const git = (...args: string[]) => playground.git(...args);
      const found = await readWorld({ playground, repository, forge, git });
      close();
      if (undisturbed === null) expectWhole(scenario, found);
      undisturbed ??= found;
      expect(found).toEqual(undisturbed);
    },
  };
}

/** What holds in every world in which everybody has done their work. */
export function expectWhole({ expectDone }: FleetScenario, state: WorldState): void {
  expect(state.ledger).toMatchObject({ paidTwice: [], problems: [], open: [] });
  expect(state.ledger.runs.filter((run) => !run.endsWith(' done'))).toEqual([]);
  expect(state.git).toMatchObject({ status: '', worktrees: 1, workspaces: [] });
  expectDone(state);
}
