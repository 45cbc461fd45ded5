/** What was told so far, by the ledger: every message with its attempts and what came of the last one. */

import type { EffectOf } from '../../../domain/ledger/effect.ts';
import type { Sha256 } from '../../../domain/ledger/hash.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';
import type { ErrorCode } from '../../../errors.ts';

export interface ToldMessage {
  readonly effect: EffectOf<'send-notification'>;
  /** `begun`: nothing says what came of the last attempt, because its process was killed. */
  readonly state: 'begun' | 'sent' | 'failed';
  /** How often it was tried with each address that the channel had: processes with other settings may share a ledger. */
  readonly attempts: ReadonlyMap<Sha256, number>;
  readonly code: ErrorCode | null;
  /** Of the last change, ISO 8601. */
  readonly at: string;
}

/** By the id of the message. */
export type Told = ReadonlyMap<string, ToldMessage>;

export const nothingTold: Told = new Map();

export function foldTold(told: Told, entries: readonly LedgerEntry[]): Told {
  const next = new Map(told);
  const byRun = new Map([...next.values()].map((one) => [`notification-${one.effect.id}`, one.effect.id]));
  for (const entry of entries) {
    if (entry.kind === 'effect-intended') {
      const { effect, dryRun } = entry.data;
      if (dryRun || effect.kind !== 'send-notification') continue;
      const before = next.get(effect.id)?.attempts;
      const attempts = new Map(before).set(effect.address, (before?.get(effect.address) ?? 0) + 1);
      next.set(effect.id, { effect, state: 'begun', attempts, code: null, at: entry.at });
      byRun.set(entry.run, effect.id);
      continue;
    }
    const known = next.get(byRun.get(entry.run) ?? '');
    if (known === undefined) continue;
    if (entry.kind === 'effect-receipted')
      next.set(known.effect.id, { ...known, state: 'sent', at: entry.at });
    if (entry.kind === 'effect-failed')
      next.set(known.effect.id, { ...known, state: 'failed', code: entry.data.code, at: entry.at });
  }
  return next;
}
