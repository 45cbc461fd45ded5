/** When each scheduled agent is due, from its manifest. */
import { type ScheduleName, scheduleNames } from '../domain/fleet/agent-names.ts';
import { isCronOf, type Slot } from '../domain/fleet/schedule.ts';
import { manifestOf } from './agents.ts';
import { slotOf } from './manifest.ts';

export function scheduleOf(name: ScheduleName): Slot {
  const slot = slotOf(manifestOf(name));
  if (slot === null) throw new TypeError(`The manifest of ${name} names no schedule.`);
  return slot;
}

/** Those that are due by a line of cron, which is how GitHub says whose time it is. */
export function schedulesOfCron(cron: string): ScheduleName[] {
  return scheduleNames.filter((name) => isCronOf(scheduleOf(name), cron));
}
