/**
 * Records which findings a person dismissed. The right to do so was checked before the comment started an agent. A
 * finding stays dismissed in later reviews of the same pull request; a review whose last open finding is dismissed
 * becomes clean without being made again.
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

/**
 * Null when the comment dismisses nothing. The agent that the comment started calls this, with the pull request as its
 * subject.
 */
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
