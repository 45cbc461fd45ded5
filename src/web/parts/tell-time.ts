/** Moments and spans in the fewest words that still say enough. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const spans = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
] as const;

function tellSpan(milliseconds: number): string {
  const [size, unit] = spans.find(([least]) => milliseconds >= least) ?? [second, 's'];
  return `${Math.floor(milliseconds / size)} ${unit}`;
}

/** How long ago, or in how long. */
export function tellAge(at: string, now: number): string {
  const age = now - Date.parse(at);
  if (Math.abs(age) < 10 * second) return age < 0 ? 'in a moment' : 'just now';
  if (age > 30 * day) return at.slice(0, 10);
  return age < 0 ? `in ${tellSpan(-age)}` : `${tellSpan(age)} ago`;
}

/** How long something took. */
export function tellDuration(milliseconds: number): string {
  if (milliseconds < second) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < minute) return `${(milliseconds / second).toFixed(1)} s`;
  const [size, unit, rest, restUnit] =
    milliseconds < hour
      ? ([minute, 'min', second, 's'] as const)
      : milliseconds < day
        ? ([hour, 'h', minute, 'min'] as const)
        : ([day, 'd', hour, 'h'] as const);
  return `${Math.floor(milliseconds / size)} ${unit} ${Math.floor((milliseconds % size) / rest)} ${restUnit}`;
}

/** Cents matter, and so does what is less than one. */
export function tellMoney(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}
