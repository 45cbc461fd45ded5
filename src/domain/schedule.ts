/** When the scheduled agents are due, in UTC. A slot that was missed while nothing ran is made up for once. */

export const scheduleNames = [
  'template-sync',
  'daily-digest',
  'stale-gardener',
  'doc-drift',
  'health-report',
] as const;
export type ScheduleName = (typeof scheduleNames)[number];

interface Slot {
  /** 0 is Sunday; null is every day. */
  readonly weekday: number | null;
  readonly hour: number;
  readonly minute: number;
}

const schedules: Readonly<Record<ScheduleName, Slot>> = {
  'template-sync': { weekday: 1, hour: 0, minute: 0 },
  'daily-digest': { weekday: null, hour: 8, minute: 0 },
  'stale-gardener': { weekday: 1, hour: 9, minute: 0 },
  'doc-drift': { weekday: 1, hour: 10, minute: 0 },
  'health-report': { weekday: 5, hour: 9, minute: 0 },
};

const day = 86_400_000;

/** The last moment at or before `now` at which it was due. */
export function lastDue(name: ScheduleName, now: Date): Date {
  const { weekday, hour, minute } = schedules[name];
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
  while (due > now || (weekday !== null && due.getUTCDay() !== weekday)) due.setTime(due.getTime() - day);
  return due;
}

export function nextDue(name: ScheduleName, now: Date): Date {
  const { weekday } = schedules[name];
  const due = lastDue(name, now);
  due.setTime(due.getTime() + (weekday === null ? day : 7 * day));
  return due;
}

/** As cron writes it, for workflow files. */
export function cronOf(name: ScheduleName): string {
  const { weekday, hour, minute } = schedules[name];
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

/** Those that are due by a line of cron, which is how GitHub says whose time it is. */
export function schedulesOfCron(cron: string): ScheduleName[] {
  const wanted = plainCron(cron);
  return scheduleNames.filter((name) => cronOf(name) === wanted);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** For people. */
export function describeSchedule(name: ScheduleName): string {
  const { weekday, hour, minute } = schedules[name];
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `every ${weekday === null ? 'day' : weekdays[weekday]} at ${time} UTC`;
}

/** The name under which one slot is delivered: the same however often it is looked at. */
export function slotDelivery(repository: string, name: ScheduleName, due: Date): string {
  return `schedule/${repository}/${name}/${due.toISOString().slice(0, 16)}Z`;
}
