/** Lets a call begin: what it may cost is on the ledger first, and what was cut off before it is counted with the most it can have been. */
import { addUsage, noUsage, type Usage } from '../domain/models/budget.ts';
import { readGrants } from '../domain/models/open-grants.ts';
import type { AskContext } from './ask-model.ts';

/** Who is asked, for which call. */
interface Asked {
  readonly role: string;
  readonly call: number;
}

/** The id for the next grant, once everything that this call began before and never ended is written down as cut off. */
export async function closeCutOff(
  { ledger, record, runId, subject, actor }: AskContext,
  { role, call }: Asked,
): Promise<string> {
  const { next, open } = readGrants(await ledger.readRun(runId), role, call);
  for (const { id, atMost, model } of open) {
    await record({
      ...{ subject, run: runId, actor },
      kind: 'model-failed',
      data: {
        ...{ role, model, reportedModel: '', credential: '', why: 'call-cut-off' },
        ...{ usage: atMost, isAtMost: true, grant: { id } },
      },
    });
  }
  return next;
}

/**
 * Writes down what a call has used so far with each turn, and waits for all of it at the end.
 * @param write gets the sum, and how much the last turn has read
 */
export function makeMeter(write: (used: Usage, read: number) => Promise<void>) {
  let earlier = noUsage;
  let last = noUsage;
  let writing = Promise.resolve();
  return {
    take(used: Usage): void {
      if (used.turns === last.turns) return;
      // It counts from the beginning again with each credential.
      if (used.turns < last.turns) {
        earlier = addUsage(earlier, last);
        last = noUsage;
      }
      const read = used.inputTokens - last.inputTokens;
      last = used;
      const total = addUsage(earlier, used);
      // A failed write is ignored here: if the ledger refuses writes, the next entry of the run fails too and reports
      // it.
      writing = writing.then(() => write(total, read)).catch(() => undefined);
    },
    end: (): Promise<void> => writing,
  };
}
