/** Who may give orders: asked of a real forge and a real ledger, for each grade of permission and each kind of account. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { Permission } from '../domain/forge/permission.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import type { House } from '../runs/house.ts';
import { judgeActor } from './judge-actor.ts';
import { subjectOfEvent } from './receive-event.ts';

const number = 7;
const listed = 'helper[bot]';
/** A machine with an account like a person's. */
const machine = 'robot';

let world: FleetWorld;
let house: House;
beforeEach(async () => {
  world = await FleetWorld.open();
  house = { ...world.house, fleet: { ...world.house.fleet, bots: ['Helper[bot]', machine] } };
});
afterEach(() => world.remove());

function comment(actor: string, text = '@claude do it', delivery = 'now'): FleetEvent {
  return {
    ...({ kind: 'comment-created', number, isPullRequest: false, comment: 1 } as const),
    ...{ text, delivery, actor, repository: world.repository, at: '2026-01-01T00:00:00.000Z' },
    actorKind: actor.endsWith('[bot]') ? 'bot' : 'person',
  };
}

const judge = (event: FleetEvent) => judgeActor(house, event);

async function append(...entries: readonly Pick<NewEntry, 'kind' | 'data' | 'run' | 'key'>[]): Promise<void> {
  const subject = subjectOfEvent(comment('alice'));
  for (const entry of entries) await house.ledger.append([{ ...entry, subject, actor: 'test' } as NewEntry]);
}

async function order(delivery: string, actor: string): Promise<void> {
  const event = await house.ledger.putText('{}');
  const request = { workflow: 'agent', agent: 'implementer', delivery, number, dryRun: false };
  await append(
    { kind: 'event-received', run: '', key: delivery, data: { kind: 'comment-created', actor, event } },
    { kind: 'run-started', run: `R-${delivery}`, data: { request } } as never,
  );
}

async function proposePlan(): Promise<void> {
  const plan = await house.ledger.putText('The plan.');
  await append({ kind: 'plan-proposed', run: 'R-plan', data: { plan, comment: 1 } });
}

describe('a person', () => {
  it.each<[Permission, string | null]>([
    ['none', 'bob has no write permission'],
    ['read', 'bob has no write permission, only read'],
    ['triage', 'bob has no write permission, only triage'],
    ['write', null],
    ['maintain', null],
    ['admin', null],
  ])('with "%s"', async (permission, detail) => {
    await world.as('bob', permission);
    const refusal = detail === null ? null : { because: 'not-permitted', detail, isNews: false };
    expect(await judge(comment('bob'))).toEqual(refusal);
  });

  it('is not counted as a program, however often they order', async () => {
    for (const delivery of ['d1', 'd2', 'd3', 'd4']) await order(delivery, 'alice');
    expect(await judge(comment('alice'))).toBeNull();
  });
});

describe('a program', () => {
  it('is not listened to when it is not listed, whatever it may do on the forge', async () => {
    await world.as('other[bot]', 'admin');
    expect(await judge(comment('other[bot]'))).toEqual({
      ...{ because: 'bot', isNews: false },
      detail: 'other[bot] is a program that is not listed',
    });
  });

  it('that is listed may give orders', async () => expect(await judge(comment(listed))).toBeNull());

  it.each(['@claude approve', '@claude yes'])('does not approve a plan (%s)', async (text) => {
    expect(await judge(comment(listed, text))).toBeNull();
    await proposePlan();
    expect(await judge(comment(listed, text))).toEqual({
      ...{ because: 'bot', isNews: false },
      detail: `${listed} is a program: it may give orders, but only a person approves a plan`,
    });
    expect(await judge(comment(listed, '@claude please use SQLite instead of a file'))).toBeNull();
  });

  it('may do what is no comment while a plan waits', async () => {
    await proposePlan();
    const { delivery, actor, actorKind, repository, at } = comment(listed);
    const event: FleetEvent = {
      ...({ kind: 'labeled', number, isPullRequest: false, label: 'bug' } as const),
      ...{ delivery, actor, actorKind, repository, at },
    };
    expect(await judge(event)).toBeNull();
  });

  it('finishes what it began, even an approval of before', async () => {
    await order('now', listed);
    await proposePlan();
    expect(await judge(comment(listed, '@claude approve'))).toBeNull();
  });

  it('waits for a person after three orders of programs in a row, and people are told once', async () => {
    for (const delivery of ['d1', 'd2']) await order(delivery, listed);
    expect(await judge(comment(listed))).toBeNull();
    await order('d3', 'other[bot]');
    const detail = 'programs have given 3 orders in a row; a person has to give the next';
    expect(await judge(comment(listed))).toEqual({ because: 'loop', detail, isNews: true });
    expect(await judge(comment(listed, '@claude do it', 'd3'))).toBeNull();
    await order('d4', 'alice');
    expect(await judge(comment(listed))).toBeNull();
  });
});

describe('a machine with an account like a person’s, which is listed', () => {
  it('needs the permission of a person', async () => {
    await world.as(machine, 'read');
    expect(await judge(comment(machine))).toMatchObject({ because: 'not-permitted' });
  });

  it('is counted as a program', async () => {
    await world.as(machine, 'write');
    expect(await judge(comment(machine))).toBeNull();
    for (const delivery of ['d1', 'd2', 'd3']) await order(delivery, machine);
    expect(await judge(comment(machine))).toMatchObject({ because: 'loop' });
  });
});
