/**
 * Approvals that were given before an agent settled a conflict are about another change. GitHub counts them on, unless
 * its rule dismisses stale approvals; we do not.
 */
import type { MergeRules } from '../../domain/forge/forge-rules.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { isTrusted, type MergeSource, readEntries } from './find-merge-grant.ts';
import { listOwnMoves } from './rules/merge-grant.ts';

/** The head as it was before the last conflict was settled on the branch; null when none was. */
function findHeadBefore(entries: readonly LedgerEntry[], number: number, branch: string): string | null {
  const moves = listOwnMoves(entries, number, branch);
  const met = entries.findLast(
    (entry) => entry.kind === 'conflict-met' && moves.some(({ from }) => from === entry.data.head),
  );
  return met?.kind === 'conflict-met' ? met.data.head : null;
}

/** The rules with only those approvals counted that are about the change since then. */
export async function countCurrentApprovals(
  source: MergeSource,
  { number, branch }: { readonly number: number; readonly branch: string },
  rules: MergeRules,
): Promise<MergeRules> {
  if (rules.approvals === 0 || rules.reviews !== 'enough') return rules;
  const before = findHeadBefore(await readEntries(source, number), number, branch);
  if (before === null) return rules;
  const { forge, repository, trees } = source;
  // A commit that is not here is not the present head, nor anything that was pushed on top of the settled conflict.
  const isOutdated = async (commit: string): Promise<boolean> =>
    !(await trees.hasCommit(commit)) || (await trees.findMergeBase(commit, before)) === commit;
  const reviews = await forge.listReviews(repository, number);
  const decisions = new Map(
    reviews.filter(({ state }) => state !== 'commented').map((review) => [review.author, review]),
  );
  let current = 0;
  for (const { author, authorKind, state, commit } of decisions.values())
    if (state === 'approved' && (await isTrusted(source, author, authorKind)) && !(await isOutdated(commit)))
      current += 1;
  return current >= rules.approvals ? rules : { ...rules, reviews: 'missing' };
}
