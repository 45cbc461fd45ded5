/** Pull requests that work on an issue or an order has to do with: the one that is spoken of, and those that are open for it. */

import type { ImplementerHistory } from '../../domain/fleet/implementer-history.ts';
import { listClosingReferences } from '../../domain/forge/closing-references.ts';
import { isBranchName } from '../../domain/forge/git-names.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import type { PullRequest } from '../../ports/forge/forge-code.ts';
import type { AgentContext } from '../agent.ts';
import type { PullObstacle } from './rules/implementer-mode.ts';

/** A pull request that may be worked on. */
export interface WorkedPull {
  /** Whether Gatewright opened it; otherwise a person did, and it is changed only on an order. */
  readonly isOurs: boolean;
  readonly issue: number | null;
  /** The text of the issue that was implemented; null in pull requests that were made before this text was kept. */
  readonly text: Sha256 | null;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly labels: readonly string[];
  readonly isMerged: boolean;
}

export interface FoundPull {
  readonly pull: WorkedPull;
  /** Why nothing can be pushed to it. */
  readonly obstacle: PullObstacle | null;
}

async function findObstacle(
  { forge, repository }: AgentContext,
  head: PullRequest['head'],
): Promise<PullObstacle | null> {
  if (!isSameRepository(head.repository, repository)) return 'from-fork';
  // The default branch changes through merges, not through an order.
  if (head.branch === (await forge.defaultBranch(repository))) return 'default-branch';
  return isBranchName(head.branch) ? null : 'branch-name';
}

export async function findPull(context: AgentContext, number: number): Promise<FoundPull> {
  const { ledger, forge, repository } = context;
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const { head, base, labels, state } = await forge.getPullRequest(repository, number);
  const isMerged = state === 'merged';
  const place = {
    ...{ branch: head.branch, head: head.sha, base: base.branch },
    ...{ labels: [...labels], isMerged },
  };
  // A pull request with this number but another branch is not ours, even if the ledger has an entry for the number.
  if (made !== null && head.branch === made.data.branch && isSameRepository(head.repository, repository)) {
    const { issue, text = null } = made.data;
    return { pull: { isOurs: true, issue, text, ...place }, obstacle: null };
  }
  const pull = { isOurs: false, issue: null, text: null, ...place };
  return { pull, obstacle: await findObstacle(context, head) };
}

/** Our own for an issue. */
export async function findOpenPull(
  { forge, repository }: AgentContext,
  history: ImplementerHistory,
): Promise<number | null> {
  for (const { number } of history.pulls.toReversed()) {
    const { state } = await forge.getPullRequest(repository, number);
    if (state === 'open') return number;
  }
  return null;
}

/** Older ones than these many are not looked at. */
const mostPulls = 300;
const mostAuthors = 10;

export function otherPullKey(number: number): string {
  return `answer/other-pull/${number}`;
}

/**
 * An open pull request by another author that says it closes the issue, and that we have not mentioned there yet. Only
 * pull requests of authors with write permission count: otherwise a stranger could block the work by opening one.
 */
export async function findOtherPull(
  { forge, repository }: AgentContext,
  issue: number,
  history: ImplementerHistory,
): Promise<number | null> {
  const open = (await forge.listPullRequests(repository, { state: 'open' })).slice(0, mostPulls);
  const closing = open.filter(({ body }) => listClosingReferences(body).includes(issue));
  for (const { number, head, author } of closing.slice(0, mostAuthors)) {
    if (history.wasSaid(otherPullKey(number))) continue;
    if (isSameRepository(head.repository, repository)) return number;
    if (isAtLeast(await forge.permissionOf(repository, author), 'write')) return number;
  }
  return null;
}
