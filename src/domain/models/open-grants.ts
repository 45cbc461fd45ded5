/**
 * What a model or a coding agent may spend, written to the ledger before the call begins. If the process is killed
 * during the call, no entry says what the call has cost. So, until the end of the call is on the ledger, the most that
 * it can have cost counts as spent, and killing a process cannot overrun a budget. Pure: from the entries of one run.
 */

import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import type { Usage } from './budget.ts';

export interface Grant {
  /** `role#call/attempt`; unique in the run. */
  readonly id: string;
  /** What the call has used at most by now. */
  readonly atMost: Usage;
  /** What the budgets had left for it, for a coding agent, which stops there by itself. */
  readonly limit?: { readonly usd: number; readonly turns: number };
}

export interface OpenGrant extends Grant {
  readonly role: string;
  readonly model: string;
}

function grantOf(entry: LedgerEntry): { readonly id: string } | undefined {
  switch (entry.kind) {
    case 'prompt-sent':
    case 'work-metered':
    case 'model-answered':
    case 'model-failed':
      return entry.data.grant;
    default:
      return undefined;
  }
}

/** The grants for one call, and those of them that have no end on the ledger. */
export function readGrants(
  entries: readonly LedgerEntry[],
  role: string,
  call: number,
): { readonly next: string; readonly open: readonly OpenGrant[] } {
  const prefix = `${role}#${call}/`;
  const last = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const id = grantOf(entry)?.id;
    if (id?.startsWith(prefix) === true) last.set(id, entry);
  }
  const open = [...last.values()].flatMap((entry): OpenGrant[] => {
    if (entry.kind !== 'prompt-sent' && entry.kind !== 'work-metered') return [];
    const { grant, model } = entry.data;
    return grant === undefined ? [] : [{ ...grant, role, model }];
  });
  return { next: `${prefix}${last.size + 1}`, open };
}
