/** Moves deliveries from the inbox to the ledger. They leave the inbox only when the ledger has them. */
import type { FleetEvent } from '../domain/fleet/event.ts';
import { isGatewrightError } from '../errors.ts';
import type { Inbox } from '../ports/inbox.ts';
import type { FleetTools } from '../runs/house.ts';
import { receiveDeliveries } from './receive-event.ts';

type Taker = Pick<FleetTools, 'ledger' | 'actor'>;

interface Telling {
  readonly onEvent: (event: FleetEvent) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** In one transaction. */
const mostTogether = 32;
/** Then the fleet looks at its other work. */
const mostRounds = 60;

/** All of them, or those that can be written: a chain that was tampered with takes no entry, the other chains do. */
async function write(
  house: Taker,
  events: readonly FleetEvent[],
  { onEvent, onTrouble }: Telling,
): Promise<boolean> {
  try {
    const isNew = await receiveDeliveries(house, events);
    for (const [index, event] of events.entries()) if (isNew[index]) onEvent(event);
    return true;
  } catch (error) {
    if (!isGatewrightError(error, 'ledger-broken')) throw error;
    if (events.length === 1) {
      onTrouble(error);
      return false;
    }
    let isAll = true;
    for (const event of events) isAll = (await write(house, [event], { onEvent, onTrouble })) && isAll;
    return isAll;
  }
}

/** Whether there may be more. */
export async function takeDeliveries(house: Taker, inbox: Inbox, telling: Telling): Promise<boolean> {
  for (let round = 0; round < mostRounds; round += 1) {
    const events = await inbox.next(mostTogether);
    if (events.length === 0) return false;
    await inbox.taken({ all: await write(house, events, telling) });
    if (await inbox.yieldToReceiver()) return true;
  }
  return true;
}
