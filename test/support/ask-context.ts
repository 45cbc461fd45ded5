/** What asking a model or a coding agent takes, over a real ledger. */
import { type Budget, defaultBudget } from '../../src/domain/models/budget.ts';
import type { AskContext } from '../../src/runs/ask-model.ts';
import type { SqliteWorld } from '../contracts/sqlite-world.ts';

export function makeAskContext(
  { ledger, clock }: SqliteWorld,
  subject: string,
  budget: Budget = defaultBudget,
): AskContext {
  return {
    ...{ runId: 'run-1', subject, ledger, actor: 'alice', budget },
    record: async (entry) => {
      await ledger.append([entry]);
    },
    note: () => undefined,
    clock: { ...clock, randomBytes: () => new Uint8Array(), sleep: async () => undefined },
    progress: () => undefined,
    recorded: null,
  };
}
