/** Small things that several screens show the same way. */
import { money } from '../../../domain/text/money.ts';

/**
 * A cost. If a part of it is only an upper bound, the sum is marked as an upper bound too. What a model without a known
 * price has cost is not 0: it is not known.
 */
export function cost(spent: {
  readonly costUsd: number;
  readonly costAtMostUsd: number;
  readonly hasUnpriced?: boolean | undefined;
}): string {
  const { costUsd, costAtMostUsd, hasUnpriced = false } = spent;
  if (hasUnpriced && costUsd === 0) return 'price unknown';
  const known = costAtMostUsd > 0 ? `≤ ${money(costUsd)}` : money(costUsd);
  return hasUnpriced ? `${known} and calls of unknown price` : known;
}

/** Why a cost is only an upper bound; empty when it is exact. */
export function boundNote(costAtMostUsd: number): string {
  return costAtMostUsd > 0
    ? ` (${money(costAtMostUsd)} of it is an upper bound for work that was cut off or still runs)`
    : '';
}

/** How long ago, in one unit. */
export function ago(iso: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - new Date(iso).getTime()) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export function clockTime(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
