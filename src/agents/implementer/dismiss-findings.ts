/**
 * Writes down which findings somebody dismissed. Whether they may was judged before an agent was woken for their comment.
 * A finding stays dismissed in later reviews of the same pull request; a review whose last open finding is dismissed
 * becomes clean by it, without being made anew.
 */

import type { AgentContext } from '../agent.ts';
import { readReviewRecords } from '../pull-requests/review-records.ts';
import { readDismissals } from './rules/dismissal.ts';

export interface DismissalOutcome {
  /** Those that this comment names and that a review of the pull request has raised. */
  readonly dismissed: readonly string[];
  /** Those that no review has raised: a mistake in writing, most likely. */
  readonly unknown: readonly string[];
  /** How the newest review stands now; null when there is none. */
  readonly isClean: boolean | null;
}

/** Null when the comment dismisses nothing. To be called by whoever is woken by it, with the pull request as the subject. */
export async function dismissFindings(
  context: Pick<AgentContext, 'ledger' | 'record' | 'repository' | 'settings' | 'subject'>,
  number: number,
  comment: { readonly text: string; readonly by: string },
): Promise<DismissalOutcome | null> {
  const { ledger, repository } = context;
  const named = readDismissals(comment.text, context.settings.handle);
  if (named.length === 0) return null;
  const before = await readReviewRecords(ledger, repository, number);
  const raised = new Set(before.reviews.flatMap(({ findings }) => findings.map(({ id }) => id)));
  const dismissed = named.filter(({ finding }) => raised.has(finding));
  for (const { finding, why } of dismissed) {
    const data = { finding, by: comment.by, why };
    await context.record({ kind: 'finding-dismissed', key: `${context.subject}/${finding}`, data });
  }
  const after = await readReviewRecords(ledger, repository, number);
  return {
    dismissed: dismissed.map(({ finding }) => finding),
    unknown: named.filter(({ finding }) => !raised.has(finding)).map(({ finding }) => finding),
    isClean: after.reviews.at(-1)?.isClean ?? null,
  };
}
