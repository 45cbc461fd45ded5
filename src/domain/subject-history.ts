/** What the ledger holds about an issue or a pull request that decides which agent an event is for. Pure. */
import type { WorkerName } from './agent-names.ts';
import { begunAgentRun } from './begun-agent-run.ts';
import type { EventKind } from './event.ts';
import { findOpenPlan } from './implementer-history.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { listHanded } from './queue-removal.ts';

export interface SubjectHistory {
  /** Whether a plan of ours waits for an answer. */
  readonly hasOpenPlan: boolean;
  /** Agents whose last run about it has stopped and was not resumed. */
  readonly stopped: readonly WorkerName[];
  /** Which kinds of events each agent has begun runs for. */
  readonly wokenBy: Readonly<Partial<Record<WorkerName, readonly EventKind[]>>>;
  /** Heads that were handed to the merge queue of the forge. */
  readonly handedHeads: readonly string[];
}

export const emptyHistory: SubjectHistory = { hasOpenPlan: false, stopped: [], wokenBy: {}, handedHeads: [] };

/** The last run that each agent began, without dry runs. */
function lastRuns(entries: readonly LedgerEntry[]): Map<WorkerName, string> {
  return new Map(
    entries.flatMap((entry) => {
      const agent = begunAgentRun(entry)?.agent;
      return agent === undefined ? [] : [[agent, entry.run] as const];
    }),
  );
}

function listStopped(entries: readonly LedgerEntry[]): WorkerName[] {
  return [...lastRuns(entries)].flatMap(([agent, run]) => {
    const last = entries.findLast(
      (entry) =>
        entry.run === run &&
        (entry.kind === 'run-stopped' || entry.kind === 'run-resumed' || entry.kind === 'run-ended'),
    );
    return last?.kind === 'run-stopped' ? [agent] : [];
  });
}

function listWaking(entries: readonly LedgerEntry[]): SubjectHistory['wokenBy'] {
  const kinds = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'event-received' ? [[entry.key ?? '', entry.data.kind] as const] : [],
    ),
  );
  const wokenBy: Partial<Record<WorkerName, readonly EventKind[]>> = {};
  for (const entry of entries) {
    const begun = begunAgentRun(entry);
    const kind = begun === null ? undefined : kinds.get(begun.delivery);
    if (begun === null || kind === undefined) continue;
    wokenBy[begun.agent] = [...new Set([...(wokenBy[begun.agent] ?? []), kind])];
  }
  return wokenBy;
}

/** Of the chain of issue or pull request `number`. */
export function readSubjectHistory(entries: readonly LedgerEntry[], number: number): SubjectHistory {
  return {
    hasOpenPlan: findOpenPlan(entries) !== null,
    stopped: listStopped(entries),
    wokenBy: listWaking(entries),
    handedHeads: listHanded(entries, number).map(({ head }) => head),
  };
}
