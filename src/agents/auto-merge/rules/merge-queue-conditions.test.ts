/** What keeps a pull request out of the merge queue of the forge, and what is said when git cannot fetch its commits. */
import { describe, expect, it } from 'vitest';
import { noMergeRules } from '../../../domain/forge/forge-rules.ts';
import { type MergeFacts, unmetMergeConditions } from './merge-conditions.ts';
import type { MergeGrant } from './merge-grant.ts';

const head = 'a'.repeat(40);
const grant: MergeGrant = {
  ...{
    by: 'person',
    actor: 'alice',
    carriedBy: [],
    at: '2026-01-01T00:00:00.000Z',
    head,
    base: 'main',
    isCovering: true,
  },
};
const ready: MergeFacts = {
  ...{ number: 7, state: 'open', isDraft: false, head, isFromFork: false, mergeable: 'clean' },
  ...{ labels: ['auto-merge'], grant, byHand: [], asking: [], base: 'main', otherBases: [] },
  reviews: [{ commit: head, isClean: true, isWhole: true }],
  ...{ checks: [], requiredChecks: [], changesRequestedBy: [], rules: null },
};
const queued = { ...noMergeRules, queue: { isQueued: false, removedFor: null, removedAt: null } };
const unmet = (change: Partial<MergeFacts>) => unmetMergeConditions({ ...ready, ...change });
const writer = 'a person with write permission';

describe('where the forge has a merge queue', () => {
  const asksPerson = {
    code: 'queue-asks-person',
    what: 'the forge merges through its merge queue, and only a person may add it there',
    who: writer,
  };
  const removed = {
    code: 'queue-removed',
    what: 'the merge queue of the forge removed it (failed checks), and it is not added again at the same commit',
    who: writer,
  };

  it('a person lets it be added', () => expect(unmet({ rules: queued })).toEqual([]));
  it.each(['us', 'program'] as const)('%s does not', (by) => {
    expect(unmet({ rules: queued, grant: { ...grant, by } })).toEqual([asksPerson]);
    expect(unmet({ rules: queued, grant: { ...grant, by }, queueRemoval: 'failed checks' })).toEqual([
      asksPerson,
    ]);
  });
  it.each(['us', 'program'] as const)('%s does where there is none', (by) => {
    expect(unmet({ grant: { ...grant, by } })).toEqual([]);
    expect(unmet({ rules: noMergeRules, grant: { ...grant, by } })).toEqual([]);
  });
  it('what it removed is not added again', () => {
    expect(unmet({ rules: queued, queueRemoval: 'failed checks' })).toEqual([removed]);
    expect(unmet({ rules: queued, queueRemoval: null })).toEqual([]);
    expect(unmet({ rules: noMergeRules, queueRemoval: 'failed checks' })).toEqual([]);
  });
  it.each([null, { ...grant, isCovering: false }, { ...grant, by: 'us' as const, isCovering: false }])(
    'without a grant for this head nothing is said about the queue: %j',
    (given) => {
      const codes = unmet({ rules: queued, grant: given, queueRemoval: 'failed checks' }).map(
        ({ code }) => code,
      );
      expect(codes).toEqual([given === null ? 'label-untrusted' : 'label-outdated']);
    },
  );
});

describe('a label of which not all is known', () => {
  it('says that git could not fetch the commits, before all that follows from them', () =>
    expect(unmet({ unfetched: 'no answer', grant: null, byHand: ['x'] })).toEqual([
      {
        code: 'not-fetched',
        what: 'git could not fetch the commits, so it is not known at which commit "auto-merge" was set and whether the change needs a person: no answer',
        who: 'a person who gives access to git, or no person: wait a while',
      },
    ]));
  it('says what is not known', () => {
    const said = (change: Partial<MergeGrant>) => unmet({ grant: { ...grant, ...change } });
    const unplaced = (what: string) => [{ code: 'label-unplaced', what, who: writer }];
    expect(said({ head: null })).toEqual(unplaced('it is not known at which commit "auto-merge" was set'));
    expect(said({ head: null, base: null })).toEqual(
      unplaced('it is not known at which commit "auto-merge" was set'),
    );
    expect(said({ base: null })).toEqual(
      unplaced('it is not known at which commit and for which base "auto-merge" was set'),
    );
  });
  it('says for which commit it holds', () =>
    expect(unmet({ grant: { ...grant, isCovering: false } })[0]?.what).toBe(
      '"auto-merge" was set at aaaaaaaaaaaa, and holds for that commit only: newer commits were pushed',
    ));
});
