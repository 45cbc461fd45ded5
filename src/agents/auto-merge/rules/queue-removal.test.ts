import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { findQueueRemoval, listHanded, wordRemoval } from './queue-removal.ts';

const [head, other] = ['a'.repeat(40), 'b'.repeat(40)];
const at = (minute: number) => `2026-06-01T09:${String(minute).padStart(2, '0')}:00Z`;
const out = { isQueued: false, removedFor: 'CI_FAILURE', removedAt: at(10) };
const facts = { head, grantedAt: at(1), queue: out, handed: [{ head, at: at(5) }], told: [] };
const never = { isQueued: false, removedFor: null, removedAt: null };
const told = [{ head, at: at(10), reason: 'MANUAL' }];

describe('a pull request in the queue of the forge', () => {
  it.each<[string, Partial<Parameters<typeof findQueueRemoval>[0]>, string | null]>([
    ['that was handed over and is out again', {}, 'ci failure'],
    ['that a person handed over, as the forge told', { handed: [], told, queue: out }, 'ci failure'],
    ['of which only a delivery tells', { queue: never, told }, 'manual'],
    ['that is not there, and nobody says why', { queue: never }, 'no reason is known'],
    ['that was in it before we looked', { handed: [] }, 'ci failure'],
    ['that nobody lets be merged', { grantedAt: null }, 'ci failure'],
    ['that was let in at that very moment', { grantedAt: at(10) }, 'ci failure'],
    ['that is in it', { queue: { ...out, isQueued: true } }, null],
    ['that never was', { queue: never, handed: [] }, null],
    ['that was let in anew', { grantedAt: at(11) }, null],
    ['that was taken out at another head', { handed: [{ head: other, at: at(5) }] }, null],
    ['that was told of at another head', { handed: [], told: [{ ...told[0], head: other }] as never }, null],
    [
      'that was taken out at this head, and at another before',
      { handed: [{ head: other, at: at(2) }, ...facts.handed] },
      'ci failure',
    ],
  ])('%s', (_, change, why) => {
    expect(findQueueRemoval({ ...facts, ...change })?.why ?? null).toBe(why);
  });

  it.each([
    ['CI_FAILURE', 'ci failure'],
    ['MANUAL', 'manual'],
    ['UNKNOWN_REMOVAL_REASON', 'no reason is known'],
    ['', 'no reason is known'],
    [null, 'no reason is known'],
    ['@alice <b>', 'no reason is known'],
    ['X'.repeat(61), 'no reason is known'],
    [' CI_FAILURE', 'no reason is known'],
  ])('left it for %s: %s', (reason, words) => {
    expect(wordRemoval(reason)).toBe(words);
  });
});

describe('what was handed over', () => {
  const entry = (kind: string, key: string, data: unknown) =>
    ({ kind, key, data, run: 'R', subject: 's', at: at(1) }) as unknown as LedgerEntry;
  const effect = { kind: 'enqueue-pull-request', repository: 'o/r', number: 1, head };
  const intended = (key: string, more: object = {}, dryRun = false) =>
    entry('effect-intended', key, { effect: { ...effect, ...more }, dryRun });
  const receipted = (key: string) => entry('effect-receipted', key, { result: { queued: true } });

  it('is what has a receipt', () => {
    const key = `R/enqueue/${head}#1`;
    expect(listHanded([intended(key), receipted(key)], 1)).toEqual([{ head, at: at(1) }]);
  });

  it.each<[string, LedgerEntry[]]>([
    ['without a receipt', [intended('k')]],
    ['whose receipt is of something else', [intended('k'), receipted('l')]],
    ['in a dry run', [intended('k', {}, true), receipted('k')]],
    ['of another number', [intended('k', { number: 2 }), receipted('k')]],
    ['that is no queue', [intended('k', { kind: 'merge-pull-request' }), receipted('k')]],
  ])('is nothing %s', (_, entries) => {
    expect(listHanded(entries, 1)).toEqual([]);
  });
});
