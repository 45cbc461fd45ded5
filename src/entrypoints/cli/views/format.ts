/** Small things that several screens show the same way. */
import { describeCost, money } from '../../../domain/text/money.ts';

export const cost = describeCost;

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
