/** The facts of a sync: the template now and when it was last brought over, our own files, and the open pull request. */

import { ownBranches } from '../../domain/forge/own-branches.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { isSameRepository } from '../../domain/ledger/subject.ts';
import type { AgentContext } from '../agent.ts';

export const branchPrefix = `${ownBranches}template-sync-`;

export interface OpenSync {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  /** Whether all commits on it are ours: no other author has pushed to it. */
  readonly isOurs: boolean;
  readonly isConflicting: boolean;
  readonly labels: readonly string[];
  /** What of the template is in it, if that is known here. */
  readonly template: string | null;
}

export interface SyncFacts {
  readonly source: string;
  /** The default branch, and its newest commit. */
  readonly branch: string;
  readonly base: string;
  /** The newest commit of the template. */
  readonly template: string;
  /** The commit of the template that it is compared with; null the first time. */
  readonly since: string | null;
  readonly open: OpenSync | null;
}

function listSyncs(entries: readonly LedgerEntry[], source: string): EntryOf<'template-synced'>['data'][] {
  return entries.flatMap((entry) =>
    entry.kind === 'template-synced' && entry.data.source === sha256(source) ? [entry.data] : [],
  );
}

function hasPushed(entries: readonly LedgerEntry[], commit: string): boolean {
  return entries.some((entry) => {
    if (entry.kind !== 'effect-intended') return false;
    const { effect } = entry.data;
    return effect.kind === 'push-branch' && effect.commit === commit;
  });
}

/** Only one is open at a time; an earlier one that is closed was merged or declined, and does not matter any more. */
async function findOpen(
  { forge, repository, own }: AgentContext,
  entries: readonly LedgerEntry[],
): Promise<OpenSync | null> {
  // Asked of the forge, not of the ledger: another machine may have made it.
  const pulls = await forge.listPullRequests(repository, { state: 'open', author: own });
  const found = pulls.find(
    ({ head, author }) =>
      author === own && isSameRepository(head.repository, repository) && head.branch.startsWith(branchPrefix),
  );
  if (found === undefined) return null;
  const { number } = found;
  const pull = await forge.getPullRequest(repository, number);
  const last = entries.findLast((entry) => entry.kind === 'template-synced' && entry.data.number === number);
  return {
    number,
    branch: pull.head.branch,
    head: pull.head.sha,
    isOurs: hasPushed(entries, pull.head.sha),
    isConflicting: pull.mergeable === 'conflicting',
    labels: [...pull.labels],
    template: last?.kind === 'template-synced' ? last.data.template : null,
  };
}

export async function gatherSync(context: AgentContext, source: string): Promise<SyncFacts> {
  const { forge, repository, transport, templates, trees } = context;
  // This run may have pushed or recorded already only if these facts were kept; then they are not gathered again.
  const entries = await context.ledger.readWork(context.subject);
  const open = await findOpen(context, entries);
  const branch = await forge.defaultBranch(repository);
  const base = await transport.fetchBranch(repository, branch);
  const { commit: template } = await templates.fetchTemplate(source);
  const settled = listSyncs(entries, source).findLast(({ number }) => number !== open?.number);
  const isKnown = settled !== undefined && (await trees.hasCommit(settled.template));
  // A repository that was cloned from its template has a common past with it.
  const since = isKnown ? settled.template : await trees.findMergeBase(base, template);
  return { source, branch, base, template, since, open };
}
