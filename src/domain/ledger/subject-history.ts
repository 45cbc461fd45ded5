/** What the ledger holds about an issue or a pull request that decides which agent an event is for. Pure. */
import type { WorkerName } from '../fleet/agent-names.ts';
import type { EventKind } from '../fleet/event.ts';
import type { SubjectState } from './subject-state.ts';

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

/** Of the chain of issue or pull request `number`. */
export function readSubjectHistory(state: SubjectState, number: number): SubjectHistory {
  const newest = Object.entries(state.newest) as [WorkerName, { readonly isStopped: boolean }][];
  return {
    hasOpenPlan: state.openPlan !== null,
    stopped: newest.flatMap(([agent, { isStopped }]) => (isStopped ? [agent] : [])),
    wokenBy: state.wokenBy,
    handedHeads: state.enqueued.flatMap((one) => (one.number === number ? [one.head] : [])),
  };
}
