/** Every time that we set a label or took it off ourselves, by what the ledger holds of an issue or a pull request. */
import { begunAgentRun } from '../../domain/ledger/begun-agent-run.ts';
import type { EffectOf } from '../../domain/ledger/effect.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { OwnSetting } from './rules/label-provenance.ts';

/**
 * Every change of the label that we asked for, including those that changed nothing, of which the forge does not know.
 * @param until which ones: only those that are known to be done, or also those that were begun when the run was killed
 */
export function listOwnLabelChanges(
  entries: readonly LedgerEntry[],
  number: number,
  what: 'add' | 'remove',
  label: string,
  until: 'done' | 'begun' = 'done',
): OwnSetting[] {
  const keepers = new Set(
    entries.flatMap((entry) => (begunAgentRun(entry)?.agent === 'label-keeper' ? [entry.run] : [])),
  );
  const setsIt = ({ kind, ...effect }: EffectOf<'edit-labels'>): boolean =>
    kind === 'edit-labels' &&
    effect.number === number &&
    effect[what].some((name) => name.toLowerCase() === label);
  const receipts = new Map(
    entries.flatMap((entry) => (entry.kind === 'effect-receipted' ? [[entry.key, entry.at] as const] : [])),
  );
  const pushed = new Map<string, string>();
  return entries.flatMap((entry) => {
    if (
      entry.kind === 'effect-intended' &&
      entry.data.effect.kind === 'push-branch' &&
      receipts.has(entry.key)
    )
      pushed.set(entry.run, entry.data.effect.commit);
    if (entry.kind !== 'effect-intended' || !setsIt(entry.data.effect as EffectOf<'edit-labels'>)) return [];
    const begun = until === 'begun' && !entry.data.dryRun ? entry.at : undefined;
    const at = receipts.get(entry.key) ?? begun;
    const head = pushed.get(entry.run) ?? null;
    return at === undefined ? [] : [{ from: entry.at, at, isPutBack: keepers.has(entry.run), head }];
  });
}
