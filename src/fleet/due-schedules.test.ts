/** Slots on a real ledger with a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteWorld } from '../../test/contracts/sqlite-world.ts';
import { openDatabase } from '../adapters/sqlite/database.ts';
import { readSigningKey } from '../adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { scheduleOf } from '../agents/schedules.ts';
import { type AgentName, agentNames } from '../domain/fleet/agent-names.ts';
import { eventSchema } from '../domain/fleet/event.ts';
import type { FleetSettings } from '../domain/fleet/fleet-settings.ts';
import { nextDue } from '../domain/fleet/schedule.ts';
import { listDueSchedules } from './due-schedules.ts';
import { receiveEvent } from './receive-event.ts';

const settings: FleetSettings = {
  ...{
    handle: 'gatewright',
    loopLabels: 'on',
    bots: [],
    verify: null,
    setup: null,
    setupHosts: [],
    agentCommands: [],
    requiredChecks: [],
    proof: 'warn',
    testsAtOnce: 2,
    template: null,
  },
  agents: agentNames,
};

let world: SqliteWorld;
beforeEach(() => {
  world = new SqliteWorld();
});
afterEach(() => world.remove());

function houseAt(now: string, agents: readonly AgentName[] = agentNames, ledger = world.ledger) {
  const clock = { ...world.clock, now: () => new Date(now) };
  world.clock.advance(new Date(now).getTime() - world.clock.now().getTime());
  return { ledger, clock, actor: 'alice', repositoryName: 'o/r', fleet: { ...settings, agents } };
}

async function due(now: string, agents?: readonly AgentName[]) {
  return listDueSchedules(houseAt(now, agents), 'gatewright[bot]');
}

async function receive(now: string, agents?: readonly AgentName[]): Promise<string[]> {
  const house = houseAt(now, agents);
  const events = await listDueSchedules(house, 'gatewright[bot]');
  for (const event of events) expect(await receiveEvent(house, event)).toBe(true);
  return events.map(({ schedule, at }) => `${schedule} ${at.slice(0, 16)}`);
}

// A Wednesday.
const first = '2027-06-02T12:00:00.000Z';

describe('listDueSchedules', () => {
  it('begins to count when it first looks: nothing of the past is due', async () => {
    expect(await due(first)).toEqual([]);
    expect(await due('2027-06-03T07:59:59.000Z')).toEqual([]);
    const kinds = (await world.ledger.readSubject('o/r~daily-digest')).map(({ kind }) => kind);
    expect(kinds).toEqual(['schedule-begun']);
  });

  it('gives each slot once, as an event that can be received', async () => {
    await due(first);
    const [event, ...more] = await due('2027-06-03T08:00:30.000Z');
    expect(more).toEqual([]);
    expect(eventSchema.parse(event)).toEqual({
      kind: 'schedule-due',
      delivery: 'schedule/o/r/daily-digest/2027-06-03T08:00Z',
      at: '2027-06-03T08:00:00.000Z',
      repository: 'o/r',
      actor: 'gatewright[bot]',
      actorKind: 'bot',
      schedule: 'daily-digest',
    });
    expect(await receive('2027-06-03T08:00:30.000Z')).toEqual(['daily-digest 2027-06-03T08:00']);
    expect(await receive('2027-06-03T23:00:00.000Z')).toEqual([]);
    expect(await receive('2027-06-04T10:00:00.000Z')).toEqual([
      'daily-digest 2027-06-04T08:00',
      'health-report 2027-06-04T09:00',
    ]);
    // Monday: all but the health report.
    expect(await receive('2027-06-07T10:00:00.000Z')).toEqual([
      'daily-digest 2027-06-07T08:00',
      'stale-gardener 2027-06-07T09:00',
      'doc-drift 2027-06-07T10:00',
      'template-sync 2027-06-07T00:00',
    ]);
  });

  it('makes up for the last slot only, however many were missed', async () => {
    await due(first);
    expect(await receive('2027-07-14T12:00:00.000Z')).toEqual([
      'daily-digest 2027-07-14T08:00',
      'health-report 2027-07-09T09:00',
      'stale-gardener 2027-07-12T09:00',
      'doc-drift 2027-07-12T10:00',
      'template-sync 2027-07-12T00:00',
    ]);
    expect(await receive('2027-07-14T12:00:01.000Z')).toEqual([]);
  });

  it('leaves out agents that are off; one that is switched on counts from then', async () => {
    await due(first, ['daily-digest', 'implementer']);
    expect(await receive('2027-06-08T12:00:00.000Z', ['daily-digest'])).toEqual([
      'daily-digest 2027-06-08T08:00',
    ]);
    expect(await receive('2027-06-08T12:00:00.000Z')).toEqual([]);
    expect(await receive('2027-06-11T09:00:00.000Z', ['health-report'])).toEqual([
      'health-report 2027-06-11T09:00',
    ]);
    expect(await receive('2027-06-11T09:00:00.000Z', [])).toEqual([]);
  });

  it('counts the slot in whose very moment it begins', async () => {
    const slot = nextDue(scheduleOf('health-report'), new Date(first)).toISOString();
    expect(await receive(slot, ['health-report'])).toEqual([`health-report ${slot.slice(0, 16)}`]);
  });

  it('agrees between processes: one beginning, one delivery', async () => {
    const database = openDatabase(world.file);
    const other = new SqliteLedger(database, world.clock, readSigningKey(world.file, database));
    const houses = () => [houseAt(first), houseAt(first, agentNames, other)];
    expect(await Promise.all(houses().map((house) => listDueSchedules(house, 'b')))).toEqual([[], []]);
    const now = '2027-06-03T09:00:00.000Z';
    const both = [houseAt(now), houseAt(now, agentNames, other)];
    const lists = await Promise.all(both.map((house) => listDueSchedules(house, 'b')));
    expect(lists[0]).toHaveLength(1);
    expect(lists[1]).toEqual(lists[0]);
    const received = await Promise.all(
      both.flatMap((house, index) => (lists[index] ?? []).map((event) => receiveEvent(house, event))),
    );
    expect(received.sort()).toEqual([false, true]);
    expect((await world.ledger.verify()).problems).toEqual([]);
    database.close();
  });

  it('keeps repositories apart', async () => {
    await due(first);
    const house = { ...houseAt('2027-06-03T09:00:00.000Z'), repositoryName: 'o/other' };
    expect(await listDueSchedules(house, 'b')).toEqual([]);
  });
});
