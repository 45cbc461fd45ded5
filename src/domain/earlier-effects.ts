/** Whether something was done about a subject before. Read from receipts: what stands on the forge may be anybody's. */
import type { LedgerEntry } from './ledger-entry.ts';

/** By another run than this one, whose own effects are found by their keys anyway. */
export function wasDoneBefore(entries: readonly LedgerEntry[], key: string, run: string): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'effect-receipted' &&
      entry.run !== run &&
      entry.key?.startsWith(`${entry.run}/${key}#`) === true,
  );
}
