/** Writes down what a merge rests on, before it. */
import type { MergeGrounds } from '../../domain/ledger/fleet-entries.ts';
import { canonicalJson, type Json } from '../../domain/ledger/hash.ts';
import { findMergeGrounds } from '../../runs/find-merge-grounds.ts';
import type { AgentContext } from '../agent.ts';

/** Grounds that are already the newest on the ledger are not written again: the run was cut off after writing them. */
export async function recordGrounds(context: AgentContext, wanted: MergeGrounds | null): Promise<void> {
  if (wanted === null) return;
  const { grounds, nextKey } = await findMergeGrounds(context.ledger, context.repository, wanted);
  const textOf = (one: MergeGrounds): string => canonicalJson(one as unknown as Json);
  if (grounds !== null && textOf(grounds) === textOf(wanted)) return;
  await context.record({ kind: 'merge-granted', key: nextKey, data: wanted });
}
