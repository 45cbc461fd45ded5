import { describe, expect, it } from 'vitest';
import { describeDeed, describeOccasion } from './describe-event.ts';
import type { FleetEvent } from './event.ts';

const head = 'a'.repeat(40);
const common = {
  delivery: 'd',
  at: '2026-01-01T00:00:00.000Z',
  repository: 'o/r',
  actor: 'ann',
  actorKind: 'person',
} as const;

const cases: readonly (readonly [FleetEvent, string, string])[] = [
  [{ ...common, kind: 'issue-opened', number: 1, text: '' }, 'the new issue #1', 'ann opened issue #1'],
  [
    { ...common, kind: 'issue-assigned', number: 1, assignee: 'claude', text: '' },
    'the assignment of #1',
    'ann assigned #1 to claude',
  ],
  [
    { ...common, kind: 'labeled', number: 2, isPullRequest: false, label: 'planning' },
    'the label "planning" on #2',
    'ann set "planning" on #2',
  ],
  [
    { ...common, kind: 'unlabeled', number: 2, isPullRequest: true, label: 'hold' },
    'the label "hold" taken off #2',
    'ann took "hold" off #2',
  ],
  [
    { ...common, kind: 'comment-created', number: 2, isPullRequest: true, comment: 1, text: '' },
    'a comment on #2',
    'ann commented on #2',
  ],
  [
    { ...common, kind: 'review-dismissed', number: 2, head, review: 1 },
    'a review of #2 that does not count any more',
    'ann dismissed a review of #2',
  ],
  [
    { ...common, kind: 'pull-request-ready', number: 2, head },
    'the draft #2 that is ready now',
    'ann called #2 ready',
  ],
  [
    { ...common, kind: 'pull-request-retargeted', number: 2, head, base: 'next' },
    'the new base of #2',
    'ann moved #2 to the base next',
  ],
  [
    { ...common, kind: 'check-completed', name: 'lint', head, conclusion: 'success' },
    'the check "lint" of aaaaaaaaaaaa',
    'check lint: success',
  ],
  [
    { ...common, kind: 'review-submitted', number: 2, head, review: 1, text: '' },
    'a review of #2',
    'ann reviewed #2',
  ],
  [
    { ...common, kind: 'pull-request-opened', number: 2, head },
    'the new pull request #2',
    'ann opened pull request #2',
  ],
  [
    { ...common, kind: 'pull-request-synchronized', number: 2, head },
    'a push to #2',
    'ann pushed aaaaaaaaaaaa to #2',
  ],
  [
    { ...common, kind: 'pull-request-reopened', number: 2, head },
    'the reopened pull request #2',
    'ann reopened pull request #2',
  ],
  [
    { ...common, kind: 'pull-request-dequeued', number: 2, head, reason: 'CI_FAILURE' },
    '#2 leaving the merge queue',
    'ann took #2 out of the merge queue',
  ],
  [
    { ...common, kind: 'pull-request-closed', number: 2, head, isMerged: true },
    'the closed pull request #2',
    'ann merged pull request #2',
  ],
  [
    { ...common, kind: 'pull-request-closed', number: 2, head, isMerged: false },
    'the closed pull request #2',
    'ann closed pull request #2',
  ],
  [
    { ...common, kind: 'workflow-completed', run: 1, name: 'CI', head, conclusion: 'failure' },
    'a failed build of aaaaaaaaaaaa',
    'build CI: failure',
  ],
  [{ ...common, kind: 'schedule-due', schedule: 'daily-digest' }, 'its schedule', 'daily-digest is due'],
  [
    { ...common, kind: 'handed-on', number: 2, to: 'implementer', task: 'fix', from: 'R' },
    'findings on #2',
    'ann handed findings on #2 to implementer',
  ],
];

describe('an event in a few words', () => {
  it.each(cases)('%o', (event, occasion, deed) => {
    expect(describeOccasion(event)).toBe(occasion);
    expect(describeDeed(event)).toBe(deed);
  });

  it('names the pull request that a build is about, when the run is about one', () => {
    const build = {
      ...common,
      kind: 'workflow-completed',
      run: 1,
      name: 'CI',
      head,
      conclusion: 'success',
    } as const;
    expect(describeOccasion(build, 7)).toBe('a green build of #7');
  });
});
