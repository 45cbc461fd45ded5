/**
 * What runs wrote about a subject, with the events that began those of the implementer: who ordered what, and how often
 * work was handed on. Events that no run of it reacted to are not read, however many there are.
 */
import { begunAgentRun } from '../domain/ledger/begun-agent-run.ts';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import type { Ledger } from '../ports/ledger.ts';

/** The events come first; what reads them looks them up by their delivery, and compares entries by their place. */
export async function readWorkEntries(
  ledger: Pick<Ledger, 'readWork' | 'find'>,
  subject: Subject,
): Promise<LedgerEntry[]> {
  const work = await ledger.readWork(subject);
  const begun = work.flatMap((entry) => begunAgentRun(entry) ?? []);
  const deliveries = new Set(
    begun.filter(({ agent }) => agent === 'implementer').map(({ delivery }) => delivery),
  );
  const events: LedgerEntry[] = [];
  for (const delivery of deliveries) {
    const event = await ledger.find('event-received', delivery);
    // What was received about another subject ordered nothing here.
    if (event !== null && event.subject === subject) events.push(event);
  }
  return [...events, ...work];
}
