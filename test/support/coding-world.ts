/** The coding room with no agent around it: what a workflow puts together, over real git, a real ledger and a lease. */

import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { Fence } from '../../src/ports/ledger.ts';
import type { Progress } from '../../src/ports/progress.ts';
import { acquireLease } from '../../src/runs/acquire-lease.ts';
import { appendOnce } from '../../src/runs/append-once.ts';
import type { AskContext } from '../../src/runs/ask-model.ts';
import { makeCoder } from '../../src/runs/coding/coder.ts';
import type { CodingContext } from '../../src/runs/coding/coding-context.ts';
import type { House } from '../../src/runs/house.ts';
import { makeEffects } from '../../src/runs/make-effects.ts';

export interface CodingRun {
  readonly runId: string;
  readonly subject: string;
  readonly own: string;
}

const startedAt = new Date('2026-01-02T03:04:05.000Z');

function makeContext(
  house: House,
  { runId, subject, own }: CodingRun,
  fence: Fence,
  progress: Progress,
): CodingContext {
  const { ledger, clock, actor, budget } = house;
  const common = { subject, run: runId, actor };
  const record = (entry: NewEntry): Promise<void> => appendOnce(ledger, [entry], fence);
  const asking: AskContext = {
    ...{ runId, subject, ledger, record, actor, budget, clock, progress, recorded: null },
    note: (entry) => ledger.defer(entry, fence),
  };
  return {
    ...{ runId, own, startedAt, ledger, progress },
    repository: house.repositoryName,
    settings: house.fleet,
    models: makeCoder(asking, {
      agentFor: () => house.makeCodingAgent(house.agentModels.coder),
      sandbox: house.sandbox,
      signal: undefined,
    }),
    workspaces: house.workspaces,
    commands: house.commands,
    effects: makeEffects(house, {
      ...{ run: runId, subject, fence, dryRun: false },
      allowance: { 'push-branch': 40 },
    }),
    forge: house.forge,
    record: (entry) => record({ ...common, ...entry } as NewEntry),
  };
}

/** Does something under a lease of its own, as a run does. */
export async function withCodingContext<T>(
  house: House,
  run: CodingRun,
  work: (context: CodingContext) => Promise<T>,
  progress: Progress = () => undefined,
): Promise<T> {
  const lease = await acquireLease(house, run.subject);
  try {
    return await work(makeContext(house, run, lease, progress));
  } finally {
    await lease.release();
  }
}
