/**
 * Whether a pull request conflicts with its base. Git itself is asked: a forge computes this late, and after a merge its
 * answer may be about the base as it was before.
 */
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import type { OpenMerge } from '../../runs/coding/merge-in-copy.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import type { WorkedPull } from './find-pulls.ts';

type Place = Pick<AgentContext, 'repository' | 'transport' | 'workspaces'>;
type Branches = Pick<WorkedPull, 'branch' | 'base' | 'head'>;

/** Fetches both; returns the newest commit of the base. */
async function fetchBoth(
  { repository, transport }: Place,
  number: number,
  { branch, base, head }: Branches,
): Promise<string> {
  await transport.fetchCommit(repository, head, { pullRequest: number, branch });
  return transport.fetchBranch(repository, base);
}

export async function isInConflict(place: Place, number: number, pull: Branches): Promise<boolean> {
  const base = await fetchBoth(place, number, pull);
  return (await place.workspaces.mergeTrees(pull.head, base)) === null;
}

/** The merge of the base into the branch with its conflicts; null when there are none. */
export async function findConflict(place: Place, number: number, pull: Branches): Promise<OpenMerge | null> {
  const base = await fetchBoth(place, number, pull);
  const merge = await place.workspaces.mergeWithMarkers(pull.head, base);
  return merge === null ? null : { head: pull.head, base, ...merge };
}

/** More open pull requests than these are not looked at after a merge; their own events show their conflicts. */
const mostPulls = 50;

/** The open pull requests of ours that conflict with the base which another one was merged into. */
async function listConflicting(context: AgentContext, merged: number): Promise<number[]> {
  const { forge, ledger, repository } = context;
  const { base } = await forge.getPullRequest(repository, merged);
  const open = await forge.listPullRequests(repository, { state: 'open', base: base.branch });
  const conflicting: number[] = [];
  for (const { number, head } of open.slice(0, mostPulls)) {
    const made = await ledger.find('pull-request-made', issueSubject(repository, number));
    if (made?.data.branch !== head.branch || !isSameRepository(head.repository, repository)) continue;
    const branches = { branch: head.branch, base: base.branch, head: head.sha };
    if (await isInConflict(context, number, branches)) conflicting.push(number);
  }
  return conflicting;
}

/** Each of them is brought up to date by a run of its own. */
export async function handOnConflicts(context: AgentContext, merged: number): Promise<AgentEnd> {
  const numbers = await context.once('conflicting', () => listConflicting(context, merged));
  if (numbers.length === 0)
    return { message: `#${merged} was merged; no pull request of ours conflicts with it` };
  return {
    message: `#${merged} was merged; ${numbers.map((number) => `#${number}`).join(', ')} conflict with it`,
    handoffs: numbers.map((number) => ({ to: 'implementer', task: 'update', number })),
  };
}
