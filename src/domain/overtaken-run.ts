/** Runs that nobody should take up again by themselves: what they were for was worked on since by another. */
import { begunAgentRun } from './begun-agent-run.ts';
import type { LedgerEntry } from './ledger-entry.ts';

/** Whether a later run of the same agent on the same subject has asked a model since this one last got anywhere. */
export function isOvertaken(
  entries: readonly LedgerEntry[],
  { id, request }: { readonly id: string; readonly request: { readonly agent: string } },
): boolean {
  const last = entries.findLast((entry) => entry.run === id)?.seq ?? 0;
  const others = new Set(
    entries.flatMap((entry) =>
      entry.run !== id && begunAgentRun(entry)?.agent === request.agent ? [entry.run] : [],
    ),
  );
  return entries.some((entry) => entry.kind === 'prompt-sent' && entry.seq > last && others.has(entry.run));
}
