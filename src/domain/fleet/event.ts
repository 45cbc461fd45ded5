/**
 * Something that happened on a forge or on the clock, the same whether it came as a webhook, from the local forge or
 * from a command. The event is stored under its delivery before an agent acts on it. It keeps the text as it was at
 * that moment, so that a later edit is no new order.
 */
import { z } from 'zod';
import { seenTextSchema } from '../forge/seen-text.ts';
import { agentNames, scheduleNames, workflowNames } from './agent-names.ts';

/** What the next run is to do: `start` is the usual work of that agent; the others are tasks of the implementer. */
const handoffTasks = ['start', 'continue', 'fix', 'update'] as const;
export type HandoffTask = (typeof handoffTasks)[number];

const common = {
  /** Unique for this event: a second delivery with the same id is the same event. */
  delivery: z.string().min(1).max(200),
  at: z.iso.datetime(),
  repository: z.string(),
  actor: z.string(),
  actorKind: z.enum(['person', 'bot']),
};

const number = z.number().int().min(1);
const sha = z.string().regex(/^[0-9a-f]{40,64}$/u);

function kind<K extends string, S extends z.ZodRawShape>(name: K, shape: S) {
  return z.strictObject({ kind: z.literal(name), ...common, ...shape });
}

const spoken = { text: z.string() };
/** The issue's words at that moment; missing in events from before they were kept, and about pull requests. */
const seen = { seen: seenTextSchema.optional() };
const onIssue = { number, isPullRequest: z.boolean(), ...seen };
const onHead = { number, head: sha };
/** Of a pull request: its head and the branch that it is to go onto at that moment; missing in events from before. */
const ofPull = { head: sha.optional(), base: z.string().max(1000).optional() };

export const eventSchema = z.discriminatedUnion('kind', [
  kind('issue-opened', { number, ...spoken, ...seen }),
  kind('issue-assigned', { number, assignee: z.string(), ...spoken, ...seen }),
  kind('labeled', { ...onIssue, ...ofPull, label: z.string() }),
  kind('unlabeled', { ...onIssue, ...ofPull, label: z.string() }),
  kind('comment-created', { ...onIssue, comment: number, ...spoken }),
  kind('review-submitted', { ...onHead, review: number, ...spoken }),
  kind('review-dismissed', { ...onHead, review: number }),
  kind('pull-request-opened', onHead),
  kind('pull-request-synchronized', onHead),
  kind('pull-request-reopened', onHead),
  /** A draft that is not one any more. */
  kind('pull-request-ready', onHead),
  /** It is to go onto another branch than before: the same commits are another change there. */
  kind('pull-request-retargeted', { ...onHead, base: z.string().max(1000) }),
  /** The forge's own merge queue has it no more, whether it was merged, failed or was taken out by a person. */
  kind('pull-request-dequeued', { ...onHead, reason: z.string().max(100) }),
  kind('pull-request-closed', { ...onHead, isMerged: z.boolean() }),
  kind('workflow-completed', {
    run: number,
    name: z.string(),
    head: sha,
    conclusion: z.enum(['success', 'failure', 'other']),
  }),
  /** A status or a check run of a commit, from any program that reports one. */
  kind('check-completed', {
    name: z.string().max(1000),
    head: sha,
    conclusion: z.enum(['success', 'failure', 'other']),
  }),
  /** A push to a branch that pull requests go onto; a push orders nothing. */
  kind('base-pushed', { branch: z.string().min(1).max(1000), head: sha }),
  kind('schedule-due', { schedule: z.enum(scheduleNames) }),
  /** One run hands work on to the next. Made by Gatewright itself only: no payload and no file can be read as one. */
  kind('handed-on', {
    number,
    to: z.enum([...agentNames, ...workflowNames]),
    task: z.enum(handoffTasks),
    /** The run that it comes of. */
    from: z.string(),
  }),
]);

export type FleetEvent = z.infer<typeof eventSchema>;
export type EventKind = FleetEvent['kind'];
export type EventOf<K extends EventKind> = Extract<FleetEvent, { kind: K }>;
