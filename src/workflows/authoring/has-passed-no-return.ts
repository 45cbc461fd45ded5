import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AuthoringDefinition } from './definition.ts';

/** Whether a run has done its last step, or was about to: a new run on the same brief would do it a second time. */
export function hasPassedNoReturn(
  run: string,
  { pointOfNoReturn }: Pick<AuthoringDefinition, 'pointOfNoReturn'>,
  entries: readonly LedgerEntry[],
): boolean {
  const failed = new Set(entries.filter((entry) => entry.kind === 'effect-failed').map((entry) => entry.key));
  return entries.some(
    (entry) =>
      entry.kind === 'effect-intended' &&
      entry.key?.startsWith(`${run}/${pointOfNoReturn}#`) === true &&
      !failed.has(entry.key),
  );
}
