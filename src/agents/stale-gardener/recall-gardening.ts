/** What the gardener did in its last round, read from the ledger; the forge is never asked issue by issue. */
import { findEarlierStep } from '../../domain/ledger/earlier-runs.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import {
  type GardenMemory,
  gardenPlanSchema,
  type OwnTouch,
  rememberGardening,
} from './rules/garden-memory.ts';

/** Every change to an issue that a run receipted. */
function listTouches(entries: readonly LedgerEntry[], run: string): OwnTouch[] {
  const intents = new Map<string, { readonly issue: number; readonly at: string }>();
  const touches: OwnTouch[] = [];
  for (const entry of entries) {
    if (entry.run !== run || entry.key === undefined) continue;
    if (entry.kind === 'effect-intended' && 'number' in entry.data.effect)
      intents.set(entry.key, { issue: entry.data.effect.number, at: entry.at });
    if (entry.kind !== 'effect-receipted') continue;
    const intent = intents.get(entry.key);
    if (intent === undefined) continue;
    const { result } = entry.data;
    touches.push({
      issue: intent.issue,
      key: entry.key.slice(run.length + 1).replace(/#\d+$/u, ''),
      intendedAt: intent.at,
      doneAt: entry.at,
      updatedAt: 'updatedAt' in result && result.updatedAt !== '' ? result.updatedAt : null,
    });
  }
  return touches;
}

export async function recallGardening(
  entries: readonly LedgerEntry[],
  run: string,
  getText: (hash: string) => Promise<string>,
): Promise<GardenMemory> {
  const last = findEarlierStep(entries, 'plan', run);
  if (last === null) return {};
  const plan = gardenPlanSchema.parse(JSON.parse(await getText(last.data.result)));
  return rememberGardening(plan, listTouches(entries, last.run));
}
