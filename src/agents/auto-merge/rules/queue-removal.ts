/**
 * Whether the forge's own merge queue has removed a pull request. It is then not handed over a second time, until it
 * has another head or a person grants the merge again.
 */
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';

interface AtHead {
  readonly head: string;
  readonly at: string;
}

interface QueueFacts {
  readonly head: string;
  /** When it was last let be merged; null when it is not. */
  readonly grantedAt: string | null;
  readonly queue: {
    readonly isQueued: boolean;
    readonly removedFor: string | null;
    readonly removedAt: string | null;
  };
  /** At which heads we have handed it over. */
  readonly handed: readonly AtHead[];
  /** At which heads the forge has told that the queue took it out. */
  readonly told: readonly (AtHead & { readonly reason: string })[];
}

export interface QueueRemoval {
  /** In plain words. */
  readonly why: string;
  readonly at: string;
}

/** GitHub's own words, such as `CI_FAILURE`; anything else is not repeated. */
export function wordRemoval(reason: string | null): string {
  const isWord = reason !== null && /^[A-Z_]{1,60}$/u.test(reason) && reason !== 'UNKNOWN_REMOVAL_REASON';
  return isWord ? reason.toLowerCase().replaceAll('_', ' ') : 'no reason is known';
}

/** When each head was handed over; what a dry run pretended does not count. */
export function listHanded(entries: readonly LedgerEntry[], number: number): AtHead[] {
  const intended = new Map<string, string>();
  const handed: AtHead[] = [];
  for (const entry of entries) {
    if (entry.kind === 'effect-intended' && !entry.data.dryRun) {
      const { effect } = entry.data;
      if (effect.kind === 'enqueue-pull-request' && effect.number === number)
        intended.set(entry.key ?? '', effect.head);
    }
    const head = entry.kind === 'effect-receipted' ? intended.get(entry.key ?? '') : undefined;
    if (head !== undefined) handed.push({ head, at: entry.at });
  }
  return handed;
}

function isAfter(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}

/** Null when it may be handed over: it never was in the queue, is in it, has another head since, or was let in anew. */
export function findQueueRemoval({ head, grantedAt, queue, handed, told }: QueueFacts): QueueRemoval | null {
  if (queue.isQueued) return null;
  const [lastTold, lastHanded] = [told.at(-1), handed.findLast((one) => one.head === head)];
  // The forge's present answer is newer than its deliveries, and a delivery may be lost.
  const at = queue.removedAt ?? lastTold?.at ?? lastHanded?.at;
  if (at === undefined) return null;
  if (grantedAt !== null && isAfter(grantedAt, at)) return null;
  const known = [...told, ...handed];
  const isOfThis = known.some((one) => one.head === head);
  // When no delivery told of the removal and we handed nothing over, the removed head is unknown: a person decides
  // whether it goes in again.
  if (!isOfThis && known.length > 0) return null;
  const reason = queue.removedFor ?? lastTold?.reason ?? null;
  return { why: wordRemoval(reason), at };
}
