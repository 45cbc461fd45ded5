/** The run of an agent that an entry of the ledger begins. */
import type { LedgerEntry } from './ledger-entry.ts';
import { type AgentRequest, matchRequest } from './run.ts';

/** Null for every other entry, and for a dry run: what it would have done counts for nothing. */
export function begunAgentRun(entry: LedgerEntry): AgentRequest | null {
  if (entry.kind !== 'run-started' || entry.data.request.dryRun) return null;
  return matchRequest(entry.data.request, {
    authoring: () => null,
    agent: (request) => request,
    loop: () => null,
    pipeline: () => null,
  });
}
