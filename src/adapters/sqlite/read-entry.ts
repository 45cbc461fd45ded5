/** From a row of the ledger to an entry. */
import type { ChainRow } from '../../domain/ledger/chain.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../../errors.ts';

/** The row is not checked here, because the chain vouches for it: a caller that has to detect tampering uses `verify`. */
export function toEntry(row: ChainRow): LedgerEntry {
  const { id: _, key, data, ...fields } = row;
  try {
    return { ...fields, ...(key === null ? {} : { key }), data: JSON.parse(data) } as LedgerEntry;
  } catch (cause) {
    throw new GatewrightError('ledger-broken', `Entry ${row.seq} of ${row.subject} cannot be read.`, {
      cause,
    });
  }
}

/** Whether a subject is of a repository: `owner/name` with what subjects put after it, and not `owner/name-two`. */
export const inRepository = (subject: string): string =>
  `(substr(${subject}, 1, length(@repository)) = @repository
    AND substr(${subject}, length(@repository) + 1, 1) IN ('#', ':', '@', '~'))`;
