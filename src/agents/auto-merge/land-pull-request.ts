/** Merges pull requests into their base, and tidies up afterwards. */

import { labelNames } from '../../domain/forge/labels.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import { plainText, plainTitle } from '../../domain/forge/plain-title.ts';
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext } from '../agent.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { recordGrounds } from './record-grounds.ts';
import { type MergeFacts, type UnmetCondition, unmetBeforeTrying } from './rules/merge-conditions.ts';
import { findGrounds } from './rules/merge-grounds.ts';

export interface Member {
  readonly number: number;
  /** The commit that was reviewed and is merged; no other. */
  readonly head: string;
}

/** One line; empty when nothing stands in the way. */
export function describeUnmet(unmet: readonly UnmetCondition[]): string {
  return unmet.map(({ what }) => what).join('; ');
}

/**
 * Testing takes minutes, and a person may set "hold" in that time. A pull request that is already merged at this head
 * was merged by us.
 */
async function readIfReady(context: AgentContext, { number, head }: Member): Promise<MergeFacts | null> {
  const facts = await gatherMergeFacts(context, number);
  if (facts.head !== head) return null;
  return facts.state === 'merged' || unmetBeforeTrying(facts).length === 0 ? facts : null;
}

/** Whether all of them may still be merged; then what allows it is on the ledger. */
async function areReady(
  context: AgentContext,
  members: readonly Member[],
  tested: string | null,
): Promise<boolean> {
  const all: MergeFacts[] = [];
  for (const member of members) {
    const facts = await readIfReady(context, member);
    if (facts === null) return false;
    all.push(facts);
  }
  for (const facts of all) await recordGrounds(context, findGrounds(facts, { by: 'merge', tested }));
  return true;
}

/** Older corrections than these many are left out of a message. */
const mostSummaries = 10;

/** What later commits of ours did that are part of what is merged, in order. */
async function readLaterSummaries(context: AgentContext, { number, head }: Member): Promise<string[]> {
  const { ledger, repository, trees } = context;
  const entries = await ledger.readWork(issueSubject(repository, number));
  const said: string[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'work-summarised' || entry.data.number !== number) continue;
    const { commit, summary } = entry.data;
    // What was pushed over since is not merged.
    if (!(await trees.hasCommit(commit)) || (await trees.findMergeBase(commit, head)) !== commit) continue;
    said.push(plainText(await ledger.getText(summary)));
  }
  return said.slice(-mostSummaries);
}

/** What its commit says: for a pull request of ours also what was done and why, with its corrections. */
async function writeMessage(context: AgentContext, { number, head }: Member) {
  const { forge, ledger, repository } = context;
  const { title } = await forge.getPullRequest(repository, number);
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const { issue = null, summary } = made?.data ?? {};
  const said = summary === undefined ? '' : plainText(await ledger.getText(summary));
  const later = await readLaterSummaries(context, { number, head });
  const parts = [said, ...later, `${issue === null ? '' : `For #${issue}. `}Reviewed at ${head}.`];
  return {
    title: `${plainTitle(title, number)} (#${number})`,
    body: await ledger.putText(`${parts.filter((part) => part !== '').join('\n\n')}\n`),
  };
}

/**
 * Whether a branch moved, or a pull request was merged or closed by another actor, so that the facts have to be read
 * again.
 */
async function hasMoved(
  { forge, repository }: AgentContext,
  error: unknown,
  members: readonly Member[],
): Promise<boolean> {
  if (isGatewrightError(error, 'head-moved', 'merge-conflict')) return true;
  if (!isGatewrightError(error, 'merge-refused')) return false;
  for (const { number } of members)
    if ((await forge.getPullRequest(repository, number)).state !== 'open') return true;
  return false;
}

/**
 * Merges exactly this head onto exactly this base and returns the commit; null when one of them has moved, or when a
 * condition of the decision does not hold any more.
 * @param tested the commit that our command tested; null when none is set
 */
export async function landPullRequest(
  context: AgentContext,
  member: Member,
  { base, tested }: { readonly base: string; readonly tested: string | null },
  checkStillHeld: () => Promise<void>,
): Promise<string | null> {
  const { effects, repository } = context;
  const { number, head } = member;
  const key = `merge/${number}`;
  if ((await effects.momentOf(key)) === null && !(await areReady(context, [member], tested))) return null;
  await checkStillHeld();
  try {
    const { commit } = await effects.perform(key, 'merge-pull-request', async () => ({
      ...{ repository, number, head, base },
      ...(await writeMessage(context, member)),
      methods: (await context.forge.readMergeRules(repository, number)).methods,
    }));
    return commit;
  } catch (error) {
    if (await hasMoved(context, error, [member])) return null;
    throw error;
  }
}

/** The same for several, in one move: all of them, as what was tested, or none. */
export async function landTogether(
  context: AgentContext,
  steps: readonly (Member & { readonly tree: string; readonly commit: string })[],
  base: string,
  checkStillHeld: () => Promise<void>,
): Promise<readonly string[] | null> {
  const { effects, repository } = context;
  const key = `merge/${steps.map(({ number }) => number).join('+')}`;
  const tested = steps.at(-1)?.commit ?? null;
  if ((await effects.momentOf(key)) === null && !(await areReady(context, steps, tested))) return null;
  await checkStillHeld();
  try {
    const { commits } = await effects.perform(key, 'merge-together', async () => ({
      ...{ repository, base },
      pulls: await Promise.all(
        steps.map(async ({ number, head, tree }) => ({
          ...{ number, head, tree },
          ...(await writeMessage(context, { number, head })),
        })),
      ),
    }));
    return commits;
  } catch (error) {
    if (await hasMoved(context, error, steps)) return null;
    throw error;
  }
}

/** The work that is left after a merge. It is decided once, so that a resumed run finishes what it began. */
async function findLeftovers({ forge, ledger, repository }: AgentContext, number: number) {
  const { head, base } = await forge.getPullRequest(repository, number);
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  // Branches of workflows have other names; the ledger says which one we made.
  const isMade = head.branch.startsWith(ownBranches) || head.branch === made?.data.branch;
  const isOurs = isSameRepository(head.repository, repository) && isMade;
  const issue = made?.data.issue ?? null;
  const found = issue === null ? null : await forge.getIssue(repository, issue);
  const isFinal = base.branch === (await forge.defaultBranch(repository));
  return {
    branch: isOurs ? head.branch : null,
    // A forge closes the issues that the text of a pull request names, but the text may have been edited since.
    toClose: isFinal && found?.state === 'open' ? issue : null,
    worked: found?.labels.includes(labelNames.working) === true ? issue : null,
  };
}

/** The name of the step that decides what is left to do after the merge. */
export const leftoverStep = (number: number): string => `left/${number}`;

/**
 * Deletes the branch if it is one of ours, closes the issue that the pull request was made for, and takes the working
 * label off that issue.
 */
export async function tidyUp(context: AgentContext, { number, head }: Member): Promise<void> {
  const { effects, repository } = context;
  const left = await context.once(leftoverStep(number), () => findLeftovers(context, number));
  const { branch, toClose, worked } = left;
  if (branch !== null) {
    try {
      await effects.perform(`delete/${number}`, 'delete-branch', () => ({ repository, branch, at: head }));
    } catch (error) {
      // A new commit arrived on the branch, so a person still works there: we do not delete it.
      if (!isGatewrightError(error, 'head-moved')) throw error;
    }
  }
  if (toClose !== null)
    await effects.perform(`close/${number}`, 'close-issue', () => ({ repository, number: toClose }));
  if (worked !== null)
    await effects.perform(`labels/${number}`, 'edit-labels', () => ({
      ...{ repository, number: worked },
      add: [],
      remove: [labelNames.working],
    }));
}
