/**
 * What the entries about the learnings of a repository come to, one after the other. It is kept beside their chain, so its
 * size has limits: the length of a history makes no difference to what it costs.
 */
import type { SessionOutcome } from '../ledger/entries/learning-entries.ts';
import type { EntryOf, LedgerEntry } from '../ledger/ledger-entry.ts';
import { confidenceAt, identifyLearning, type Learning, sortLearnings } from './learnings.ts';

/**
 * How sure a learning is. It begins low; each further session that observes it, and each that ends with success, goes a
 * quarter of the way to certainty; each that uses up its attempts takes three tenths away. A person's words are nearly
 * certain. All of it halves in ninety days without being seen.
 */
const atFirst = 0.4;
const stepUp = 0.25;
const stepDown = 0.7;
const ofPeople = 0.9;

/** More are not given to anyone; the surest are. */
export const mostLearnings = 100;
/** More are not remembered. What is seen again gets a chance to become surer than those that are given. */
export const mostRemembered = 200;
/** Of one learning. Older ones have ended, so nothing more is heard of them. */
export const mostSessions = 16;
/** Of what people changed and removed, the newest. */
export const mostCorrections = 1_000;

interface Held extends Learning {
  /** The newest sessions that observed it, oldest first, each with how it ended. */
  readonly outcomes: readonly (readonly [session: string, outcome: SessionOutcome | null])[];
}

export interface LearningsState {
  readonly held: readonly Held[];
  /** Ids that lead to another one since a person edited it. */
  readonly leads: readonly (readonly [from: string, to: string])[];
  /** Ids that a person removed. */
  readonly removed: readonly string[];
}

const nothingLearned: LearningsState = { held: [], leads: [], removed: [] };

/** Powers differ in their last digits from one release of Node.js to another; what is kept must not. */
const round = (confidence: number): number => Math.round(confidence * 1e9) / 1e9;

const rise = (confidence: number): number => confidence + (1 - confidence) * stepUp;

function judgeOutcome(confidence: number, outcome: SessionOutcome | null): number {
  if (outcome === 'success') return rise(confidence);
  // A session that a person stopped, or that waits for one, says nothing about what it observed.
  return outcome === 'failed_max_retries' ? confidence * stepDown : confidence;
}

function find({ leads }: LearningsState, id: string): string {
  return leads.find(([from]) => from === id)?.[1] ?? id;
}

/** Puts one in the place of those with these ids. The least sure one that is too many goes, but never the one just put in. */
function put(state: LearningsState, one: Held, instead: readonly string[], now: string): LearningsState {
  const held = [...state.held.filter(({ id }) => !instead.includes(id)), one];
  if (held.length <= mostRemembered) return { ...state, held };
  const least = sortLearnings(held.slice(0, -1), now).at(-1)?.id;
  return {
    ...state,
    held: held.filter(({ id }) => id !== least),
    leads: state.leads.filter(([, to]) => to !== least),
  };
}

function observe(state: LearningsState, { data, at }: EntryOf<'learning-observed'>): LearningsState {
  const { agent, type, content, file, session, outcome } = data;
  const id = find(state, data.learning);
  if (state.removed.includes(id)) return state;
  const held = state.held.find((one) => one.id === id);
  const known = held?.outcomes.find(([of]) => of === session);
  const base = held === undefined ? atFirst : confidenceAt(held, at);
  const repeated = held === undefined || known !== undefined ? base : rise(base);
  // The outcome of a session counts once.
  const isJudged = known !== undefined && known[1] !== null;
  const others = (held?.outcomes ?? []).filter(([of]) => of !== session);
  const observed: Held = {
    ...{ id, agent, type },
    content: held?.content ?? content,
    file: held === undefined ? file : held.file,
    confidence: round(isJudged ? repeated : judgeOutcome(repeated, outcome)),
    seen: (held?.seen ?? 0) + (known === undefined ? 1 : 0),
    lastSeen: at,
    session,
    editedBy: held?.editedBy ?? null,
    outcomes: [...others, [session, known?.[1] ?? outcome] as const].slice(-mostSessions),
  };
  return put(state, observed, [id], at);
}

function edit(state: LearningsState, { data, at }: EntryOf<'learning-edited'>): LearningsState {
  const id = find(state, data.learning);
  const held = state.held.find((one) => one.id === id);
  if (held === undefined) return state;
  // Agents may observe the new words as well, and another learning may have them already.
  const same = find(state, identifyLearning(data.content, held.file));
  const other = same === id ? undefined : state.held.find((one) => one.id === same);
  const leads =
    same === id
      ? state.leads
      : [
          // What led to the other one leads to this one now, in one step.
          ...state.leads.map(([from, to]) => [from, to === same ? id : to] as const),
          [same, id] as const,
        ].slice(-mostCorrections);
  const mine = new Map([...held.outcomes, ...(other?.outcomes ?? [])]);
  const edited: Held = {
    ...held,
    content: data.content,
    confidence: round(Math.max(ofPeople, confidenceAt(held, at))),
    seen: held.seen + (other?.seen ?? 0),
    lastSeen: at,
    editedBy: data.by,
    outcomes: [...mine].slice(-mostSessions),
  };
  return put({ ...state, leads }, edited, [id, same], at);
}

function remove(state: LearningsState, learning: string): LearningsState {
  const id = find(state, learning);
  return {
    ...state,
    held: state.held.filter((one) => one.id !== id),
    removed: [...state.removed.filter((one) => one !== id), id].slice(-mostCorrections),
  };
}

/** @param state null while nothing was ever learned */
export function foldLearning(state: LearningsState | null, entry: LedgerEntry): LearningsState | null {
  switch (entry.kind) {
    case 'learning-observed':
      return observe(state ?? nothingLearned, entry);
    case 'learning-edited':
      return edit(state ?? nothingLearned, entry);
    case 'learning-removed':
      return remove(state ?? nothingLearned, entry.data.learning);
    default:
      return state;
  }
}

/** Surest first. */
export function listLearnings(state: LearningsState | null): Learning[] {
  const learnings = (state?.held ?? []).map(({ outcomes: _, ...learning }): Learning => learning);
  const newest = learnings.reduce((latest, { lastSeen }) => (lastSeen > latest ? lastSeen : latest), '');
  return sortLearnings(learnings, newest).slice(0, mostLearnings);
}
