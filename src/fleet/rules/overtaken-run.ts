/** Runs that nobody should take up again by themselves: what they were for was worked on since by another. */
import type { SubjectState } from '../../domain/ledger/subject-state.ts';

/** Whether a later run of the same agent on the same subject has asked a model since this one last got anywhere. */
export function isOvertaken({ runs }: Pick<SubjectState, 'runs'>, run: { readonly id: string }): boolean {
  return runs.some((one) => one.run === run.id && one.isOvertaken);
}
