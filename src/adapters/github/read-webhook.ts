/**
 * What GitHub delivers to a webhook or to an Actions job, as an event of ours. Only what agents react to is read; the rest
 * is told apart by name, so that nobody wonders why nothing happened. A payload that does not have GitHub's form is refused.
 */
import { z } from 'zod';
import { eventSchema, type FleetEvent } from '../../domain/event.ts';
import { GatewrightError } from '../../errors.ts';
import { person, toActor } from './people-payloads.ts';

/** Whoever did it. GitHub always says who; an account that was deleted since shows only beside what it wrote. */
const someone = z.object({ login: z.string().min(1), type: z.string().optional() });
const base = z.object({
  action: z.string().optional(),
  repository: z.object({ full_name: z.string() }),
  sender: someone,
});
const sha = z.string().regex(/^[0-9a-f]{40,64}$/u);
const label = z.object({ name: z.string().min(1) });

/** GitHub calls a pull request an issue too, and marks it. */
const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  pull_request: z.unknown().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
const pull = z.object({
  number: z.int(),
  head: z.object({ sha }),
  merged: z.boolean().nullish(),
  updated_at: z.string(),
});
const comment = z.object({
  ...{ id: z.int(), body: z.string().nullish(), user: person.unwrap(), created_at: z.string() },
});
const review = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: person.unwrap(),
  submitted_at: z.string().nullish(),
});
const run = z.object({
  id: z.int(),
  name: z.string().nullish(),
  head_sha: sha,
  conclusion: z.string().nullish(),
  updated_at: z.string(),
});

type Common = Pick<FleetEvent, 'delivery' | 'repository'>;
type Reading = FleetEvent | { readonly ignored: string };

function moment(text: string | null | undefined): string {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
}

function actorOf(one: z.infer<typeof person>): Pick<FleetEvent, 'actor' | 'actorKind'> {
  const { author, authorKind } = toActor(one);
  return { actor: author, actorKind: authorKind };
}

/** What an issue asks for: its title and its text. */
function wordsOf(one: z.infer<typeof issue>): string {
  return `${one.title}\n\n${one.body ?? ''}`;
}

function readIssues(common: Common, action: string, payload: unknown): Reading {
  const read = <S extends z.ZodRawShape>(more: S) =>
    z.object({ issue, sender: someone, ...more }).parse(payload);
  const headOf = (data: {
    readonly issue: z.infer<typeof issue>;
    readonly sender: z.infer<typeof someone>;
  }) => ({
    ...common,
    ...actorOf(data.sender),
    number: data.issue.number,
  });
  switch (action) {
    case 'opened': {
      const data = read({});
      const at = moment(data.issue.created_at);
      return { kind: 'issue-opened', ...headOf(data), at, text: wordsOf(data.issue) };
    }
    case 'assigned': {
      const data = read({ assignee: someone });
      const at = moment(data.issue.updated_at);
      const assignee = data.assignee.login;
      return { kind: 'issue-assigned', ...headOf(data), at, assignee, text: wordsOf(data.issue) };
    }
    case 'labeled':
    case 'unlabeled': {
      const data = read({ label });
      const isPullRequest = data.issue.pull_request !== undefined;
      const at = moment(data.issue.updated_at);
      return { kind: action, ...headOf(data), at, isPullRequest, label: data.label.name };
    }
    default:
      return { ignored: `issues.${action}` };
  }
}

function readComment(common: Common, action: string, payload: unknown): Reading {
  // What somebody writes into their comment afterwards is no new instruction.
  if (action !== 'created') return { ignored: `issue_comment.${action}` };
  const data = z.object({ issue, comment }).parse(payload);
  return {
    kind: 'comment-created',
    ...common,
    ...actorOf(data.comment.user),
    at: moment(data.comment.created_at),
    number: data.issue.number,
    isPullRequest: data.issue.pull_request !== undefined,
    comment: data.comment.id,
    text: data.comment.body ?? '',
  };
}

function readReview(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'submitted') return { ignored: `pull_request_review.${action}` };
  const data = z.object({ pull_request: pull, review }).parse(payload);
  return {
    kind: 'review-submitted',
    ...common,
    ...actorOf(data.review.user),
    at: moment(data.review.submitted_at),
    number: data.pull_request.number,
    head: data.pull_request.head.sha,
    review: data.review.id,
    text: data.review.body ?? '',
  };
}

const pullKinds = {
  opened: 'pull-request-opened',
  synchronize: 'pull-request-synchronized',
  reopened: 'pull-request-reopened',
} as const;

function readPull(common: Common, action: string, payload: unknown): Reading {
  const isLabel = action === 'labeled' || action === 'unlabeled';
  if (!isLabel && action !== 'closed' && !Object.hasOwn(pullKinds, action))
    return { ignored: `pull_request.${action}` };
  const data = z.object({ pull_request: pull, sender: someone }).parse(payload);
  const { number, head, merged, updated_at: updated } = data.pull_request;
  const event = { ...common, ...actorOf(data.sender), at: moment(updated), number };
  if (isLabel) {
    const { name } = z.object({ label }).parse(payload).label;
    return { kind: action, ...event, isPullRequest: true, label: name };
  }
  if (action === 'closed')
    return { kind: 'pull-request-closed', ...event, head: head.sha, isMerged: merged === true };
  return { kind: pullKinds[action as keyof typeof pullKinds], ...event, head: head.sha };
}

function readRun(common: Common, action: string, payload: unknown): Reading {
  if (action !== 'completed') return { ignored: `workflow_run.${action}` };
  const data = z.object({ workflow_run: run, sender: someone }).parse(payload);
  const { id, name, head_sha: head, conclusion, updated_at: updated } = data.workflow_run;
  return {
    kind: 'workflow-completed',
    ...common,
    ...actorOf(data.sender),
    at: moment(updated),
    run: id,
    name: name ?? '',
    head,
    conclusion: conclusion === 'success' || conclusion === 'failure' ? conclusion : 'other',
  };
}

const readers: Readonly<Record<string, (common: Common, action: string, payload: unknown) => Reading>> = {
  issues: readIssues,
  issue_comment: readComment,
  pull_request: readPull,
  pull_request_review: readReview,
  workflow_run: readRun,
};

/** @param name what GitHub calls it, as in the header `x-github-event` */
export function readWebhook(name: string, delivery: string, payload: unknown): Reading {
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader === undefined) return { ignored: name };
  try {
    const { action = '', repository: where } = base.parse(payload);
    const reading = reader({ delivery, repository: where.full_name }, action, payload);
    // Whatever gets past here is stored for good: it has to be what will be read back.
    return 'ignored' in reading ? reading : eventSchema.parse(reading);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const details = cause.issues.map((one) => `${one.path.join('.') || '(payload)'}: ${one.message}`);
    throw new GatewrightError('event-invalid', `This is not what GitHub sends for "${name}".`, {
      cause,
      details,
    });
  }
}
