/**
 * Which scheduled agents are due now in a repository, as events that are ready to be received. Several processes may
 * ask as often as they like: a slot has one delivery. Of the missed slots, the last is made up for; a slot that was due
 * before a process first looked at the schedule here is not.
 */
import { scheduleOf } from '../agents/schedules.ts';
import { type ScheduleName, scheduleNames } from '../domain/fleet/agent-names.ts';
import type { EventOf } from '../domain/fleet/event.ts';
import { lastDue, slotDelivery } from '../domain/fleet/schedule.ts';
import { choreSubject } from '../domain/ledger/subject.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { FleetTools } from '../runs/house.ts';

type Watched = Pick<FleetTools, 'ledger' | 'actor' | 'fleet' | 'repositoryName'> & {
  readonly clock: Pick<FleetTools['clock'], 'now'>;
};

/** The schedules of agents that are on. */
function listWatched({ fleet }: Watched): ScheduleName[] {
  return scheduleNames.filter((name) => fleet.agents.includes(name));
}

/** When this schedule was first looked at in this repository, which is now if it never was. */
async function findBeginning(house: Watched, schedule: ScheduleName): Promise<Date> {
  const { ledger, actor } = house;
  const key = choreSubject(house.repositoryName, schedule);
  const known = await ledger.find('schedule-begun', key);
  if (known !== null) return new Date(known.at);
  try {
    const data = { schedule };
    const [entry] = await ledger.append([
      { subject: key, run: '', actor, kind: 'schedule-begun', key, data },
    ]);
    if (entry !== undefined) return new Date(entry.at);
  } catch (error) {
    if (!isGatewrightError(error, 'ledger-conflict')) throw error;
  }
  // Another process wrote the entry first.
  const theirs = await ledger.find('schedule-begun', key);
  if (theirs === null) throw new GatewrightError('internal', `The beginning of ${key} is not on the ledger.`);
  return new Date(theirs.at);
}

/** One slot of a schedule. `own` is the login under which we act: the event has no other actor. */
export function makeScheduleEvent(
  { repositoryName: repository }: Pick<FleetTools, 'repositoryName'>,
  own: string,
  slot: { readonly schedule: ScheduleName; readonly delivery: string; readonly at: Date },
): EventOf<'schedule-due'> {
  const { schedule, delivery } = slot;
  const at = slot.at.toISOString();
  return { kind: 'schedule-due', delivery, at, repository, actor: own, actorKind: 'bot', schedule };
}

export async function listDueSchedules(house: Watched, own: string): Promise<EventOf<'schedule-due'>[]> {
  const { ledger, repositoryName: repository } = house;
  const now = house.clock.now();
  const events: EventOf<'schedule-due'>[] = [];
  for (const schedule of listWatched(house)) {
    const due = lastDue(scheduleOf(schedule), now);
    if (due < (await findBeginning(house, schedule))) continue;
    const delivery = slotDelivery(repository, schedule, due);
    if ((await ledger.find('event-received', delivery)) !== null) continue;
    events.push(makeScheduleEvent(house, own, { schedule, delivery, at: due }));
  }
  return events;
}
