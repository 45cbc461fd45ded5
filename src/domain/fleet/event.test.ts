import { describe, expect, it } from 'vitest';
import { type EventKind, eventSchema, type FleetEvent } from './event.ts';

const common = {
  delivery: 'd-1',
  at: '2026-06-01T09:00:00.000Z',
  repository: 'o/r',
  actor: 'alice',
  actorKind: 'person',
} as const;
const head = 'a'.repeat(40);

/** One of each kind: a kind without an example here does not compile. */
const examples: {
  readonly [K in EventKind]: Omit<Extract<FleetEvent, { kind: K }>, keyof typeof common | 'kind'>;
} = {
  'issue-opened': { number: 1, text: '' },
  'issue-assigned': { number: 1, assignee: 'bob', text: '' },
  labeled: { number: 1, isPullRequest: false, label: 'planning' },
  unlabeled: { number: 1, isPullRequest: true, label: 'hold' },
  'comment-created': { number: 1, isPullRequest: false, comment: 2, text: '@gatewright' },
  'review-submitted': { number: 1, head, review: 3, text: '' },
  'review-dismissed': { number: 1, head, review: 3 },
  'pull-request-opened': { number: 1, head },
  'pull-request-synchronized': { number: 1, head },
  'pull-request-reopened': { number: 1, head },
  'pull-request-ready': { number: 1, head },
  'pull-request-retargeted': { number: 1, head, base: 'next' },
  'pull-request-dequeued': { number: 1, head, reason: 'CI_FAILURE' },
  'pull-request-closed': { number: 1, head, isMerged: true },
  'workflow-completed': { run: 4, name: 'CI', head, conclusion: 'failure' },
  'check-completed': { name: 'lint', head, conclusion: 'success' },
  'base-pushed': { branch: 'main', head: 'a'.repeat(40) },
  'schedule-due': { schedule: 'daily-digest' },
  'handed-on': { number: 1, to: 'reviewer', task: 'start', from: 'R' },
};

describe('eventSchema', () => {
  it.each(Object.entries(examples))('takes %s as it is', (kind, more) => {
    const event = { kind, ...common, ...more };
    expect(eventSchema.parse(event)).toEqual(event);
  });

  it.each([
    ['an unknown kind', { kind: 'anything', ...common }],
    ['no delivery', { kind: 'issue-opened', ...common, ...examples['issue-opened'], delivery: '' }],
    ['a number that is none', { kind: 'issue-opened', ...common, number: 0, text: '' }],
    ['a head that is no commit', { kind: 'pull-request-opened', ...common, number: 1, head: 'main' }],
    ['a field of another kind', { kind: 'pull-request-opened', ...common, number: 1, head, label: 'x' }],
    ['a moment that is none', { kind: 'issue-opened', ...common, number: 1, text: '', at: 'yesterday' }],
    ['an unknown schedule', { kind: 'schedule-due', ...common, schedule: 'hourly' }],
  ])('refuses %s', (_, event) => expect(eventSchema.safeParse(event).success).toBe(false));
});
