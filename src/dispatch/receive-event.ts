/** An event is written down under its delivery before anybody acts on it; a second delivery of it is the same one. */
import { eventSchema, type FleetEvent } from '../domain/event.ts';
import type { Handoff } from '../domain/fleet-entries.ts';
import { identifyHappening } from '../domain/happening.ts';
import type { Sha256 } from '../domain/hash.ts';
import type { NewEntry } from '../domain/ledger-entry.ts';
import { choreSubject, commitSubject, issueSubject, type Subject } from '../domain/subject.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Happenings } from '../ports/happenings.ts';
import type { House, Records } from './house.ts';

export function subjectOfEvent(event: FleetEvent): Subject {
  if (event.kind === 'schedule-due') return choreSubject(event.repository, event.schedule);
  if (event.kind === 'workflow-completed' || event.kind === 'check-completed')
    return commitSubject(event.repository, event.head);
  return issueSubject(event.repository, event.number);
}

async function entryOf(
  { ledger, actor }: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
  happening: Sha256 | null = null,
): Promise<NewEntry> {
  // The ledger cannot be corrected: what goes in has to be what can be read back.
  const { error } = eventSchema.safeParse(event);
  if (error !== undefined)
    throw new GatewrightError('event-invalid', 'This event cannot be stored.', {
      cause: error,
      details: error.issues.map((one) => `${one.path.join('.') || '(event)'}: ${one.message}`),
    });
  const data = { kind: event.kind, actor: event.actor, event: await ledger.putText(JSON.stringify(event)) };
  const subject = subjectOfEvent(event);
  const told = happening === null ? {} : { happening };
  return { subject, run: '', actor, kind: 'event-received', key: event.delivery, data: { ...data, ...told } };
}

/** False when it was known. */
export function receiveEvent(
  records: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
): Promise<boolean> {
  return receive(records, event, null);
}

/** The same for what a forge delivers: it may tell the same thing under two deliveries, and it is one event. */
export function receiveDelivery(
  records: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
): Promise<boolean> {
  return receive(records, event, identifyHappening(event));
}

async function receive(
  records: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
  happening: Sha256 | null,
): Promise<boolean> {
  const { ledger } = records;
  // Asking first saves the text and the failed write, which is what most of many repeated deliveries are.
  if ((await ledger.find('event-received', event.delivery)) !== null) return false;
  try {
    await ledger.append([await entryOf(records, event, happening)]);
    return true;
  } catch (error) {
    if (isGatewrightError(error, 'ledger-conflict')) return false;
    throw error;
  }
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
      if (event !== null && (await receiveEvent(house, event))) onEvent(event);
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
