/** One line for each entry of the ledger. */
import { describeEntry } from '../../../domain/ledger/describe-entry.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

export function summariseEntry(entry: LedgerEntry): string {
  return `${entry.kind.padEnd(19)} ${escapeForLine(describeEntry(entry), 160)}`;
}
