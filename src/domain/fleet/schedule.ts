/** When scheduled agents are due, in UTC. A slot that was missed while nothing ran is made up for once. */
import type { ScheduleName } from './agent-names.ts';

/** When a schedule starts its agent. */
export interface Slot {
  /** 0 is Sunday; null is every day. */
  readonly weekday: number | null;
  readonly hour: number;
  readonly minute: number;
}

const day = 86_400_000;

/** The last moment at or before `now` at which it was due. */
export function lastDue({ weekday, hour, minute }: Slot, now: Date): Date {
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
  while (due > now || (weekday !== null && due.getUTCDay() !== weekday)) due.setTime(due.getTime() - day);
  return due;
}

export function nextDue(slot: Slot, now: Date): Date {
  const due = lastDue(slot, now);
  due.setTime(due.getTime() + (slot.weekday === null ? day : 7 * day));
  return due;
}

/** As cron writes it, for workflow files. */
export function cronOf({ weekday, hour, minute }: Slot): string {
  return `${minute} ${hour} * * ${weekday ?? '*'}`;
}

/** A line of cron with its names and zeros in one spelling. */
function plainCron(cron: string): string {
  const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
  return cron
    .trim()
    .split(/\s+/u)
    .map((field, index) => {
      const day = index === 4 ? days.indexOf(field.toUpperCase()) : -1;
      if (day >= 0) return String(day);
      if (index === 4 && field === '7') return '0';
      return field.replace(/^0+(?=\d)/u, '');
    })
    .join(' ');
}

/** Whether a line of cron, which is how GitHub says whose time it is, means this slot. */
export function isCronOf(slot: Slot, cron: string): boolean {
  return cronOf(slot) === plainCron(cron);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** For people. */
export function describeSchedule({ weekday, hour, minute }: Slot): string {
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `every ${weekday === null ? 'day' : weekdays[weekday]} at ${time} UTC`;
}

/** The name under which one slot is delivered: the same however often it is looked at. */
export function slotDelivery(repository: string, name: ScheduleName, due: Date): string {
  return `schedule/${repository}/${name}/${due.toISOString().slice(0, 16)}Z`;
}
