import { describe, expect, it } from 'vitest';
import { noMergeRules } from './forge-rules.ts';
import { type MergeFacts, unmetBeforeTrying, unmetMergeConditions } from './merge-conditions.ts';

const head = 'a'.repeat(40);
const ready: MergeFacts = {
  number: 7,
  state: 'open',
  isDraft: false,
  head,
  isFromFork: false,
  mergeable: 'clean',
  labels: [{ name: 'auto-merge', isTrusted: true }],
  base: 'main',
  otherBases: [],
  reviews: [{ commit: head, isClean: true, isWhole: true }],
  checks: [{ name: 'test', state: 'success' }],
  requiredChecks: ['test'],
  changesRequestedBy: [],
  rules: null,
};

const codes = (change: Partial<MergeFacts>) =>
  unmetMergeConditions({ ...ready, ...change }).map(({ code }) => code);

describe('unmetBeforeTrying', () => {
  it('leaves to the attempt what only the attempt can tell', () => {
    expect(unmetBeforeTrying({ ...ready, mergeable: 'unknown' })).toEqual([]);
    const facts = { ...ready, mergeable: 'unknown', isDraft: true } as const;
    expect(unmetBeforeTrying(facts).map(({ code }) => code)).toEqual(['draft']);
  });
});

describe('unmetMergeConditions', () => {
  it('finds none when all is well; what was skipped or neutral is no failure', () => {
    expect(codes({})).toEqual([]);
    expect(
      codes({ checks: [...ready.checks, { name: 'x', state: 'skipped' }, { name: 'y', state: 'neutral' }] }),
    ).toEqual([]);
  });

  it.each<[string, Partial<MergeFacts>, string]>([
    ['it is closed', { state: 'closed' }, 'not-open'],
    ['it is merged already', { state: 'merged' }, 'not-open'],
    ['it is a draft', { isDraft: true }, 'draft'],
    ['it comes from a fork', { isFromFork: true }, 'fork'],
    ['nobody said it may', { labels: [] }, 'label-missing'],
    ['an outsider said it may', { labels: [{ name: 'auto-merge', isTrusted: false }] }, 'label-untrusted'],
    ['it is not known who said so', { labels: [{ name: 'auto-merge', isTrusted: null }] }, 'label-untrusted'],
    ['it is not reviewed', { reviews: [] }, 'not-reviewed'],
    ['it was reviewed for another base', { reviews: [], otherBases: ['next'] }, 'review-other-base'],
    [
      'it was pushed to after the review',
      { reviews: [{ commit: 'b'.repeat(40), isClean: true, isWhole: true }] },
      'review-outdated',
    ],
    ['issues were found', { reviews: [{ commit: head, isClean: false, isWhole: true }] }, 'issues-found'],
    [
      'one of two reviews of this commit found issues',
      {
        reviews: [
          { commit: head, isClean: false, isWhole: true },
          { commit: head, isClean: true, isWhole: true },
        ],
      },
      'issues-found',
    ],
    [
      'a part of it was too large to be reviewed',
      { reviews: [{ commit: head, isClean: true, isWhole: false }] },
      'not-fully-reviewed',
    ],
    [
      'checks that cannot be read, of something that the forge does not call clean',
      {
        checks: [...ready.checks, { name: 'check runs', state: 'unreadable' }],
        rules: { ...noMergeRules, isCalledClean: false },
      },
      'check-unreadable',
    ],
    [
      'checks that cannot be read, where nobody asked the forge',
      { checks: [...ready.checks, { name: 'check runs', state: 'unreadable' }] },
      'check-unreadable',
    ],
    ['a person asked for changes', { changesRequestedBy: ['bob'] }, 'changes-requested'],
    ['a check is red', { checks: [{ name: 'test', state: 'failure' }] }, 'check-failed'],
    ['a check was cancelled', { checks: [{ name: 'test', state: 'cancelled' }] }, 'check-failed'],
    ['a check is not done', { checks: [{ name: 'test', state: 'pending' }] }, 'check-pending'],
    ['a required check is missing', { checks: [] }, 'check-missing'],
    ['it conflicts', { mergeable: 'conflicting' }, 'conflict'],
    ['nobody knows yet', { mergeable: 'unknown' }, 'mergeable-unknown'],
  ])('names it when %s', (_, change, code) => expect(codes(change)).toEqual([code]));

  it.each(['hold', 'Blocked', 'needs-review', 'conflict', 'do-not-merge'])('is held by "%s"', (name) =>
    expect(codes({ labels: [...ready.labels, { name, isTrusted: false }] })).toEqual(['held']),
  );

  it('names everything at once', () => {
    expect(
      codes({ isDraft: true, labels: [], reviews: [], checks: [], mergeable: 'conflicting' }).sort(),
    ).toEqual(['check-missing', 'conflict', 'draft', 'label-missing', 'not-reviewed']);
  });
});
