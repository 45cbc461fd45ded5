/** Times in saved data that move on with the clock. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u;

/**
 * A copy of data in which everything is as long ago as it was when the data was saved: agents decide by how long ago
 * something was. Moments stay whole seconds.
 */
export function shiftTimes<T>(data: T, savedAt: number): T {
  return shift(structuredClone(data), Math.floor((Date.now() - savedAt) / 1000) * 1000) as T;
}

function shift(value: unknown, by: number): unknown {
  if (typeof value === 'string') return moment.test(value) ? shiftMoment(value, by) : value;
  if (Array.isArray(value)) return value.map((item) => shift(item, by));
  if (value instanceof Set) return new Set([...value].map((item) => shift(item, by)));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, shift(item, by)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      // The only moment that is kept as a number.
      key === 'startedAt' && typeof item === 'number' ? item + by : shift(item, by),
    ]),
  );
}

function shiftMoment(text: string, by: number): string {
  const shifted = new Date(Date.parse(text) + by).toISOString();
  return text.includes('.') ? shifted : shifted.replace(/\.\d+Z$/u, 'Z');
}
