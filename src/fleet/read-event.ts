/**
 * Reading events back from the ledger. An event that can never be read, because another version wrote it or because it
 * was damaged, is treated differently from one that cannot be read just now: it is settled with a refusal, so that no
 * other event waits for it.
 */
import { eventSchema, type FleetEvent } from '../domain/fleet/event.ts';
import type { Sha256 } from '../domain/ledger/hash.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import { appendOnce } from '../runs/append-once.ts';
import type { FleetTools } from '../runs/house.ts';

function parse(text: string): FleetEvent | null {
  try {
    return eventSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Null when this version of the program can never read it. */
export async function readEvent(
  house: Pick<FleetTools, 'ledger'>,
  stored: { readonly event: Sha256 },
): Promise<FleetEvent | null> {
  try {
    return parse(await house.ledger.getText(stored.event));
  } catch (error) {
    if (isGatewrightError(error, 'ledger-broken')) return null;
    throw error;
  }
}

/** The event that a run was started for; null when the ledger has no such event. */
export async function readEventOfRun(
  house: Pick<FleetTools, 'ledger'>,
  run: { readonly id: string; readonly request: { readonly delivery: string } },
): Promise<FleetEvent | null> {
  const received = await house.ledger.find('event-received', run.request.delivery);
  if (received === null) return null;
  const event = await readEvent(house, received.data);
  if (event !== null) return event;
  throw new GatewrightError('event-unreadable', `What the run ${run.id} was started for cannot be read.`);
}

/** Puts an end to an event that cannot be read. Both or neither is written. */
export async function refuseUnreadable(
  house: Pick<FleetTools, 'ledger' | 'actor'>,
  { delivery, subject }: Pick<OpenEvent, 'delivery' | 'subject'>,
): Promise<void> {
  const common = { subject, run: '', actor: house.actor };
  const detail = 'what is stored of it cannot be read';
  const data = { delivery, agent: null, by: 'nobody', because: 'unreadable', detail } as const;
  await appendOnce(house.ledger, [
    { ...common, kind: 'event-refused', key: `${delivery}/unreadable`, data },
    { ...common, kind: 'event-settled', key: delivery, data: { runs: [] } },
  ]);
}
