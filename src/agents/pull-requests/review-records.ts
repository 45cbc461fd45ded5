/** The reviews of a pull request as the ledger has them. What stands in reviews and comments on the forge counts for nothing. */

import { isReviewClean, type StoredReview, storedReviewSchema } from '../../domain/changes/review-finding.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import type { Ledger } from '../../ports/ledger.ts';

interface RecordedReview extends StoredReview {
  /** The run that made it. */
  readonly run: string;
  /** Place of its entry in the chain. */
  readonly seq: number;
  /** The hash of its entry. */
  readonly entry: Sha256;
  readonly by: string;
  /** With what has been dismissed by now left aside. */
  readonly isClean: boolean;
}

export interface ReviewRecords {
  /** Oldest first. */
  readonly reviews: readonly RecordedReview[];
  /** Identities of findings that people dismissed. */
  readonly dismissed: ReadonlySet<string>;
}

/** What a review of a commit is found by. */
export function reviewKey(repository: string, number: number, commit: string): string {
  return `${issueSubject(repository, number)}@${commit}`;
}

export async function readReviewRecords(
  ledger: Pick<Ledger, 'readWork' | 'getText'>,
  repository: string,
  number: number,
): Promise<ReviewRecords> {
  const entries = await ledger.readWork(issueSubject(repository, number));
  const dismissed = new Set(
    entries.flatMap((entry) => (entry.kind === 'finding-dismissed' ? [entry.data.finding] : [])),
  );
  const reviews: RecordedReview[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'code-reviewed' || entry.data.number !== number) continue;
    const review = storedReviewSchema.parse(JSON.parse(await ledger.getText(entry.data.review)));
    const isClean = isReviewClean(review.findings, dismissed);
    const { commit, by } = entry.data;
    reviews.push({ ...review, commit, by, run: entry.run, seq: entry.seq, entry: entry.hash, isClean });
  }
  return { reviews, dismissed };
}
