/**
 * Whether a pull request conflicts with its base. Git itself is asked: a forge computes this late, and after a merge its
 * answer may be about the base as it was before.
 */
import type { EventOf } from '../../domain/fleet/event.ts';
import { findEarlierStep } from '../../domain/ledger/earlier-runs.ts';
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

/** Whether an agent has worked on this very conflict: the runs for it hand on what is left to do. */
async function isMet({ ledger, repository }: AgentContext, number: number, head: string, tip: string) {
  const entries = await ledger.readWork(issueSubject(repository, number));
  return entries.some(
    (entry) => entry.kind === 'conflict-met' && entry.data.head === head && entry.data.base === tip,
  );
}

/** The open pull requests of ours that conflict with the base that they go onto, as it is now. */
async function listConflicting(context: AgentContext, base: string): Promise<number[]> {
  const { forge, ledger, repository, transport } = context;
  const open = await forge.listPullRequests(repository, { state: 'open', base });
  const conflicting: number[] = [];
  for (const { number, head } of open.slice(0, mostPulls)) {
    const made = await ledger.find('pull-request-made', issueSubject(repository, number));
    if (made?.data.branch !== head.branch || !isSameRepository(head.repository, repository)) continue;
    const branches = { branch: head.branch, base, head: head.sha };
    if (!(await isInConflict(context, number, branches))) continue;
    const tip = await transport.fetchBranch(repository, base);
    // A push and a merge may tell of the same move.
    if (!(await isMet(context, number, head.sha, tip))) conflicting.push(number);
  }
  return conflicting;
}

function handOn(numbers: readonly number[]): Pick<AgentEnd, 'handoffs'> {
  return { handoffs: numbers.map((number) => ({ to: 'implementer', task: 'update', number })) };
}

const conflicts = (numbers: readonly number[]): string =>
  `${numbers.map((number) => `#${number}`).join(', ')} ${numbers.length === 1 ? 'conflicts' : 'conflict'} with it`;

/** Each of them is brought up to date by a run of its own. */
export async function handOnConflicts(context: AgentContext, merged: number): Promise<AgentEnd> {
  const numbers = await context.once('conflicting', async () => {
    const { base } = await context.forge.getPullRequest(context.repository, merged);
    return listConflicting(context, base.branch);
  });
  if (numbers.length === 0)
    return { message: `#${merged} was merged; no pull request of ours conflicts with it` };
  return {
    message: `#${merged} was merged; ${conflicts(numbers)}`,
    ...handOn(numbers),
  };
}

/** The same after a push. Of several pushes in a row, one look is enough: it is at the branch as it is now. */
export async function handOnAfterPush(
  context: AgentContext,
  { branch }: Pick<EventOf<'base-pushed'>, 'branch'>,
): Promise<AgentEnd> {
  const { ledger, repository, runId, subject, transport } = context;
  const tip = await context.once('tip', () => transport.fetchBranch(repository, branch));
  const step = `conflicting/${branch}/${tip}`;
  if (findEarlierStep(await ledger.readWork(subject), step, runId) !== null)
    return { message: `${branch} at ${tip.slice(0, 12)} was looked at before` };
  const numbers = await context.once(step, () => listConflicting(context, branch));
  const at = `${branch} is at ${tip.slice(0, 12)}`;
  if (numbers.length === 0) return { message: `${at}; no pull request of ours conflicts with it` };
  return { message: `${at}; ${conflicts(numbers)}`, ...handOn(numbers) };
}
