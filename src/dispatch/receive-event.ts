/** An event is written down under its delivery before anybody acts on it; a second delivery of it is the same one. */
import { eventSchema, type FleetEvent } from '../domain/event.ts';
import type { Handoff } from '../domain/fleet-entries.ts';
import type { NewEntry } from '../domain/ledger-entry.ts';
import { choreSubject, commitSubject, issueSubject, type Subject } from '../domain/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { Happenings } from '../ports/happenings.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { House, Records } from './house.ts';

export function subjectOfEvent(event: FleetEvent): Subject {
  if (event.kind === 'schedule-due') return choreSubject(event.repository, event.schedule);
  if (event.kind === 'workflow-completed') return commitSubject(event.repository, event.head);
  return issueSubject(event.repository, event.number);
}

async function entryOf(
  { ledger, actor }: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
): Promise<NewEntry> {
  const data = { kind: event.kind, actor: event.actor, event: await ledger.putText(JSON.stringify(event)) };
  const subject = subjectOfEvent(event);
  return { subject, run: '', actor, kind: 'event-received', key: event.delivery, data };
}

/** False when it was known. */
export async function receiveEvent(
  records: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
): Promise<boolean> {
  const { ledger } = records;
  // Asking first saves the text and the failed write, which is what most of many repeated deliveries are.
  if ((await ledger.find('event-received', event.delivery)) !== null) return false;
  try {
    await ledger.append([await entryOf(records, event)]);
    return true;
  } catch (error) {
    if (isGatewrightError(error, 'ledger-conflict')) return false;
    throw error;
  }
}

export async function readEvent(
  house: Pick<House, 'ledger'>,
  open: Pick<OpenEvent, 'event'>,
): Promise<FleetEvent> {
  return eventSchema.parse(JSON.parse(await house.ledger.getText(open.event)));
}

const pageLength = 200;

/**
 * Receives what happened after an id; returns the last one's. Begun from 0 it looks at everything again, which costs
 * little: what is known is known by its delivery.
 */
export async function takeHappenings(
  house: Pick<House, 'ledger' | 'actor' | 'repositoryName'>,
  happenings: Happenings,
  after: number,
  onEvent: (event: FleetEvent) => void = () => undefined,
): Promise<number> {
  for (let last = after; ; ) {
    const page = await happenings.since(house.repositoryName, last, pageLength);
    for (const { id, event } of page) {
      if (await receiveEvent(house, event)) onEvent(event);
      last = id;
    }
    if (page.length < pageLength) return last;
  }
}

/** What a run hands on, as entries to be written together with its end: whoever is killed has written both or neither. */
export function entriesOfHandoffs(
  records: Pick<Records, 'ledger' | 'actor' | 'clock'>,
  run: { readonly id: string; readonly repository: string; readonly own: string },
  handoffs: readonly Handoff[],
): Promise<NewEntry[]> {
  return Promise.all(
    handoffs.map(({ to, task, number }, index) =>
      entryOf(records, {
        kind: 'handed-on',
        delivery: `handoff/${run.id}/${index}`,
        at: records.clock.now().toISOString(),
        repository: run.repository,
        actor: run.own,
        actorKind: 'bot',
        ...{ number, to, task, from: run.id },
      }),
    ),
  );
}
