/**
 * What is known of a repository from earlier sessions. Two observations are one learning when they have the same words,
 * without case and punctuation, about the same file; what they mean is not asked.
 */
import { sha256 } from '../ledger/hash.ts';
import { plainWords } from '../text/plain-words.ts';

export interface Learning {
  readonly id: string;
  /** The agent that observed it last. */
  readonly agent: string;
  readonly type: string;
  readonly content: string;
  /** Null when it is about the whole repository. */
  readonly file: string | null;
  /** From 0 to 1, at the moment when it was last seen. */
  readonly confidence: number;
  /** In how many sessions. */
  readonly seen: number;
  readonly lastSeen: string;
  /** The session that observed it last. */
  readonly session: string;
  /** The person whose words these are; null when they are an agent's. */
  readonly editedBy: string | null;
}

const halfLifeDays = 90;

export function identifyLearning(content: string, file: string | null): string {
  return `L${sha256(`${file ?? ''}\n${plainWords(content)}`).slice(0, 9)}`;
}

/** How sure it is by now. */
export function confidenceAt(
  { confidence, lastSeen }: Pick<Learning, 'confidence' | 'lastSeen'>,
  now: string,
): number {
  const days = (Date.parse(now) - Date.parse(lastSeen)) / 86_400_000;
  // Clocks can go back; and a time that cannot be read takes nothing away.
  return days > 0 ? confidence * 0.5 ** (days / halfLifeDays) : confidence;
}

/** Surest first, by now; the rest of the order is only there to be the same every time. */
export function sortLearnings<T extends Learning>(learnings: readonly T[], now: string): T[] {
  return learnings
    .map((learning) => ({ learning, sure: confidenceAt(learning, now) }))
    .sort((a, b) => b.sure - a.sure || (a.learning.id < b.learning.id ? -1 : 1))
    .map(({ learning }) => learning);
}
