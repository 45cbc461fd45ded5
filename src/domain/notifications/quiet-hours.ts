/** Hours in which a person is told nothing, by the clock on the wall where the person is. */

export interface QuietHours {
  /** `HH:MM`; quiet from here on. */
  readonly from: string;
  /** `HH:MM`; not quiet any more. Earlier than `from` when the night is in between. */
  readonly to: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly zone: string;
}

export function isTimeZone(zone: string): boolean {
  try {
    // Offsets such as +02:00 know no daylight saving time, so they are not taken for a place.
    return /^[A-Za-z][\w+/-]*$/u.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

export function isWallTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(text);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight on the wall there. */
function wallMinutes(zone: string, moment: number): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  clocks.set(zone, clock);
  const parts = clock.formatToParts(moment);
  const part = (type: 'hour' | 'minute'): number => Number(parts.find((one) => one.type === type)?.value);
  return part('hour') * 60 + part('minute');
}

function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** Asked of the wall clock at each moment, so that a night on which clocks change is as long as it really is. */
export function isQuiet({ from, to, zone }: QuietHours, moment: Date): boolean {
  const [now, begin, end] = [wallMinutes(zone, moment.getTime()), minutesOf(from), minutesOf(to)];
  return begin <= end ? now >= begin && now < end : now >= begin || now < end;
}
