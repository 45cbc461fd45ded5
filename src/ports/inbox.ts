/**
 * Deliveries that were acknowledged and are not on the ledger yet. They are on disk: a process that is killed finds them
 * again. The ledger decides what is new, so reading a delivery twice does no harm.
 */
import type { FleetEvent } from '../domain/fleet/event.ts';

/** What a sender delivered: signed, read and found to be an event. */
export interface StoredDelivery {
  /** What the forge calls the event. */
  readonly name: string;
  /** Made of the JSON. */
  readonly delivery: string;
  /** As it came. */
  readonly json: Buffer;
}

export interface Inbox {
  /** The next deliveries, in the order in which they came; they stay in the inbox until `taken` is called. */
  next(limit: number): Promise<readonly FleetEvent[]>;
  /** What `next` returned last is on the ledger. Without `all`, some of it could not be written and is tried again later. */
  taken(result: { readonly all: boolean }): Promise<void>;
  /** Resolves with false at once, or with true a little later in a burst, while receiving needs the processor. */
  yieldToReceiver(): Promise<boolean>;
}

/** What the forge delivered and no agent has seen yet, for screens. */
export interface DeliveryCount {
  /** Acknowledged, and not on the ledger yet; at most a thousand are counted. */
  readonly waiting: number;
  /** Files with something in them that could not be read. */
  readonly setAside: number;
}
