/** Each matter is told once for each channel of each person, at the right time, and a failure is tried again within bounds. */
import { describe, expect, it } from 'vitest';
import type { EffectOf } from '../../../domain/ledger/effect.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import {
  type Matter,
  mostAttempts,
  pauseAfter,
  type Urgency,
} from '../../../domain/notifications/notification.ts';
import type { Recipient } from '../../../domain/notifications/notification-settings.ts';
import { foldTold, nothingTold, type Told } from './fold-told.ts';
import { type OwnedMatter, type Plan, planMessages } from './plan-messages.ts';

const noon = new Date('2026-11-19T12:00:00Z');
const later = (milliseconds: number): Date => new Date(noon.getTime() + milliseconds);

function matter(id: string, more: Partial<Matter> = {}, owners: readonly string[] = []): OwnedMatter {
  const one: Matter = {
    ...{ id, kind: 'gate', urgency: 'normal', subject: 'o/r#1', run: 'R', title: id, why: '', owner: '' },
    ...{ command: '', costUsd: 0, since: '2026-11-19T11:59:00.000Z', url: null },
    ...more,
  };
  return { matter: one, owners };
}

function person(name: string, more: Partial<Recipient> = {}): Recipient {
  return { name, logins: [name], channels: ['team'], tell: 'own', urgency: 'normal', quiet: null, ...more };
}

interface Given {
  readonly matters: readonly OwnedMatter[];
  readonly people?: readonly Recipient[];
  readonly told?: Told;
  readonly now?: Date;
  readonly address?: string;
}

function plan({
  matters,
  people = [person('anna')],
  told = nothingTold,
  now = noon,
  address = 'here',
}: Given): Plan {
  const addresses = new Map([
    ['team', address],
    ['mail', address],
  ]);
  return planMessages({ repository: 'o/r', matters, people, addresses, told, now });
}

/** Who would be told what, by what. */
const told = ({ due }: Plan) =>
  due.map((one) =>
    one.is === 'new' ? `${one.message.to} ${one.channel} ${one.matters.join('+')}` : `again ${one.id}`,
  );

let seq = 0;
function entries(
  planned: Plan,
  ...happened: ('intended' | 'receipted' | 'failed' | 'refused' | Date)[]
): LedgerEntry[] {
  const [first] = planned.due;
  if (first === undefined || first.is !== 'new') throw new Error('nothing new is due');
  let at = noon;
  const effect: EffectOf<'send-notification'> = {
    kind: 'send-notification',
    ...{ channel: first.channel, address: 'here', to: first.message.to, id: first.message.id },
    ...{ matters: first.matters, message: 'e'.repeat(64) },
  };
  return happened.flatMap((one) => {
    if (one instanceof Date) {
      at = one;
      return [];
    }
    seq += 1;
    const code = one === 'refused' ? 'notification-refused' : 'notification-failed';
    const data =
      one === 'intended'
        ? { effect, dryRun: false }
        : one === 'receipted'
          ? { result: {} }
          : { code, message: '' };
    const kind = one === 'refused' ? 'effect-failed' : `effect-${one}`;
    const run = `notification-${first.message.id}`;
    return [
      { kind, run, seq, at: at.toISOString(), data, subject: 'o/r~notifications', actor: 'a' },
    ] as unknown as LedgerEntry[];
  });
}

describe('who is told', () => {
  const own = matter('own', {}, ['Anna']);
  const other = matter('other', {}, ['ben']);
  const strangers = matter('stray', {}, ['a-stranger']);

  it('is the person whose it is, and all whose it is not when it is of no listed person', () => {
    const people = [person('anna'), person('ben'), person('cleo')];
    expect(told(plan({ matters: [own], people }))).toEqual(['anna team own']);
    expect(told(plan({ matters: [strangers], people }))).toEqual([
      'anna team stray',
      'ben team stray',
      'cleo team stray',
    ]);
  });

  it('is also who asked for everything', () => {
    const people = [person('anna'), person('boss', { tell: 'all' })];
    expect(told(plan({ matters: [own, other], people }))).toEqual([
      ...['anna team own', 'anna team other', 'boss team own', 'boss team other'],
    ]);
  });

  it.each<[Urgency, readonly string[]]>([
    ['low', ['low', 'normal', 'high']],
    ['normal', ['normal', 'high']],
    ['high', ['high']],
  ])('hears what is %s or more', (urgency, expected) => {
    const matters = (['low', 'normal', 'high'] as const).map((one) => matter(one, { urgency: one }));
    const due = told(plan({ matters, people: [person('anna', { urgency })] }));
    expect(due).toEqual(expected.map((one) => `anna team ${one}`));
  });

  it('hears it on each channel that is there', () => {
    const people = [person('anna', { channels: ['team', 'mail', 'resting'] })];
    expect(told(plan({ matters: [own], people }))).toEqual(['anna team own', 'anna mail own']);
  });
});

describe('what was told', () => {
  const one = matter('one');

  it('is not told again, and something else is', () => {
    const first = plan({ matters: [one] });
    const known = foldTold(nothingTold, entries(first, 'intended', 'receipted'));
    expect(told(plan({ matters: [one], told: known }))).toEqual([]);
    expect(told(plan({ matters: [one, matter('two')], told: known }))).toEqual(['anna team two']);
  });

  it('is told again under its id when it is not known whether it arrived', () => {
    const first = plan({ matters: [one] });
    const known = foldTold(nothingTold, entries(first, 'intended'));
    const [message] = first.due;
    const again = plan({ matters: [one], told: known });
    expect(again.due).toMatchObject([{ is: 'again', id: message?.is === 'new' ? message.message.id : '' }]);
    // No person needs it any more.
    expect(told(plan({ matters: [], told: known }))).toEqual([]);
  });

  it('is folded the same in parts as at once', () => {
    const all = entries(
      plan({ matters: [one] }),
      'intended',
      'failed',
      later(60_000),
      'intended',
      'receipted',
    );
    const inParts = all.reduce<Told>((before, entry) => foldTold(before, [entry]), nothingTold);
    expect([...inParts]).toEqual([...foldTold(nothingTold, all)]);
    expect([...inParts.values()]).toMatchObject([{ state: 'sent', attempts: new Map([['here', 2]]) }]);
  });
});

describe('a message that was not taken', () => {
  const one = matter('one');
  const first = plan({ matters: [one] });

  it('is tried again after a pause that grows, and not for ever', () => {
    const happened: ('intended' | 'failed' | Date)[] = [];
    let now = noon;
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      happened.push(now, 'intended', 'failed');
      const known = foldTold(nothingTold, entries(first, ...happened));
      const next = now.getTime() + pauseAfter(attempt);
      const early = plan({ matters: [one], told: known, now: new Date(next - 1) });
      expect(told(early)).toEqual([]);
      expect(early.nextAt).toBe(attempt === mostAttempts ? null : next);
      now = new Date(next);
      expect(told(plan({ matters: [one], told: known, now })).length).toBe(attempt === mostAttempts ? 0 : 1);
    }
    expect(now.getTime() - noon.getTime()).toBeGreaterThan(2 * 3_600_000);
  });

  it('is not tried again when it was refused, until the settings change', () => {
    const known = foldTold(nothingTold, entries(first, 'intended', 'refused'));
    expect(told(plan({ matters: [one], told: known, now: later(86_400_000) }))).toEqual([]);
    expect(plan({ matters: [one], told: known, address: 'there' }).due).toHaveLength(1);
  });

  it('is tried with pauses and not for ever, also where processes with two settings take turns', () => {
    let now = noon;
    let known = nothingTold;
    const tries = { here: 0, there: 0 };
    const isDueAt = (address: string): boolean =>
      plan({ matters: [one], told: known, now, address }).due.length > 0;
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      for (const address of ['here', 'there'] as const) {
        if (!isDueAt(address)) continue;
        tries[address] += 1;
        known = foldTold(
          known,
          entries(first, now, 'intended', 'failed').map((entry) =>
            entry.kind === 'effect-intended'
              ? {
                  ...entry,
                  data: {
                    ...entry.data,
                    effect: { ...entry.data.effect, address } as EffectOf<'send-notification'>,
                  },
                }
              : entry,
          ),
        );
      }
      now = new Date(now.getTime() + 60_000);
    }
    expect(tries).toEqual({ here: mostAttempts, there: mostAttempts });
  });

  it('keeps no other from being told', () => {
    const known = foldTold(nothingTold, entries(first, 'intended', 'failed'));
    expect(told(plan({ matters: [one, matter('two')], told: known }))).toEqual(['anna team two']);
  });
});

describe('quiet hours', () => {
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' };
  const people = [person('anna', { quiet }), person('ben')];
  const night = new Date('2026-11-19T23:00:00Z');
  const morning = new Date('2026-11-20T06:00:00Z');
  const atNight = ['one', 'two'].map((id) => matter(id, { since: '2026-11-19T22:30:00.000Z' }));

  it('hold what there is, for that person alone', () => {
    const planned = plan({ matters: atNight, people, now: night });
    expect(told(planned)).toEqual(['ben team one', 'ben team two']);
    expect(planned.held).toBe(2);
    expect(planned.nextAt).toBe(night.getTime() + 60_000);
  });

  it('end with one digest of it', () => {
    const planned = plan({ matters: atNight, people: [person('anna', { quiet })], now: morning });
    expect(planned.due).toMatchObject([
      { is: 'new', message: { kind: 'digest', more: 0 }, matters: ['one', 'two'] },
    ]);
  });

  it('also hold what has to be tried again', () => {
    const single = [person('anna', { quiet })];
    const known = foldTold(
      nothingTold,
      entries(plan({ matters: [matter('one')], people: single }), 'intended'),
    );
    const planned = plan({ matters: [matter('one')], people: single, told: known, now: night });
    expect([planned.due, planned.held]).toEqual([[], 1]);
  });
});

describe('many at once', () => {
  const many = Array.from({ length: 70 }, (_, number) => matter(`m${number}`));

  it('are one digest, which names some and counts all', () => {
    const planned = plan({ matters: many });
    expect(planned.due).toHaveLength(1);
    const [first] = planned.due;
    expect(first).toMatchObject({ message: { kind: 'digest', more: 20 } });
    expect(first?.is === 'new' ? first.message.matters.length : 0).toBe(50);
    const known = foldTold(nothingTold, entries(planned, 'intended', 'receipted'));
    expect(told(plan({ matters: many, told: known }))).toEqual([]);
  });

  it('have an id that does not depend on their order', () => {
    const idOf = ({ due }: Plan) => due.map((one) => (one.is === 'new' ? one.message.id : ''));
    expect(idOf(plan({ matters: many }))).toEqual(idOf(plan({ matters: many.toReversed() })));
  });
});
