/** Work that the label "hold" keeps from beginning, by the ledger: what goes on when somebody takes the label off. */
import { listBeginnings } from './implementer-history.ts';
import type { LedgerEntry } from './ledger-entry.ts';

/**
 * The newest run that waits; also one that was taken up and cut off before it got anywhere. Null when there is none, or
 * when a later one has worked since: what was wanted before that is not wanted any more.
 */
export function findHeldRun(entries: readonly LedgerEntry[]): string | null {
  const runs = listBeginnings(entries).map(({ run }) => run);
  for (const run of runs.toReversed()) {
    const last = entries.findLast(
      (entry) => entry.run === run && (entry.kind === 'run-stopped' || entry.kind === 'run-ended'),
    );
    if (last?.kind !== 'run-stopped' || last.data.reason.code !== 'held') continue;
    const hasWorked = entries.some(
      (entry) =>
        entry.kind === 'prompt-sent' && entry.seq > last.seq && entry.run !== run && runs.includes(entry.run),
    );
    return hasWorked ? null : run;
  }
  return null;
}
