/**
 * An event is written to the ledger under its delivery before an agent acts on it; a second delivery of it adds
 * nothing.
 */
import { eventSchema, type FleetEvent } from '../domain/fleet/event.ts';
import { identifyHappening } from '../domain/ledger/happening.ts';
import { type Sha256, sha256 } from '../domain/ledger/hash.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import { choreSubject, commitSubject, issueSubject, type Subject } from '../domain/ledger/subject.ts';
import { GatewrightError } from '../errors.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';

export function subjectOfEvent(event: FleetEvent): Subject {
  if (event.kind === 'schedule-due') return choreSubject(event.repository, event.schedule);
  // One chain for all pushes: they are looked at one after the other.
  if (event.kind === 'base-pushed') return choreSubject(event.repository, 'pushes');
  if (event.kind === 'workflow-completed' || event.kind === 'check-completed')
    return commitSubject(event.repository, event.head);
  return issueSubject(event.repository, event.number);
}

interface Receiving {
  readonly ledger: Pick<Ledger, 'putText' | 'areKnown' | 'appendNew'>;
  readonly actor: string;
}

interface Stored {
  readonly entry: NewEntry;
  /** What the entry names by its hash. */
  readonly text: string;
}

function storedForm(actor: string, event: FleetEvent, happening: Sha256 | null = null): Stored {
  // An entry of the ledger cannot be corrected, so only an event that can be read back may be written.
  const { error } = eventSchema.safeParse(event);
  if (error !== undefined)
    throw new GatewrightError('event-invalid', 'This event cannot be stored.', {
      cause: error,
      details: error.issues.map((one) => `${one.path.join('.') || '(event)'}: ${one.message}`),
    });
  const text = JSON.stringify(event);
  const told = happening === null ? {} : { happening };
  const data = { kind: event.kind, actor: event.actor, event: sha256(text), ...told };
  const subject = subjectOfEvent(event);
  return { text, entry: { subject, run: '', actor, kind: 'event-received', key: event.delivery, data } };
}

async function receive({ ledger }: Receiving, all: readonly Stored[]): Promise<boolean[]> {
  // Most repeated deliveries are known: for those, not even the text is written.
  const known = await ledger.areKnown(all.map(({ entry }) => entry));
  const fresh = all.filter((_, index) => known[index] === false);
  if (fresh.length === 0) return known.map(() => false);
  for (const { text } of fresh) await ledger.putText(text);
  const written = new Map<Stored, boolean>();
  for (const [index, entry] of (await ledger.appendNew(fresh.map(({ entry }) => entry))).entries())
    written.set(fresh[index] as Stored, entry !== null);
  return all.map((one) => written.get(one) ?? false);
}

/** False when the delivery was known. */
export async function receiveEvent(records: Receiving, event: FleetEvent): Promise<boolean> {
  const [isNew = false] = await receive(records, [storedForm(records.actor, event)]);
  return isNew;
}

/**
 * The same for deliveries of a forge, all in one transaction. A forge may report the same event in two deliveries; it
 * becomes one event.
 */
export async function receiveDeliveries(
  records: Receiving,
  events: readonly FleetEvent[],
): Promise<boolean[]> {
  return receive(
    records,
    events.map((event) => storedForm(records.actor, event, identifyHappening(event))),
  );
}

const pageLength = 200;

/** In one transaction: all of a page are there, and nothing is answered in between. */
async function receivePage(
  records: Receiving,
  page: Awaited<ReturnType<EventFeed['since']>>,
  onEvent: (event: FleetEvent) => void,
): Promise<void> {
  const forms = new Map<FleetEvent, Stored>();
  let failure: unknown;
  for (const { event } of page) {
    if (event === null) continue;
    try {
      forms.set(event, storedForm(records.actor, event));
    } catch (error) {
      failure = error;
      break;
    }
  }
  const areNew = await receive(records, [...forms.values()]);
  for (const [index, event] of [...forms.keys()].entries()) if (areNew[index] === true) onEvent(event);
  // Those before one that cannot be stored are received all the same.
  if (failure !== undefined) throw failure;
}

/**
 * Receives the events after an id, and returns the id of the last. A start from 0 reads everything again, which costs
 * little: known events are recognised by their delivery.
 */
export async function takeHappenings(
  house: Pick<FleetTools, 'ledger' | 'actor' | 'repositoryName'>,
  eventFeed: EventFeed,
  after: number,
  onEvent: (event: FleetEvent) => void = () => undefined,
): Promise<number> {
  for (let last = after; ; ) {
    const page = await eventFeed.since(house.repositoryName, last, pageLength);
    await receivePage(house, page, onEvent);
    last = page.at(-1)?.id ?? last;
    if (page.length < pageLength) return last;
  }
}
