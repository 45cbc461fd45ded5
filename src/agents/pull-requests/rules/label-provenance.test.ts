import { describe, expect, it } from 'vitest';
import { findLabelSetter, isOwnChange, mayBeOwnChange, type OwnSetting } from './label-provenance.ts';

const own = 'gatewright[bot]';
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString();
const change = (
  minute: number,
  actor: string,
  what: 'added' | 'removed' = 'added',
  label = 'auto-merge',
) => ({
  label,
  change: what,
  actor,
  actorKind: actor.endsWith('[bot]') ? ('bot' as const) : ('person' as const),
  at: at(minute),
});
const setting = (minute: number, isPutBack = false): OwnSetting => ({
  from: at(minute),
  at: at(minute),
  isPutBack,
});
type Events = ReturnType<typeof change>[];

describe('findLabelSetter', () => {
  it.each<[string, Events, OwnSetting[], string | null]>([
    ['nobody set it', [], [], null],
    ['another label was set', [change(0, 'eve', 'added', 'bug')], [], null],
    ['it was removed again', [change(0, 'alice'), change(1, 'alice', 'removed')], [], null],
    ['a person set it', [change(0, 'alice')], [], 'alice'],
    [
      'whoever set it last counts',
      [change(0, 'alice'), change(1, 'x', 'removed'), change(2, 'eve')],
      [],
      'eve',
    ],
    ['we set it', [change(0, own)], [setting(0)], 'us'],
    [
      'it was taken away, and somebody with our login set it again at once',
      [change(0, own), change(1, 'alice', 'removed'), change(2, own)],
      [setting(0)],
      null,
    ],
    [
      'we set it twice ourselves',
      [change(0, own), change(1, 'alice', 'removed'), change(2, own)],
      [setting(0), setting(2)],
      'us',
    ],
    ['it looks as if we had, and the ledger knows nothing of it', [change(0, own)], [], null],
    ['it looks as if we had, hours after we did', [change(0, own, 'added')], [setting(59)], null],
    [
      'we put back what somebody had set who may',
      [change(0, 'alice'), change(1, 'eve', 'removed'), change(2, own)],
      [setting(2, true)],
      'alice',
    ],
    [
      'somebody set it, removed it and had it put back',
      [change(0, 'eve'), change(1, 'eve', 'removed'), change(2, own)],
      [setting(2, true)],
      'eve',
    ],
    [
      'the same, and we had set it ourselves before it was taken away',
      [
        change(0, own),
        change(1, 'alice', 'removed'),
        change(5, 'eve'),
        change(6, 'eve', 'removed'),
        change(7, own),
      ],
      [setting(0), setting(7, true)],
      'eve',
    ],
    [
      'it was there when we set it, was taken away, and somebody with our login set it again',
      [change(0, 'eve'), change(3, 'alice', 'removed'), change(5, own)],
      [setting(1)],
      null,
    ],
    ['our login set it ten minutes after we wrote that down', [change(10, own)], [setting(0)], 'us'],
    ['our login set it a minute later than that', [change(11, own)], [setting(0)], null],
    ['another program set it', [change(0, 'other[bot]')], [], 'other[bot]'],
    [
      'another account set it just before we did',
      [change(5, 'eve'), change(6, 'alice', 'removed'), change(8, own)],
      [setting(6)],
      'us',
    ],
    [
      'we put back what we had set ourselves',
      [change(0, own), change(1, 'eve', 'removed'), change(2, own)],
      [setting(0), setting(2, true)],
      'us',
    ],
  ])('when %s', (_, events, settings, expected) => {
    const found = findLabelSetter(events, 'Auto-Merge', own, settings);
    expect(found === null ? null : found.by === 'us' ? 'us' : found.actor).toBe(expected);
    if (found !== null) expect(found.by).toBe(expected === 'us' ? 'us' : 'other');
  });

  it('takes what stands under a person’s account, by hand, for that person’s', () => {
    expect(findLabelSetter([change(0, 'alice')], 'auto-merge', 'alice', [])).toMatchObject({
      by: 'other',
      actor: 'alice',
    });
    expect(findLabelSetter([change(0, 'alice')], 'auto-merge', 'alice', [setting(0)])).toMatchObject({
      by: 'us',
    });
  });
});

describe('isOwnChange', () => {
  const put = (minute: number, actor = 'alice') => change(minute, actor, 'added', 'blocked');
  const took = (minute: number, actor = own) => change(minute, actor, 'removed', 'blocked');
  const begun = (from: number, end: number): OwnSetting => ({ ...setting(end), from: at(from) });

  it.each<[string, Events, OwnSetting[], { isOurs: boolean; mayBe: boolean }]>([
    ['nothing happened', [], [setting(0)], { isOurs: false, mayBe: false }],
    ['we took it off', [put(0), took(5)], [setting(5)], { isOurs: true, mayBe: true }],
    ['our clock is ahead', [put(0), took(3)], [setting(5)], { isOurs: true, mayBe: true }],
    ['our clock is behind', [put(0), took(9)], [setting(5)], { isOurs: true, mayBe: true }],
    ['it took long to write down', [put(0), took(2)], [begun(2, 9)], { isOurs: true, mayBe: true }],
    ['somebody else took it off', [put(0), took(5, 'eve')], [setting(5)], { isOurs: false, mayBe: false }],
    ['the ledger knows nothing of it', [put(0), took(5)], [], { isOurs: false, mayBe: false }],
    [
      'it was set after there was nothing for us to take off',
      [put(2), took(4)],
      [setting(0)],
      { isOurs: false, mayBe: true },
    ],
    [
      'it was gone before there was nothing for us to take off',
      [put(0), took(2)],
      [setting(6)],
      { isOurs: false, mayBe: true },
    ],
    [
      'we took it off, it was set again, and our login took it off again',
      [put(0), took(1), put(2), took(3)],
      [setting(1)],
      { isOurs: false, mayBe: false },
    ],
    [
      'our login set it in the moment in which we wrote down that we took it off',
      [put(5, own), took(6)],
      [setting(5)],
      { isOurs: true, mayBe: true },
    ],
    [
      'our login took it off, it was set again, and then we took it off',
      [put(0), took(1), put(2), took(4)],
      [setting(4)],
      { isOurs: true, mayBe: true },
    ],
  ])('when %s', (_, events, settings, expected) => {
    const isOurs = isOwnChange(events, own, settings);
    expect({ isOurs, mayBe: mayBeOwnChange(events, own, settings) }).toEqual(expected);
  });
});
