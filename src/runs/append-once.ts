/** Writes entries once: after a crash a run repeats its steps, and the entries of the first time stand. */
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import { isGatewrightError } from '../errors.ts';
import type { Fence, Ledger } from '../ports/ledger.ts';

/** All of the entries or none: with one that is there already, nothing is written. */
export async function appendOnce(
  ledger: Pick<Ledger, 'append'>,
  entries: readonly NewEntry[],
  fence?: Fence,
): Promise<void> {
  try {
    await ledger.append(entries, fence);
  } catch (error) {
    if (!isGatewrightError(error, 'ledger-conflict')) throw error;
  }
}
