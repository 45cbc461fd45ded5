import { describe, expect, it } from 'vitest';
import { noMergeRules } from '../../../domain/forge/forge-rules.ts';
import { type MergeFacts, remedies, unmetBeforeTrying, unmetMergeConditions } from './merge-conditions.ts';
import type { MergeGrant } from './merge-grant.ts';

const head = 'a'.repeat(40);
const grant: MergeGrant = {
  by: 'person',
  actor: 'alice',
  carriedBy: [],
  at: '2026-01-01T00:00:00.000Z',
  head,
  base: 'main',
  isCovering: true,
};
const ready: MergeFacts = {
  number: 7,
  state: 'open',
  isDraft: false,
  head,
  isFromFork: false,
  mergeable: 'clean',
  labels: ['auto-merge'],
  grant,
  byHand: [],
  asking: [],
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
    ['only other labels are there', { labels: ['bug', 'auto-merge-me'] }, 'label-missing'],
    ['a label holds it', { labels: ['auto-merge', 'hold'] }, 'held'],
    ['an outsider said it may', { grant: { ...grant, by: 'nobody' } }, 'label-untrusted'],
    ['it is not known who said so', { grant: null }, 'label-untrusted'],
    ['it is not known for which commit', { grant: { ...grant, head: null } }, 'label-unplaced'],
    ['it is not known for which base', { grant: { ...grant, base: null } }, 'label-unplaced'],
    ['it was for another base', { base: 'release' }, 'label-other-base'],
    [
      'our rules said so for another base',
      { grant: { ...grant, by: 'us' }, base: 'release' },
      'label-other-base',
    ],
    [
      'it was for another base and commit',
      { grant: { ...grant, base: 'x', isCovering: false } },
      'label-other-base',
    ],
    ['it was for another commit', { grant: { ...grant, isCovering: false } }, 'label-outdated'],
    ['our rules said so for another', { grant: { ...grant, by: 'us', isCovering: false } }, 'label-outdated'],
    ['it steers, and a person said it may', { byHand: ['It steers.'] }, 'by-hand'],
    [
      'it steers, and our rules said it may',
      { grant: { ...grant, by: 'us' }, byHand: ['x'], asking: ['x'] },
      'by-hand',
    ],
    [
      'it asks a person, and our rules said it may',
      { grant: { ...grant, by: 'us' }, asking: ['x'] },
      'asks-person',
    ],
    [
      'it asks a person, and a program said it may',
      { grant: { ...grant, by: 'program' }, asking: ['x'] },
      'asks-person',
    ],
    [
      'another check is there than the required one',
      { checks: [{ name: 'lint', state: 'success' }] },
      'check-missing',
    ],
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
  ])('names it, and who can change it, when %s', (_, change, code) => {
    const unmet = unmetMergeConditions({ ...ready, ...change });
    expect(unmet.map((one) => one.code)).toEqual([code]);
    for (const { what, who } of unmet) {
      expect([what, who]).not.toContain('');
      expect(Object.keys(remedies)).toContain(code);
    }
  });

  it.each<[Partial<MergeFacts>, string]>([
    [{ state: 'merged' }, 'it is merged'],
    [{ labels: [] }, '"auto-merge"'],
    [{ labels: ['auto-merge', 'Hold'] }, '"Hold"'],
    [{ grant: null }, '"auto-merge"'],
    [{ grant: { ...grant, head: null } }, '"auto-merge"'],
    [{ grant: { ...grant, isCovering: false } }, '"auto-merge"'],
    [{ reviews: [], otherBases: ['next', 'old'] }, 'for the base next, old, and is for main now'],
    [{ changesRequestedBy: ['bob'] }, 'bob requested changes'],
    [{ checks: [{ name: 'test', state: 'failure' }] }, '"test" failed'],
    [{ checks: [{ name: 'test', state: 'pending' }] }, '"test" has not finished'],
    [{ checks: [] }, '"test" has not reported'],
    [{ checks: [...ready.checks, { name: 'check runs', state: 'unreadable' }] }, 'the check runs of its'],
  ])('says which label, base, check or person it is about (%#)', (change, words) =>
    expect(unmetMergeConditions({ ...ready, ...change })[0]?.what).toContain(words),
  );

  it('asks the person who asked for changes, and nobody else', () => {
    const unmet = unmetMergeConditions({ ...ready, changesRequestedBy: ['bob', 'eve'] });
    expect(unmet.map(({ who }) => who)).toEqual(['bob', 'eve']);
  });

  it.each<[string, Partial<MergeFacts>, readonly string[]]>([
    [
      'the rules of the forge, beside its own',
      { rules: { ...noMergeRules, methods: [], openConversations: 1 }, isDraft: true },
      ['draft', 'rule-conversations', 'rule-methods'],
    ],
    [
      'checks that cannot be read, of what the forge calls clean, as green',
      { checks: [...ready.checks, { name: 'check runs', state: 'unreadable' }], rules: noMergeRules },
      [],
    ],
    [
      'one of two required checks that is missing',
      { requiredChecks: ['test', 'lint'], checks: [{ name: 'test', state: 'success' }] },
      ['check-missing'],
    ],
    [
      'a clean review beside one that could not look at all of it',
      {
        reviews: [
          { commit: head, isClean: true, isWhole: true },
          { commit: head, isClean: true, isWhole: false },
        ],
      },
      ['not-fully-reviewed'],
    ],
    [
      'only the reviews of its head',
      {
        reviews: [
          { commit: 'b'.repeat(40), isClean: false, isWhole: false },
          { commit: head, isClean: true, isWhole: true },
        ],
      },
      [],
    ],
    ['reviews for this base, whatever other bases there were', { otherBases: ['next'] }, []],
  ])('counts %s', (_, change, expected) => expect(codes(change)).toEqual(expected));

  it.each(['hold', 'Blocked', 'needs-review', 'conflict', 'do-not-merge'])('is held by "%s"', (name) =>
    expect(codes({ labels: [...ready.labels, name] })).toEqual(['held']),
  );

  it('takes a person’s word for what asks a person, and knows the label in capitals', () => {
    expect(codes({ asking: ['It changes 90 lines.'] })).toEqual([]);
    expect(codes({ labels: ['Auto-Merge'] })).toEqual([]);
    for (const by of ['us', 'program'] as const) expect(codes({ grant: { ...grant, by } })).toEqual([]);
  });

  it('does not ask who set the label on what comes from a fork: nothing of it is merged', () => {
    expect(codes({ isFromFork: true, grant: null })).toEqual(['fork']);
  });

  it('says why a person is asked, and for which commit the label was set', () => {
    const whats = (change: Partial<MergeFacts>) =>
      unmetMergeConditions({ ...ready, ...change }).map(({ what }) => what);
    expect(whats({ grant: { ...grant, by: 'us' }, asking: ['One.', 'Two.'] })).toEqual([
      'no person has allowed the merge: One; Two',
    ]);
    expect(whats({ grant: { ...grant, isCovering: false } })[0]).toContain('set at aaaaaaaaaaaa');
    expect(whats({ byHand: ['It changes what steers builds or agents: .github/x.'] })).toEqual([
      'it has to be merged by hand, no matter who set the label: It changes what steers builds or agents: .github/x',
    ]);
  });

  it('knows what to do about everything but what only time or an agent settles', () => {
    const waiting = [
      'not-open',
      'mergeable-unknown',
      'not-reviewed',
      'review-outdated',
      'review-other-base',
      'check-pending',
    ];
    for (const [code, remedy] of Object.entries(remedies))
      expect(remedy === '', code).toBe(waiting.includes(code));
  });

  it('names everything at once', () => {
    expect(
      codes({ isDraft: true, labels: [], reviews: [], checks: [], mergeable: 'conflicting' }).sort(),
    ).toEqual(['check-missing', 'conflict', 'draft', 'label-missing', 'not-reviewed']);
  });
});
