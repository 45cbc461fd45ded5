/** Scenes of the fleet for the crash harness: killed anywhere and called again, they leave what an undisturbed one leaves. */
import { expect } from 'vitest';
import type { CrashScenario } from './crash-everywhere.ts';
import { type FleetScenario, setUp } from './fleet-scene.ts';
import { openRecords } from './open-records.ts';
import { readWorld, type WorldState } from './world-state.ts';

const repository = 'local/project';

/** The first world that is looked at has to be an undisturbed one. */
export function makeCrashScenario(scenario: FleetScenario): CrashScenario {
  let undisturbed: WorldState | null = null;
  return {
    async prepare() {
      const { world, command, environment } = await setUp(scenario);
      return { playground: world.playground, begin: command, resume: command, env: environment };
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
