/** What was shown about a change by running its tests; the result of prove-change.ts. */
import type { FleetEntryData } from '../../../../domain/ledger/fleet-entries.ts';
import type { BaseComparison } from './compare-with-base.ts';
import type { NoCounts, TestCounts } from './count-tests.ts';
import type { Weakened } from './weakened.ts';

export interface Proof {
  readonly isProven: boolean;
  /** What is missing, one sentence each; empty when it is proven, and when only tests fail that failed before. */
  readonly reasons: readonly string[];
  /** Of the change itself. */
  readonly counts: TestCounts | NoCounts;
  /** Test cases that the change adds, by its text. */
  readonly newCases: number;
  /** `not-run`: it fails as it is, or nothing in it has to be shown by a test. */
  readonly redGreen: FleetEntryData['change-proven']['redGreen'];
  /** Of the commit before it, with the tests of the change; null when that was not run. */
  readonly without: TestCounts | NoCounts | null;
  readonly weakened: readonly Weakened[];
  /** Where tests fail before the change too and that was looked at. */
  readonly comparison?: BaseComparison;
}

/** A runner was at work and ran nothing: that is no success, whatever its exit code. */
export function ranNoTest({ counts }: Pick<Proof, 'counts'>): boolean {
  return counts.runner !== null && counts.executed + counts.errors === 0;
}
