/** Puts pull requests onto their base, and tidies up behind what was merged. */

import { labelNames } from '../../domain/forge/labels.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import { plainTitle } from '../../domain/forge/plain-title.ts';
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext } from '../agent.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { type UnmetCondition, unmetBeforeTrying } from './rules/merge-conditions.ts';

export interface Member {
  readonly number: number;
  /** The commit that was reviewed and is merged; no other. */
  readonly head: string;
}

/** One line; empty when nothing stands in the way. */
export function describeUnmet(unmet: readonly UnmetCondition[]): string {
  return unmet.map(({ what }) => what).join('; ');
}

/** Testing takes minutes, in which somebody may have put it on hold. One that is merged at that head was merged by us. */
async function isStillReady(context: AgentContext, { number, head }: Member): Promise<boolean> {
  const facts = await gatherMergeFacts(context, number);
  if (facts.head !== head) return false;
  return facts.state === 'merged' || unmetBeforeTrying(facts).length === 0;
}

/** What its commit says. */
async function writeMessage(context: AgentContext, { number, head }: Member) {
  const { title } = await context.forge.getPullRequest(context.repository, number);
  return {
    title: `${plainTitle(title, number)} (#${number})`,
    body: await context.ledger.putText(`Reviewed at ${head}.\n`),
  };
}

/** Whether something moved, or was merged or closed by somebody else, so that it has to be looked at anew. */
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
 * Merges exactly this head onto exactly this base and returns the commit; null when one of them has moved, or what was
 * true of it when it was decided is not any more.
 */
export async function landPullRequest(
  context: AgentContext,
  member: Member,
  base: string,
  checkStillHeld: () => Promise<void>,
): Promise<string | null> {
  const { effects, repository } = context;
  const { number, head } = member;
  const key = `merge/${number}`;
  if ((await effects.momentOf(key)) === null && !(await isStillReady(context, member))) return null;
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
  steps: readonly (Member & { readonly tree: string })[],
  base: string,
  checkStillHeld: () => Promise<void>,
): Promise<readonly string[] | null> {
  const { effects, repository } = context;
  const key = `merge/${steps.map(({ number }) => number).join('+')}`;
  if ((await effects.momentOf(key)) === null)
    for (const member of steps) if (!(await isStillReady(context, member))) return null;
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

/** What is left to do behind it. Decided once, so that what was begun is finished. */
async function findLeftovers({ forge, ledger, repository }: AgentContext, number: number) {
  const { head, base } = await forge.getPullRequest(repository, number);
  const isOurs = isSameRepository(head.repository, repository) && head.branch.startsWith(ownBranches);
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const issue = made?.data.issue ?? null;
  const found = issue === null ? null : await forge.getIssue(repository, issue);
  const isFinal = base.branch === (await forge.defaultBranch(repository));
  return {
    branch: isOurs ? head.branch : null,
    // Forges close what a text says it closes; the text may have been edited since.
    toClose: isFinal && found?.state === 'open' ? issue : null,
    worked: found?.labels.includes(labelNames.working) === true ? issue : null,
  };
}

/** Under which name it is decided what is left to do behind it. */
export const leftoverStep = (number: number): string => `left/${number}`;

/** The branch goes if it is ours, the issue that it was made for is closed and not called worked on any more. */
export async function tidyUp(context: AgentContext, { number, head }: Member): Promise<void> {
  const { effects, repository } = context;
  const left = await context.once(leftoverStep(number), () => findLeftovers(context, number));
  const { branch, toClose, worked } = left;
  if (branch !== null) {
    try {
      await effects.perform(`delete/${number}`, 'delete-branch', () => ({ repository, branch, at: head }));
    } catch (error) {
      // Somebody goes on working there: it is not ours to delete any more.
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
