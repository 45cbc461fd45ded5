/**
 * How often merging has handed the pull request on to itself with no other event in between. Each time the head or the
 * base moved in the last moment; a limit ends this loop, and then a person is told. Pure: from the entries of the pull
 * request.
 */
import { begunAgentRun } from '../ledger/begun-agent-run.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import type { FleetEvent } from './event.ts';

/** Attempts in a row, each with several rounds; after that it waits for the next event. */
export const mostMergeAttempts = 4;

/** The run that handed it on; null for every other occasion. */
function giverOf(delivery: string): string | null {
  return /^handoff\/([^/]+)\//u.exec(delivery)?.[1] ?? null;
}

/** Which attempt in a row this is: 1 when it was not merging itself that asked for it. */
export function countMergeAttempts(entries: readonly LedgerEntry[], event: FleetEvent): number {
  const occasions = new Map(
    entries.flatMap((entry) => {
      const request = begunAgentRun(entry);
      return request?.agent === 'auto-merge' ? [[entry.run, request.delivery] as const] : [];
    }),
  );
  let attempts = 1;
  for (let giver = giverOf(event.delivery); giver !== null; attempts += 1) {
    const occasion = occasions.get(giver);
    // Another agent, or the merging of another pull request: that is news.
    if (occasion === undefined) return attempts;
    // More steps back than there are runs: the entries name each other in a circle, so nothing else ever asked for it.
    if (attempts > occasions.size) return Math.max(attempts, mostMergeAttempts);
    giver = giverOf(occasion);
  }
  return attempts;
}

/** The limit at which merging gave up, if no run of auto-merge has begun since; null otherwise. */
export function findMergeLimit(entries: readonly LedgerEntry[]): number | null {
  const last = entries.findLast((entry) => entry.kind === 'limit-reached' && entry.data.what === 'merge');
  if (last?.kind !== 'limit-reached') return null;
  const isTriedSince = entries.some(
    (entry) => entry.seq > last.seq && begunAgentRun(entry)?.agent === 'auto-merge',
  );
  return isTriedSince ? null : last.data.limit;
}
