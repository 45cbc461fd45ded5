/**
 * What the implementer has to know before it decides. It is gathered once, so that a resumed run makes the same
 * decision.
 */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { type ImplementerHistory, readHistory } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import { type AgentContext, requireNumber } from '../agent.ts';
import { say } from '../post-comment.ts';
import { readWorkEntries } from '../read-work-entries.ts';
import { isInConflict } from './find-conflict.ts';
import { findOpenPull, findOtherPull, findPull, type WorkedPull } from './find-pulls.ts';
import { readAnswer } from './read-answer.ts';
import { readOrder } from './read-order.ts';
import { type OrderedText, readOrderEvent, readOrderedText } from './read-ordered-text.ts';
import { readDismissals } from './rules/dismissal.ts';
import { type ImplementerFacts, isKeptByHold, isWork } from './rules/implementer-mode.ts';
import { heldComment } from './rules/implementer-texts.ts';
import { type OrderDeed, readDeed } from './rules/order-words.ts';

export interface ImplementerTask {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** Missing in facts from before it was asked. */
  readonly outdated?: OrderedText['outdated'];
  readonly facts: ImplementerFacts;
  /** The pull request that it is about. */
  readonly pull: WorkedPull | null;
  /** Our open pull request for the issue. */
  readonly openPull: number | null;
  /** A pull request by another author that says it closes the issue. */
  readonly otherPull: number | null;
  /** The newest plan, approved or not. */
  readonly plan: { readonly hash: Sha256; readonly comment: number } | null;
  /** The person to mention in comments: the one who gave the last order. */
  readonly person: string | null;
  /** What that person did to begin it; missing in facts from before it was asked. */
  readonly deed?: OrderDeed;
  /** What was said by people who may write, without the order itself. */
  readonly discussion: readonly { readonly author: string; readonly text: string }[];
  /** The words of the order. */
  readonly order: string;
  readonly calls: Readonly<Record<'planner' | 'implementer' | 'fixer', number>>;
}

const mostComments = 20;
const longestComment = 8_000;

export async function readHistoryOf(context: AgentContext, number: number): Promise<ImplementerHistory> {
  return readHistory(
    await readWorkEntries(context.ledger, issueSubject(context.repository, number)),
    context.runId,
  );
}

function isAboutPullRequest({ event }: AgentContext): boolean {
  if (event.kind === 'review-submitted' || event.kind === 'pull-request-closed') return true;
  if (event.kind === 'handed-on') return event.task === 'fix' || event.task === 'update';
  return 'isPullRequest' in event && event.isPullRequest;
}

/** Strangers may write anything on an issue; the agent reads only comments of people with the right to order it. */
async function readDiscussion(context: AgentContext, number: number): Promise<ImplementerTask['discussion']> {
  const { forge, repository, event } = context;
  const until = event.kind === 'comment-created' ? event.comment : Number.POSITIVE_INFINITY;
  // What we said ourselves carries our mark; where we act under a person's account, the rest is that person's word.
  const said = (await forge.listComments(repository, number)).filter(
    ({ id, authorKind, body }) => id < until && authorKind === 'person' && !carriesMarker(body),
  );
  const mayWrite = new Map<string, boolean>();
  for (const { author } of said) {
    if (!mayWrite.has(author))
      mayWrite.set(author, isAtLeast(await forge.permissionOf(repository, author), 'write'));
  }
  return said
    .filter(({ author }) => mayWrite.get(author) === true)
    .slice(-mostComments)
    .map(({ author, body }) => ({ author, text: body.slice(0, longestComment) }));
}

/** The person who gave the order here, or on the issue that the pull request is for. */
async function findPerson(
  context: AgentContext,
  history: ImplementerHistory,
  pull: WorkedPull | null,
): Promise<string | null> {
  const issue = pull?.issue ?? null;
  const person =
    history.orderedBy ?? (issue === null ? null : (await readHistoryOf(context, issue)).orderedBy);
  return person === context.own ? null : person;
}

async function gather(context: AgentContext): Promise<ImplementerTask> {
  const { event, forge, repository, settings } = context;
  const number = requireNumber(context);
  const isPullRequest = isAboutPullRequest(context);
  const issue = await forge.getIssue(repository, number);
  const history = await readHistoryOf(context, number);
  const labels = issue.labels.map((label) => label.toLowerCase());
  const found = isPullRequest ? await findPull(context, number) : null;
  const pull = found?.pull ?? null;
  const openPull = isPullRequest ? null : await findOpenPull(context, history);
  const otherPull = isPullRequest || openPull !== null ? null : await findOtherPull(context, number, history);
  const isSpoken = event.kind === 'comment-created' || event.kind === 'review-submitted';
  const { openPlan } = history;
  const hash = openPlan?.plan ?? history.approvedPlan;
  const answer = openPlan === null ? null : await readAnswer(context, openPlan.comment);
  const order = await readOrder(context);
  const isOrdered = isSpoken && order.isMentioned;
  const isConflicting =
    pull !== null &&
    isOrdered &&
    issue.state === 'open' &&
    found?.obstacle === null &&
    (await isInConflict(context, number, pull));
  const text: OrderedText = isPullRequest
    ? { title: issue.title, body: issue.body, outdated: null }
    : await readOrderedText(context, issue, history, (answer === 'approves' && openPlan?.seen) || null);
  return {
    number,
    ...text,
    facts: {
      task: event.kind === 'handed-on' ? event.task : null,
      isSpoken,
      isMentioned: order.isMentioned,
      isPlanWanted: event.kind === 'labeled' && event.label.toLowerCase() === labelNames.planning,
      answer,
      isAnswerOutdated:
        event.kind === 'comment-created' && openPlan !== null && event.comment < openPlan.comment,
      isByProgram: event.actorKind === 'bot' || isListedBot(settings, event.actor),
      isPullRequest,
      isOpen: issue.state === 'open',
      isMerged: pull?.isMerged === true,
      isHeld: labels.includes(labelNames.hold),
      isPlanning: labels.includes(labelNames.planning),
      hasOpenPlan: openPlan !== null,
      hasApprovedPlan: history.approvedPlan !== null,
      hasPullRequest: openPull !== null,
      hasOtherPull: otherPull !== null,
      isOurs: pull?.isOurs === true,
      obstacle: found?.obstacle ?? null,
      isConflicting,
      isMergeTold: event.kind === 'pull-request-closed',
    },
    pull,
    openPull,
    otherPull,
    plan: hash === null ? null : { hash, comment: openPlan?.comment ?? 0 },
    person: await findPerson(context, history, pull),
    deed: readDeed((await readOrderEvent(context, history)) ?? event),
    discussion: await readDiscussion(context, number),
    order: order.text,
    calls: {
      planner: history.callOf('planner'),
      implementer: history.callOf('implementer'),
      fixer: history.callOf('fixer'),
    },
  };
}

/**
 * A hold stops the work here, before any fact is kept: when the label is removed, the run is resumed and decides anew
 * what to do. A person who asked is answered each time; for our own next steps one comment is enough.
 */
async function stopIfHeld(context: AgentContext, { facts, number }: ImplementerTask): Promise<void> {
  const { event, settings } = context;
  const isDismissal = 'text' in event && readDismissals(event.text, settings.handle).length > 0;
  if (!isKeptByHold(facts) || isDismissal) return;
  const key = 'held';
  const isAsked = facts.isSpoken && facts.isMentioned;
  if (isAsked || !(await readHistoryOf(context, number)).wasSaid(key))
    await say(context, key, number, heldComment(isAsked ? event.actor : null));
  throw new GatewrightError('held', `#${number} carries the label "${labelNames.hold}".`);
}

/**
 * The facts of a run that is resumed are those that it began with, but for what forbids the work: while the run was
 * stopped, the issue may have been closed, or put on hold.
 */
async function lookAgain(context: AgentContext, known: ImplementerTask): Promise<ImplementerTask> {
  const { effects, forge, repository, runId, workspaces } = context;
  const { number, facts } = known;
  if (!isWork(facts)) return known;
  const { state, labels } = await forge.getIssue(repository, number);
  const names = labels.map((label) => label.toLowerCase());
  const isOpen = state === 'open';
  const isMerged = facts.isPullRequest && !isOpen && (await findPull(context, number)).pull.isMerged;
  const now = { ...known, facts: { ...facts, isOpen, isMerged, isHeld: names.includes(labelNames.hold) } };
  // A run that was killed has left its label and its copy; it does not work on for now.
  if ((!isOpen || now.facts.isHeld) && names.includes(labelNames.working)) {
    const remove = [labelNames.working];
    await effects.perform('working-off/forbidden', 'edit-labels', () => ({
      ...{ repository, number, add: [], remove },
    }));
    await workspaces.remove(runId);
  }
  await stopIfHeld(context, now);
  return now;
}

export async function gatherFacts(context: AgentContext): Promise<ImplementerTask> {
  let isNew = false;
  const assignment = await context.once('facts', async () => {
    isNew = true;
    const gathered = await gather(context);
    await stopIfHeld(context, gathered);
    return gathered;
  });
  return isNew ? assignment : lookAgain(context, assignment);
}
