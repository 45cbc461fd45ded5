/** Scenes of the fleet for the crash harness: killed anywhere and called again, they leave what an undisturbed one leaves. */
import { expect } from 'vitest';
import type { CrashScenario } from './crash-everywhere.ts';
import { type FleetScenario, setUp } from './fleet-scenarios.ts';
import { readWorld } from './world-state.ts';

const repository = 'local/project';

/** The first world that is looked at has to be an undisturbed one. */
export function makeCrashScenario(scenario: FleetScenario): CrashScenario {
  let undisturbed: Awaited<ReturnType<typeof readWorld>> | null = null;
  return {
    async prepare() {
      const { world, command, environment } = await setUp(scenario);
      return { playground: world.playground, begin: command, resume: command, env: environment };
    },
    async expectOneOfEverything(playground) {
      const found = await readWorld(playground, repository);
      if (undisturbed === null) expectWhole(scenario, found.state);
      undisturbed ??= found;
      expect(found.state).toEqual(undisturbed.state);
      expect(found.prompts).toBeGreaterThanOrEqual(undisturbed.prompts);
    },
  };
}

/** What holds in every world in which everybody has done their work. */
export function expectWhole(
  { expectDone }: FleetScenario,
  state: Awaited<ReturnType<typeof readWorld>>['state'],
): void {
  expect(state.ledger).toMatchObject({ problems: [], open: [] });
  expect(state.ledger.runs.filter((run) => !run.endsWith(' done'))).toEqual([]);
  expect(state.git).toMatchObject({ status: '', worktrees: 1, workspaces: [] });
  expectDone(state);
}
