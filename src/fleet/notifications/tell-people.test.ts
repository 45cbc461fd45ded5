/** Telling people, with real records and a clock that the test moves: once for each stop and gate, however it is cut off. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { makeMortalLedger } from '../../../test/support/mortal-ledger.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { RunRequest, StopReason } from '../../domain/ledger/run.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import type { Recipient } from '../../domain/notifications/notification-settings.ts';
import { GatewrightError } from '../../errors.ts';
import type { House } from '../../runs/house.ts';
import { type NotificationDesk, Teller } from './tell-people.ts';

let world: FleetWorld;
let sent: NotificationMessage[];
let failure: GatewrightError | null;
let now: number;
beforeEach(async () => {
  world = await FleetWorld.open();
  [sent, failure, now] = [[], null, Date.now()];
});
afterEach(() => world.remove());

const alice: Recipient = {
  ...{ name: 'alice', logins: ['alice'], channels: ['team'], tell: 'own', urgency: 'normal', quiet: null },
};

function makeDesk(people: readonly Recipient[] = [alice]): NotificationDesk {
  const none = { listClosed: async () => [], listHeld: async () => [] };
  const send = async (message: NotificationMessage): Promise<string> => {
    if (failure !== null) throw failure;
    sent.push(message);
    return 'HTTP 200';
  };
  const channel = {
    name: 'team',
    kind: 'webhook',
    address: 'a'.repeat(64),
    send,
    check: async () => '',
  } as const;
  return {
    ...{ people, closed: none, closedFreshly: none, webBase: null, exists: () => true },
    channels: new Map([['team', channel]]),
  };
}

const house = (): House => ({ ...world.house, clock: { ...world.house.clock, now: () => new Date(now) } });
const tell = (people?: readonly Recipient[], place = house()) => new Teller(place, makeDesk(people)).tell();

let runs = 0;

async function write(entries: readonly NewEntry[]): Promise<void> {
  await world.house.ledger.append(entries);
}

/** A run that an order of this person began and that has stopped. */
async function stopRun(by: string, reason: Partial<StopReason> = {}): Promise<string> {
  runs += 1;
  const [run, delivery, subject] = [`RUN${runs}`, `delivery-${runs}`, `${world.repository}#${runs}`];
  const request: RunRequest = {
    ...{ workflow: 'loop', number: runs, isQuick: false, title: `Thing ${runs}`, forge: 'local' },
    ...{ repository: world.repository, root: world.playground.repository, delivery, dryRun: false },
  };
  const event = await world.house.ledger.putText('{}');
  await write([
    {
      subject,
      run: '',
      actor: by,
      key: delivery,
      kind: 'event-received',
      data: { kind: 'issue-opened', actor: by, event },
    },
    { subject, run, actor: world.own, key: run, kind: 'run-started', data: { request } },
    stopOf(run, reason),
  ]);
  return run;
}

function stopOf(run: string, reason: Partial<StopReason> = {}): NewEntry {
  const why: StopReason = {
    code: 'no-progress',
    message: 'It went round in circles.',
    owner: 'person',
    resume: '',
    ...reason,
  };
  const subject = `${world.repository}#${run.slice(3)}`;
  return { subject, run, actor: world.own, kind: 'run-stopped', data: { status: 'blocked', reason: why } };
}

function resumeOf(run: string, isByFleet: boolean): NewEntry {
  const subject = `${world.repository}#${run.slice(3)}`;
  const data = { from: 'blocked', ...(isByFleet ? { isByFleet } : {}) } as const;
  return { subject, run, actor: 'alice', kind: 'run-resumed', data };
}

const titles = (): string[] =>
  sent.flatMap(({ to, matters }) => matters.map(({ title }) => `${to}: ${title}`));

describe('a stop', () => {
  it('is told once, with its reason, its owner, its cost and the command that continues it', async () => {
    const run = await stopRun('alice');
    await tell();
    await tell();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.matters).toMatchObject([
      {
        kind: 'stop',
        urgency: 'high',
        owner: 'a person',
        costUsd: 0,
        command: `gatewright loop resume ${run}`,
        why: expect.stringContaining('It went round in circles.') as string,
      },
    ]);
  });

  it('is told although something failed for a moment before it was begun', async () => {
    await stopRun('alice');
    const place = house();
    let failures = 1;
    const leases: typeof place.leases = {
      acquire: (subject) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('busy')) : place.leases.acquire(subject);
      },
      holderOf: (subject) => place.leases.holderOf(subject),
      seize: (...words) => place.leases.seize(...words),
    };
    const teller = new Teller({ ...place, leases }, makeDesk());
    await expect(teller.tell()).rejects.toThrow('busy');
    expect(await teller.isDue()).toBe(true);
    await teller.tell();
    expect(sent).toHaveLength(1);
  });

  it('is not told again when the fleet tries again in vain, and is when a person has moved it on', async () => {
    const run = await stopRun('alice');
    await tell();
    await write([resumeOf(run, true)]);
    await write([stopOf(run)]);
    await tell();
    expect(sent).toHaveLength(1);
    await write([stopOf(run, { message: 'Now it is something else.' })]);
    await tell();
    expect(sent).toHaveLength(2);
    await write([resumeOf(run, false)]);
    await write([stopOf(run, { message: 'Now it is something else.' })]);
    await tell();
    expect(sent).toHaveLength(3);
  });

  it('that time ends is told only who wants that', async () => {
    await stopRun('alice', { owner: 'time', until: new Date(now + 60_000).toISOString() });
    await tell();
    expect(sent).toEqual([]);
    await tell([{ ...alice, urgency: 'low' }]);
    expect(sent).toHaveLength(1);
  });

  it('is told to the person who ordered it', async () => {
    const people = [alice, { ...alice, name: 'ben', logins: ['ben'] }];
    await stopRun('ben');
    await tell(people);
    expect(titles()).toEqual([`ben: loop of #${runs}: Thing ${runs}`]);
    await stopRun('renovate[bot]');
    await tell(people);
    expect(titles().length).toBe(3);
  });

  it('of another repository is not told', async () => {
    await stopRun('alice');
    await tell([alice], { ...house(), repositoryName: 'local/other' });
    expect(sent).toEqual([]);
  });
});

describe('a channel that fails', () => {
  const busy = new GatewrightError('notification-failed', 'The channel "team" did not take it: HTTP 503.');

  it('is tried again after a pause, with the same message', async () => {
    await stopRun('alice');
    failure = busy;
    const { outcomes } = await tell();
    expect(outcomes).toMatchObject([{ answer: null, why: busy.message }]);
    failure = null;
    await tell();
    expect(sent).toEqual([]);
    now += 61_000;
    await tell();
    expect(sent).toHaveLength(1);
  });

  it('is left alone for a while by the same process, and then gets everything', async () => {
    const teller = new Teller(house(), makeDesk());
    await stopRun('alice');
    failure = busy;
    await teller.tell();
    await stopRun('alice');
    expect((await teller.tell()).outcomes).toEqual([]);
    failure = null;
    now += 31_000;
    expect(await teller.isDue()).toBe(true);
    await teller.tell();
    expect(sent).toHaveLength(1);
    now += 40_000;
    expect(await teller.isDue()).toBe(true);
    await teller.tell();
    expect(sent).toHaveLength(2);
    expect(await teller.isDue()).toBe(true);
    await teller.tell();
    expect(await teller.isDue()).toBe(false);
  });
});

describe('quiet hours', () => {
  it('hold everything and end with one digest', async () => {
    const night = { from: '00:00', to: '23:59', zone: 'UTC' };
    now = Date.UTC(2030, 0, 1, 12);
    await stopRun('alice');
    await stopRun('alice');
    const people = [{ ...alice, quiet: night }];
    expect(await tell(people)).toMatchObject({ outcomes: [], held: 2 });
    now = Date.UTC(2030, 0, 1, 23, 59);
    await tell(people);
    expect(sent).toMatchObject([{ kind: 'digest' }]);
    expect(sent[0]?.matters).toHaveLength(2);
  });
});

describe('a process that dies', () => {
  it('loses no message at any write, and sends no other one than it began', async () => {
    for (const isWritten of [false, true])
      for (let death = 1; death <= 3; death += 1) {
        await stopRun('alice');
        const before = sent.length;
        const place = house();
        const { ledger } = makeMortalLedger(place.ledger, { write: death, isWritten });
        await expect(tell([alice], { ...place, ledger })).rejects.toThrow('the power is out');
        await tell();
        const messages = sent.slice(before);
        // Twice only where the receipt of what arrived was not written.
        expect(messages).toHaveLength(death === 3 && !isWritten ? 2 : 1);
        expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
        await tell();
        expect(sent.slice(before)).toEqual(messages);
      }
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });

  it('or lives on beside another one tells each thing once', async () => {
    await stopRun('alice');
    const rounds = await Promise.all([1, 2, 3, 4].map(() => tell()));
    expect(sent).toHaveLength(1);
    expect(rounds.flatMap(({ outcomes }) => outcomes)).toHaveLength(1);
  });
});
