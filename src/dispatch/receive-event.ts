/** An event is written down under its delivery before anybody acts on it; a second delivery of it is the same one. */
import type { FleetEvent } from '../domain/event.ts';
import type { Handoff } from '../domain/fleet-entries.ts';
import { choreSubject, commitSubject, issueSubject, type Subject } from '../domain/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { Records } from './house.ts';

export function subjectOfEvent(event: FleetEvent): Subject {
  if (event.kind === 'schedule-due') return choreSubject(event.repository, event.schedule);
  if (event.kind === 'workflow-completed') return commitSubject(event.repository, event.head);
  return issueSubject(event.repository, event.number);
}

/** False when it was known. */
export async function receiveEvent(
  { ledger, actor }: Pick<Records, 'ledger' | 'actor'>,
  event: FleetEvent,
): Promise<boolean> {
  // Asking first saves the text and the failed write, which is what most of many repeated deliveries are.
  if ((await ledger.find('event-received', event.delivery)) !== null) return false;
  const data = {
    kind: event.kind,
    actor: event.actor,
    event: await ledger.putText(JSON.stringify(event)),
  };
  const subject = subjectOfEvent(event);
  try {
    await ledger.append([{ subject, run: '', actor, kind: 'event-received', key: event.delivery, data }]);
    return true;
  } catch (error) {
    if (isGatewrightError(error, 'ledger-conflict')) return false;
    throw error;
  }
}

/** What one run hands on to others, as events; the same however often it is asked. */
export function eventsOfHandoffs(
  run: { readonly id: string; readonly repository: string; readonly own: string; readonly at: string },
  handoffs: readonly Handoff[],
): FleetEvent[] {
  return handoffs.map(({ to, task, number }, index) => ({
    kind: 'handed-on',
    delivery: `handoff/${run.id}/${index}`,
    at: run.at,
    repository: run.repository,
    actor: run.own,
    actorKind: 'bot',
    ...{ number, to, task, from: run.id },
  }));
}
