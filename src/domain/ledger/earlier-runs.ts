/** What other runs for the same subject did or began, by the ledger. What a dry run wrote down counts for nothing. */
import type { EffectKind, EffectResults } from './effect.ts';
import type { EntryOf, LedgerEntry } from './ledger-entry.ts';

function listDryRuns(entries: readonly LedgerEntry[]): ReadonlySet<string> {
  return new Set(
    entries
      .filter((entry) => entry.kind === 'run-started' && entry.data.request.dryRun)
      .map((entry) => entry.run),
  );
}

/** The newest result of a step with that name in another run than this. */
export function findEarlierStep(
  entries: readonly LedgerEntry[],
  step: string,
  run: string,
): EntryOf<'step-done'> | null {
  const dry = listDryRuns(entries);
  const found = entries.findLast(
    (entry) =>
      entry.kind === 'step-done' && entry.data.step === step && entry.run !== run && !dry.has(entry.run),
  );
  return found?.kind === 'step-done' ? found : null;
}

export type EarlierEffect<K extends EffectKind> =
  | { readonly state: 'done'; readonly result: EffectResults[K] }
  /** Cut off: when that run is resumed, it finds out whether the effect happened. */
  | { readonly state: 'begun'; readonly run: string };

/** An effect that another run did or began under that key; one that failed changed nothing. */
export function findEarlierEffect<K extends EffectKind>(
  entries: readonly LedgerEntry[],
  kind: K,
  key: string,
  run: string,
): EarlierEffect<K> | null {
  const attempts = new Map<string, EarlierEffect<K> | null>();
  for (const entry of entries) {
    if (entry.key === undefined || entry.run === run || !entry.key.startsWith(`${entry.run}/${key}#`))
      continue;
    if (entry.kind === 'effect-intended' && entry.data.effect.kind === kind && !entry.data.dryRun)
      attempts.set(entry.key, { state: 'begun', run: entry.run });
    else if (entry.kind === 'effect-failed') attempts.delete(entry.key);
    else if (entry.kind === 'effect-receipted' && attempts.has(entry.key))
      attempts.set(entry.key, { state: 'done', result: entry.data.result as EffectResults[K] });
  }
  const found = [...attempts.values()];
  return found.find((one) => one?.state === 'done') ?? found.at(-1) ?? null;
}

/**
 * Whether an earlier run did something under that key. (This run finds its own effects by their keys anyway.) The
 * answer comes from receipts, because any person may have written what stands on the forge.
 */
export function wasDoneBefore(entries: readonly LedgerEntry[], key: string, run: string): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'effect-receipted' &&
      entry.run !== run &&
      entry.key?.startsWith(`${entry.run}/${key}#`) === true,
  );
}
