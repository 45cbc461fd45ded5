/** One line for each entry of the ledger. */
import { describeEntry } from '../../../domain/ledger/describe-entry.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

/** People who ask what a merge rested on want all of it. */
const longestOf: Partial<Readonly<Record<LedgerEntry['kind'], number>>> = { 'merge-granted': 800 };

export function summariseEntry(entry: LedgerEntry): string {
  return `${entry.kind.padEnd(19)} ${escapeForLine(describeEntry(entry), longestOf[entry.kind] ?? 160)}`;
}
