/**
 * Turns a delivery of GitHub, to a webhook or to an Actions job, into an event. Only the kinds that agents react to are
 * read; other kinds are reported by name, so that people can see why nothing happened. A payload without GitHub's form
 * is refused.
 */
import { z } from 'zod';
import { eventSchema, type FleetEvent } from '../../../domain/fleet/event.ts';
import { seeText } from '../../../domain/forge/seen-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { doubtDelivery } from './delivery-keys.ts';
import { toActor } from './people-payloads.ts';
import { type Issue, type Person, shapes } from './webhook-shapes.ts';

type Common = Pick<FleetEvent, 'delivery' | 'repository'>;
type Reading = FleetEvent | { readonly ignored: string };

function moment(text: string | null | undefined): string {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
}

function actorOf(one: Person): Pick<FleetEvent, 'actor' | 'actorKind'> {
  const { author, authorKind } = toActor(one);
  return { actor: author, actorKind: authorKind };
}

/** What an issue asks for: its title and its text. */
function wordsOf(one: Issue): string {
  return `${one.title}\n\n${one.body ?? ''}`;
}

/** The text that the actor of the event saw: the payload holds it as it was then. */
function seenIn(one: Issue) {
  return one.pull_request === undefined
    ? { seen: seeText({ title: one.title, body: one.body ?? '' }) }
    : undefined;
}

function readIssues(common: Common, action: string, payload: unknown): Reading {
  const headOf = (data: { readonly issue: Issue; readonly sender: Person }) => ({
    ...common,
    ...actorOf(data.sender),
    number: data.issue.number,
    ...seenIn(data.issue),
  });
  switch (action) {
    case 'opened': {
      const data = shapes.opened.parse(payload);
      // The person who transfers an issue here did not write its text.
      if (data.changes?.old_issue != null || !isSpoken(data.issue.user, data.sender))
        return { ignored: `issues.${action} of another` };
      const at = moment(data.issue.created_at);
      return { kind: 'issue-opened', ...headOf(data), at, text: wordsOf(data.issue) };
    }
    case 'assigned': {
      const data = shapes.assigned.parse(payload);
      if (data.assignee == null) return { ignored: 'issues.assigned without an assignee' };
      const at = moment(data.issue.updated_at);
      const assignee = data.assignee.login;
      return { kind: 'issue-assigned', ...headOf(data), at, assignee, text: wordsOf(data.issue) };
    }
    case 'labeled':
    case 'unlabeled': {
      const data = shapes.issueLabel.parse(payload);
      if (data.label == null) return { ignored: `issues.${action} without a label` };
      const isPullRequest = data.issue.pull_request !== undefined;
      const at = moment(data.issue.updated_at);
      return { kind: action, ...headOf(data), at, isPullRequest, label: data.label.name };
    }
    default:
      return { ignored: `issues.${action}` };
  }
}

/**
 * Words count only when their author is also the sender of the event. Where the two differ, the real speaker is
 * unknown, so the words count for nothing.
 */
function isSpoken(author: Person, sender: Person): boolean {
  return (author?.login ?? '').toLowerCase() === (sender?.login ?? '').toLowerCase();
}

function readComment(common: Common, action: string, payload: unknown): Reading {
  // A later edit of a comment is no new order.
  if (action !== 'created') return { ignored: `issue_comment.${action}` };
  const data = shapes.comment.parse(payload);
  if (!isSpoken(data.comment.user, data.sender)) return { ignored: `issue_comment.${action} of another` };
  return {
    kind: 'comment-created',
    ...common,
    ...actorOf(data.comment.user),
    at: moment(data.comment.created_at),
    number: data.issue.number,
    isPullRequest: data.issue.pull_request !== undefined,
    comment: data.comment.id,
    ...seenIn(data.issue),
    text: data.comment.body ?? '',
  };
}

function readReview(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'submitted' && action !== 'dismissed') return { ignored: `pull_request_review.${action}` };
  const data = shapes.review.parse(payload);
  const { number, head, updated_at: updated } = data.pull_request;
  const event = { ...common, number, head: head.sha, review: data.review.id };
  // A review may be dismissed by an account that did not write it, so author and sender are not compared here.
  if (action === 'dismissed')
    return { kind: 'review-dismissed', ...event, ...actorOf(data.sender), at: moment(updated) };
  if (!isSpoken(data.review.user, data.sender))
    return { ignored: `pull_request_review.${action} of another` };
  return {
    kind: 'review-submitted',
    ...event,
    ...actorOf(data.review.user),
    at: moment(data.review.submitted_at),
    text: data.review.body ?? '',
  };
}

const pullKinds = {
  opened: 'pull-request-opened',
  synchronize: 'pull-request-synchronized',
  reopened: 'pull-request-reopened',
  ready_for_review: 'pull-request-ready',
} as const;

function readPull(common: Common, action: string, payload: unknown): Reading {
  const isLabel = action === 'labeled' || action === 'unlabeled';
  const isKnown =
    isLabel || ['closed', 'edited', 'dequeued'].includes(action) || Object.hasOwn(pullKinds, action);
  if (!isKnown) return { ignored: `pull_request.${action}` };
  const data = (isLabel ? shapes.pullOfPerson : shapes.pull).parse(payload);
  const { number, head, base, merged, updated_at: updated } = data.pull_request;
  const event = { ...common, ...actorOf(data.sender), at: moment(updated), number };
  if (isLabel) {
    const { label: one } = shapes.label.parse(payload);
    if (one == null) return { ignored: `pull_request.${action} without a label` };
    const onto = base == null ? {} : { base: short(base.ref) };
    return { kind: action, ...event, isPullRequest: true, label: one.name, head: head.sha, ...onto };
  }
  if (action === 'closed')
    return { kind: 'pull-request-closed', ...event, head: head.sha, isMerged: merged === true };
  if (action === 'dequeued') {
    const { reason } = shapes.dequeued.parse(payload);
    return { kind: 'pull-request-dequeued', ...event, head: head.sha, reason: (reason ?? '').slice(0, 100) };
  }
  // A title or a text that was edited is no new instruction; what it is to be merged into is another matter.
  if (action === 'edited') {
    const { changes, pull_request: edited } = shapes.retargeting.parse(payload);
    if (changes?.base === undefined) return { ignored: 'pull_request.edited' };
    return { kind: 'pull-request-retargeted', ...event, head: head.sha, base: short(edited.base.ref) };
  }
  return { kind: pullKinds[action as keyof typeof pullKinds], ...event, head: head.sha };
}

type Conclusion = 'success' | 'failure' | 'other';

function conclude(word: string | null | undefined): Conclusion {
  return word === 'success' || word === 'failure' ? word : 'other';
}

/** Names come from other authors and can have any length. */
function short(text: string): string {
  return text.slice(0, 1000);
}

function readCheckRun(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'completed') return { ignored: `check_run.${action}` };
  const data = shapes.checkRun.parse(payload);
  const { name, head_sha: head, conclusion, completed_at: at } = data.check_run;
  const event = { ...common, ...actorOf(data.sender), at: moment(at), head };
  return { kind: 'check-completed', ...event, name: short(name), conclusion: conclude(conclusion) };
}

/** All the check runs that one program made for a commit: told once when the last of them is done. */
function readCheckSuite(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'completed') return { ignored: `check_suite.${action}` };
  const data = shapes.checkSuite.parse(payload);
  const { app, head_sha: head, conclusion, updated_at: at } = data.check_suite;
  const event = { ...common, ...actorOf(data.sender), at: moment(at), head };
  return {
    kind: 'check-completed',
    ...event,
    name: short(app?.name ?? ''),
    conclusion: conclude(conclusion),
  };
}

/** What programs say of a commit that do not use check runs. */
function readStatus(common: Common, _action: string, payload: unknown): Reading {
  const data = shapes.status.parse(payload);
  if (data.state === 'pending') return { ignored: 'status.pending' };
  return {
    kind: 'check-completed',
    ...common,
    ...actorOf(data.sender),
    at: moment(data.updated_at),
    head: data.sha,
    name: short(data.context),
    // "error" is how a status says that the check itself broke.
    conclusion: data.state === 'error' ? 'failure' : conclude(data.state),
  };
}

function readRun(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'completed') return { ignored: `workflow_run.${action}` };
  const data = shapes.run.parse(payload);
  const { id, name, head_sha: head, conclusion, updated_at: updated } = data.workflow_run;
  return {
    kind: 'workflow-completed',
    ...common,
    ...actorOf(data.sender),
    at: moment(updated),
    run: id,
    name: name ?? '',
    head,
    conclusion: conclude(conclusion),
  };
}

/** GitHub writes the moment of a push as seconds, and that of anything else as text. */
function momentOfPush(pushed: unknown): string {
  if (typeof pushed === 'number') return moment(new Date(pushed * 1000).toISOString());
  return moment(typeof pushed === 'string' ? pushed : null);
}

/** Only a push to the default branch counts: pull requests go onto it. The words of its commits are never read. */
function readPush(common: Common, _action: string, payload: unknown): Reading {
  const { ref, after, deleted, repository, sender } = shapes.push.parse(payload);
  const branch = repository.default_branch;
  if (deleted || ref !== `refs/heads/${branch}`) return { ignored: 'push to another branch' };
  const at = momentOfPush(repository.pushed_at);
  return { kind: 'base-pushed', ...common, ...actorOf(sender), at, branch: short(branch), head: after };
}

const readers: Readonly<Record<string, (common: Common, action: string, payload: unknown) => Reading>> = {
  issues: readIssues,
  issue_comment: readComment,
  pull_request: readPull,
  pull_request_review: readReview,
  workflow_run: readRun,
  check_run: readCheckRun,
  check_suite: readCheckSuite,
  status: readStatus,
  push: readPush,
};

function refuse(name: string, details: readonly string[], cause?: unknown): never {
  throw new GatewrightError('event-invalid', `This is not what GitHub sends for "${name}".`, {
    cause,
    details,
  });
}

/** @param name what GitHub calls it, as in the header `x-github-event`, which is not signed */
export function readWebhook(name: string, delivery: string, payload: unknown): Reading {
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader === undefined) return { ignored: name };
  const doubts = doubtDelivery(name, payload);
  if (doubts.length > 0) refuse(name, doubts);
  try {
    const { action = '', repository: where } = shapes.base.parse(payload);
    const event = reader({ delivery, repository: where.full_name }, action, payload);
    // An entry of the ledger has to be readable for ever, so only a valid event passes.
    return 'ignored' in event ? event : eventSchema.parse(event);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const details = cause.issues.map((one) => `${one.path.join('.') || '(payload)'}: ${one.message}`);
    return refuse(name, details, cause);
  }
}
