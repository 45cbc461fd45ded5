import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentNames, type ScheduleName, scheduleNames } from '../domain/fleet/agent-names.ts';
import * as schedule from '../domain/fleet/schedule.ts';
import { manifestOf } from './agents.ts';
import { slotOf } from './manifest.ts';
import { scheduleOf, schedulesOfCron } from './schedules.ts';

const { slotDelivery } = schedule;
const lastDue = (name: ScheduleName, now: Date) => schedule.lastDue(scheduleOf(name), now);
const nextDue = (name: ScheduleName, now: Date) => schedule.nextDue(scheduleOf(name), now);
const cronOf = (name: ScheduleName) => schedule.cronOf(scheduleOf(name));
const describeSchedule = (name: ScheduleName) => schedule.describeSchedule(scheduleOf(name));

const at = (text: string) => new Date(`${text}:00.000Z`);

describe('schedules', () => {
  it('are in the manifest of each agent that is named as scheduled, and in no other', () => {
    expect(agentNames.filter((name) => slotOf(manifestOf(name)) !== null)).toEqual([...scheduleNames]);
  });

  it.each([
    ['daily-digest', '2026-06-03T07:59', '2026-06-02T08:00', '2026-06-03T08:00'],
    ['daily-digest', '2026-06-03T08:00', '2026-06-03T08:00', '2026-06-04T08:00'],
    ['health-report', '2026-06-03T12:00', '2026-05-29T09:00', '2026-06-05T09:00'],
    ['stale-gardener', '2026-06-01T09:00', '2026-06-01T09:00', '2026-06-08T09:00'],
    ['doc-drift', '2026-06-01T09:59', '2026-05-25T10:00', '2026-06-01T10:00'],
    ['template-sync', '2026-03-01T00:00', '2026-02-23T00:00', '2026-03-02T00:00'],
  ] as const)('%s at %s was due %s and is due %s', (name, now, last, next) => {
    expect(lastDue(name, at(now))).toEqual(at(last));
    expect(nextDue(name, at(now))).toEqual(at(next));
  });

  it('leaves no moment between two slots, and the next one is after now', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...scheduleNames),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
        (name, now) => {
          const [last, next] = [lastDue(name, now), nextDue(name, now)];
          expect(last <= now && now < next).toBe(true);
          expect(lastDue(name, new Date(next.getTime() - 1))).toEqual(last);
        },
      ),
    );
  });

  it('names a slot once', () => {
    const due = at('2026-06-01T09:00');
    expect(slotDelivery('o/r', 'stale-gardener', due)).toBe('schedule/o/r/stale-gardener/2026-06-01T09:00Z');
  });

  it('is told to people', () => {
    expect(['daily-digest', 'health-report'].map((name) => describeSchedule(name as 'daily-digest'))).toEqual(
      ['every day at 08:00 UTC', 'every Friday at 09:00 UTC'],
    );
  });

  it('is written as cron', () => {
    expect(scheduleNames.map(cronOf)).toEqual([
      '0 8 * * *',
      '0 9 * * 5',
      '0 9 * * 1',
      '0 10 * * 1',
      '0 0 * * 1',
    ]);
  });

  it.each([
    ['0 9 * * 1', ['stale-gardener']],
    ['0 9 * * MON', ['stale-gardener']],
    [' 00  08 * * * ', ['daily-digest']],
    ['0 9 * * 5', ['health-report']],
    ['0 9 * * *', []],
    ['', []],
    ['@daily', []],
  ])('"%s" of cron is the time of %j', (cron, names) => expect(schedulesOfCron(cron)).toEqual(names));

  it('are found again by their own line of cron', () => {
    for (const name of scheduleNames) expect(schedulesOfCron(cronOf(name))).toEqual([name]);
  });
});
