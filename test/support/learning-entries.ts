/** Entries about the learnings of a repository, as they stand on its ledger. */

import {
  foldLearning,
  type LearningsState,
  listLearnings,
} from '../../src/domain/learnings/fold-learnings.ts';
import { identifyLearning, type Learning } from '../../src/domain/learnings/learnings.ts';
import type { EntryData, LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';

export const dayAfter = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString();

type Kind = 'learning-observed' | 'learning-edited' | 'learning-removed';

function entry<K extends Kind>(kind: K, data: EntryData[K], days = 0): LedgerEntry {
  const at = dayAfter(days);
  return { subject: 'o/r~learnings', run: 'R', actor: 'a', seq: 1, kind, data, at } as LedgerEntry;
}

type Seen = Partial<EntryData['learning-observed']> & { readonly days?: number };

export function observed(content: string, { days = 0, ...more }: Seen = {}): LedgerEntry {
  const file = more.file ?? null;
  const learning = identifyLearning(content, file);
  const base = { learning, agent: 'writer', type: 'pattern_discovered', content, file };
  return entry('learning-observed', { ...base, session: 'S1', outcome: null, ...more }, days);
}

export const edited = (learning: string, content: string, days = 0): LedgerEntry =>
  entry('learning-edited', { learning, content, by: 'alice' }, days);

export const removed = (learning: string): LedgerEntry =>
  entry('learning-removed', { learning, by: 'alice', why: '' });

export function learningsState(entries: readonly LedgerEntry[]): LearningsState | null {
  return entries.reduce<LearningsState | null>(foldLearning, null);
}

/** What they come to. */
export function learnedFrom(entries: readonly LedgerEntry[]): Learning[] {
  return listLearnings(learningsState(entries));
}
