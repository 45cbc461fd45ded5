/** Runs that must not be resumed automatically: another run has done work on the same subject since. */
import type { SubjectState } from '../../domain/ledger/subject-state.ts';

/** Whether a later run of the same agent on the same subject has asked a model since this one last got anywhere. */
export function isOvertaken({ runs }: Pick<SubjectState, 'runs'>, run: { readonly id: string }): boolean {
  return runs.some((one) => one.run === run.id && one.isOvertaken);
}
