import { describe, expect, it } from 'vitest';
import { findLabelSetter, type OwnSetting } from './label-provenance.ts';

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
const setting = (minute: number, isPutBack = false): OwnSetting => ({ at: at(minute), isPutBack });
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
  ])('when %s', (_, events, settings, expected) => {
    const found = findLabelSetter(events, 'Auto-Merge', own, settings);
    expect(found === null ? null : found.by === 'us' ? 'us' : found.actor).toBe(expected);
  });

  it('takes what stands under a person’s account, by hand, for that person’s', () => {
    expect(findLabelSetter([change(0, 'alice')], 'auto-merge', 'alice', [])).toMatchObject({
      actor: 'alice',
    });
    expect(findLabelSetter([change(0, 'alice')], 'auto-merge', 'alice', [setting(0)])).toEqual({ by: 'us' });
  });
});
