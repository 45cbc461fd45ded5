/**
 * What a run hands on to an agent, as entries: an event that only Gatewright itself makes. They are written together with
 * what they follow from, so that a run that is killed has written both or neither.
 */
import { eventSchema } from '../domain/fleet/event.ts';
import type { Handoff } from '../domain/ledger/fleet-entries.ts';
import { sha256 } from '../domain/ledger/hash.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import { issueSubject } from '../domain/ledger/subject.ts';
import type { Records } from './house.ts';

export async function entriesOfHandoffs(
  { ledger, actor, clock }: Pick<Records, 'ledger' | 'actor' | 'clock'>,
  run: { readonly id: string; readonly repository: string; readonly own: string },
  handoffs: readonly Handoff[],
): Promise<NewEntry[]> {
  const entries: NewEntry[] = [];
  for (const [index, { to, task, number }] of handoffs.entries()) {
    const delivery = `handoff/${run.id}/${index}`;
    const event = eventSchema.parse({
      kind: 'handed-on',
      delivery,
      at: clock.now().toISOString(),
      repository: run.repository,
      actor: run.own,
      actorKind: 'bot',
      ...{ number, to, task, from: run.id },
    });
    const text = JSON.stringify(event);
    await ledger.putText(text);
    entries.push({
      ...{ subject: issueSubject(run.repository, number), run: '', actor },
      ...({ kind: 'event-received', key: delivery } as const),
      data: { kind: event.kind, actor: event.actor, event: sha256(text) },
    });
  }
  return entries;
}
