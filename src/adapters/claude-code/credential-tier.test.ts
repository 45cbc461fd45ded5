/** The table of the two tiers: when the second is used, and above all when it is not. */
import { describe, expect, it } from 'vitest';
import { type AttemptEnd, chooseTier, type TierAttempt } from './credential-tier.ts';

const now = new Date('2026-11-15T10:00:00.000Z');
const later = new Date('2026-11-15T11:00:00.000Z');
const latest = new Date('2026-11-15T15:00:00.000Z');
const both = ['subscription', 'key'];
const none = new Map<string, Date>();
const ended = (...ends: AttemptEnd[]): TierAttempt[] =>
  ends.map((end, index) => ({ credential: both[index] ?? '', end }));

describe('chooseTier', () => {
  it.each<[string, readonly string[], TierAttempt[], Map<string, Date>, string | null, Date | null]>([
    ['the subscription comes first', both, [], none, 'subscription', null],
    ['out of quota: the key', both, ended('quota'), new Map([['subscription', later]]), 'key', null],
    ['out of quota, no time told: the key', both, ended('quota'), none, 'key', null],
    ['not accepted: the key', both, ended('not-authenticated'), none, 'key', null],
    ['nobody was reached: the key', both, ended('unreached'), none, 'key', null],
    ['neither reached anybody: it stands', both, ended('unreached', 'unreached'), none, null, null],
    [
      'the key reached nobody: not the quota is waited for',
      both,
      ended('quota', 'unreached'),
      new Map([['subscription', later]]),
      null,
      null,
    ],
    ['turns used up: no second charge', both, ended('turns-exhausted'), none, null, null],
    ['finished: nothing more', both, ended('finished'), none, null, null],
    ['refused: nothing more', both, ended('refused'), none, null, null],
    ['worked and failed: nothing more', both, ended('failed'), none, null, null],
    ['known to be exhausted: not called at all', both, [], new Map([['subscription', later]]), 'key', null],
    ['exhausted until now: free again', both, [], new Map([['subscription', now]]), 'subscription', null],
    [
      'both exhausted: the earlier reset',
      both,
      [],
      new Map([
        ['subscription', latest],
        ['key', later],
      ]),
      null,
      later,
    ],
    [
      'both out of quota just now',
      both,
      ended('quota', 'quota'),
      new Map([
        ['subscription', later],
        ['key', latest],
      ]),
      null,
      later,
    ],
    [
      'the key was rejected: the subscription is waited for',
      both,
      ended('quota', 'not-authenticated'),
      new Map([['subscription', later]]),
      null,
      later,
    ],
    ['both rejected: no time helps', both, ended('not-authenticated', 'not-authenticated'), none, null, null],
    ['the key ran out of turns: nothing more', both, ended('quota', 'turns-exhausted'), none, null, null],
    ['only a key', ['key'], [], none, 'key', null],
    ['only a subscription, out of quota', ['subscription'], ended('quota'), none, null, null],
    ['nothing at all', [], [], none, null, null],
  ])('%s', (_, credentials, attempts, exhausted, use, until) => {
    const choice = chooseTier(credentials, attempts, exhausted, now);
    expect(choice.use).toBe(use);
    if (choice.use === null) expect(choice.until).toEqual(until);
  });
});
