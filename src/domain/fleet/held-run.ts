/** The run that the label "hold" keeps from beginning, by the ledger: it continues when a person removes the label. */
import type { SubjectState } from '../ledger/subject-state.ts';

/**
 * The newest run that waits; also one that was taken up and cut off before it got anywhere. Null when there is none, or
 * when a later one has worked since: what was wanted before that is not wanted any more.
 */
export function findHeldRun({ runs }: Pick<SubjectState, 'runs'>): string | null {
  const newest = runs.findLast(({ agent, held }) => agent === 'implementer' && held !== null);
  return newest === undefined || newest.held?.isWorkedSince === true ? null : newest.run;
}
