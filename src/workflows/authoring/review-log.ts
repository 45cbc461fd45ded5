/** The review log at the end of a design: code writes it from the ledger, so that no drafter can claim a review. */
import type { EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { inlineMarkdown } from '../../domain/text/markdown.ts';

interface Review {
  readonly at: string;
  readonly by: string;
  readonly decision: string;
  readonly blocking: number;
}

export function listReviews(entries: readonly LedgerEntry[]): Review[] {
  return entries
    .filter((entry): entry is EntryOf<'verdict'> => entry.kind === 'verdict')
    .map(({ at, data }) => ({ at, by: data.by, decision: data.decision, blocking: data.blocking }));
}

export function appendReviewLog(draft: string, reviews: readonly Review[], approvedBy: string): string {
  const rows = reviews.map(
    (review, index) =>
      `| ${index + 1} | ${review.at.slice(0, 10)} | ${inlineMarkdown(review.by)} | ${review.decision} | ${review.blocking} |`,
  );
  return `${draft.trimEnd()}

## Appendix: Review Log

| Review | Date | By | Decision | Blocking findings |
|---|---|---|---|---|
${rows.join('\n')}

**Final status:** APPROVED by ${inlineMarkdown(approvedBy)}
`;
}
