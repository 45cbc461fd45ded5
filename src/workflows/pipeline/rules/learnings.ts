/**
 * What is known of a repository from earlier sessions, folded from the entries of its ledger. Two observations are one
 * learning when they have the same words, without case and punctuation, about the same file; what they mean is not asked.
 */

import type { SessionOutcome } from '../../../domain/ledger/entries/learning-entries.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import type { EntryOf, LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import { plainWords } from '../../../domain/text/plain-words.ts';

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

/**
 * How sure a learning is. It begins low; each further session that observes it, and each that ends with success, goes a
 * quarter of the way to certainty; each that uses up its attempts takes three tenths away. A person's words are nearly
 * certain. All of it halves in ninety days without being seen.
 */
const atFirst = 0.4;
const stepUp = 0.25;
const stepDown = 0.7;
const ofPeople = 0.9;
const halfLifeDays = 90;
/** More are not kept in mind; those that are least sure go first. */
export const mostLearnings = 100;

export function identifyLearning(content: string, file: string | null): string {
  return `L${sha256(`${file ?? ''}\n${plainWords(content)}`).slice(0, 9)}`;
}

function decay(confidence: number, from: string, to: string): number {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  // Clocks can go back; and a time that cannot be read takes nothing away.
  return days > 0 ? confidence * 0.5 ** (days / halfLifeDays) : confidence;
}

/** How sure it is by now. */
export function confidenceAt(
  { confidence, lastSeen }: Pick<Learning, 'confidence' | 'lastSeen'>,
  now: string,
): number {
  return decay(confidence, lastSeen, now);
}

const rise = (confidence: number): number => confidence + (1 - confidence) * stepUp;

interface Held extends Learning {
  readonly outcomes: ReadonlyMap<string, SessionOutcome | null>;
}

function judgeOutcome(confidence: number, outcome: SessionOutcome | null): number {
  if (outcome === 'success') return rise(confidence);
  // A session that a person stopped, or that waits for one, says nothing about what it observed.
  return outcome === 'failed_max_retries' ? confidence * stepDown : confidence;
}

function observe(held: Held | undefined, id: string, entry: EntryOf<'learning-observed'>): Held {
  const { agent, type, content, file, session, outcome } = entry.data;
  const { at } = entry;
  const known = held?.outcomes.get(session);
  const base = held === undefined ? atFirst : decay(held.confidence, held.lastSeen, at);
  const repeated = held === undefined || known !== undefined ? base : rise(base);
  // The outcome of a session counts once.
  const confidence = known === undefined || known === null ? judgeOutcome(repeated, outcome) : repeated;
  return {
    ...{ id, agent, type, session, confidence, lastSeen: at },
    content: held?.content ?? content,
    file: held?.file ?? file,
    seen: (held?.seen ?? 0) + (known === undefined ? 1 : 0),
    editedBy: held?.editedBy ?? null,
    outcomes: new Map([...(held?.outcomes ?? []), [session, known ?? outcome]]),
  };
}

/** The learnings while they are folded: by their ids, with the ids that lead to another one since a person edited it. */
class Learnings {
  readonly #held = new Map<string, Held>();
  readonly #leads = new Map<string, string>();
  readonly #removed = new Set<string>();

  #find(id: string): string {
    let found = id;
    for (let next = this.#leads.get(found); next !== undefined; next = this.#leads.get(found)) found = next;
    return found;
  }

  observe(entry: EntryOf<'learning-observed'>): void {
    const id = this.#find(entry.data.learning);
    if (!this.#removed.has(id)) this.#held.set(id, observe(this.#held.get(id), id, entry));
  }

  edit({ data, at }: EntryOf<'learning-edited'>): void {
    const id = this.#find(data.learning);
    const held = this.#held.get(id);
    if (held === undefined) return;
    // Agents may observe the new words as well, and another learning may have them already.
    const same = this.#find(identifyLearning(data.content, held.file));
    const other = same === id ? undefined : this.#held.get(same);
    if (same !== id) {
      this.#leads.set(same, id);
      this.#held.delete(same);
    }
    this.#held.set(id, {
      ...{ ...held, content: data.content, editedBy: data.by, lastSeen: at },
      confidence: Math.max(ofPeople, decay(held.confidence, held.lastSeen, at)),
      seen: held.seen + (other?.seen ?? 0),
      outcomes: new Map([...held.outcomes, ...(other?.outcomes ?? [])]),
    });
  }

  remove(learning: string): void {
    const id = this.#find(learning);
    this.#held.delete(id);
    this.#removed.add(id);
  }

  list(): Learning[] {
    return [...this.#held.values()].map(({ outcomes: _, ...learning }) => learning);
  }
}

/** Surest first, by now; the rest of the order is only there to be the same every time. */
export function sortLearnings(learnings: readonly Learning[], now: string): Learning[] {
  return learnings
    .map((learning) => ({ learning, sure: confidenceAt(learning, now) }))
    .sort((a, b) => b.sure - a.sure || (a.learning.id < b.learning.id ? -1 : 1))
    .map(({ learning }) => learning);
}

/** @param entries of the learnings of one repository, oldest first; others are passed over */
export function foldLearnings(entries: readonly LedgerEntry[]): Learning[] {
  const learnings = new Learnings();
  for (const entry of entries)
    if (entry.kind === 'learning-observed') learnings.observe(entry);
    else if (entry.kind === 'learning-edited') learnings.edit(entry);
    else if (entry.kind === 'learning-removed') learnings.remove(entry.data.learning);
  return sortLearnings(learnings.list(), entries.at(-1)?.at ?? '').slice(0, mostLearnings);
}
