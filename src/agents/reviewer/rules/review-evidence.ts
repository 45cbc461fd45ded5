/** Which prompt a review was made with, what the model was shown, and which model answered, by the entries of its run. */
import type { FleetEntryData } from '../../../domain/ledger/fleet-entries.ts';
import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.ts';

export type ReviewEvidence = Pick<
  FleetEntryData['code-reviewed'],
  'prompt' | 'input' | 'model' | 'reportedModel'
>;

/** @param entries of the run that asked, oldest first @param key of the answer that was used */
export function findEvidence(entries: readonly LedgerEntry[], key: string): ReviewEvidence {
  const at = entries.findIndex((entry) => entry.kind === 'model-answered' && entry.key === key);
  const answered = entries[at];
  if (answered?.kind !== 'model-answered') return {};
  const { role, model, reportedModel } = answered.data;
  // The last question before the answer: one whose call was cut off was asked again.
  const sent = entries
    .slice(0, at)
    .findLast((entry) => entry.kind === 'prompt-sent' && entry.data.role === role);
  if (sent?.kind !== 'prompt-sent') return { model, reportedModel };
  return { prompt: sent.data.instructions, input: sent.data.prompt, model, reportedModel };
}
