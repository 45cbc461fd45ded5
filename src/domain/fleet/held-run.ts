/** The run that the label "hold" keeps from beginning, by the ledger: it continues when a person removes the label. */
import type { SubjectState } from '../ledger/subject-state.ts';

/**
 * The newest run that the label holds, or one that was resumed and cut off before it did any work. Null when there is
 * none, or when a later run has worked since: then the held order is out of date.
 */
export function findHeldRun({ runs }: Pick<SubjectState, 'runs'>): string | null {
  const newest = runs.findLast(({ agent, held }) => agent === 'implementer' && held !== null);
  return newest === undefined || newest.held?.isWorkedSince === true ? null : newest.run;
}
