/**
 * Receives deliveries of one repository: signature, repository, event, inbox, and only then 202. It uses neither the
 * ledger nor agents, so that it can run in a thread of its own, where the handling of events never delays it.
 */

import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { type ErrorCode, GatewrightError, toGatewrightError } from '../../../errors.ts';
import type { Inbox, StoredDelivery } from '../../../ports/inbox.ts';
import { type Delivery, Refusal } from './check-delivery.ts';
import { CommitQueue } from './commit-queue.ts';
import { placeOfDelivery, relatePlace } from './delivery-place.ts';
import { type RefusedFor, startWebhookServer, type WebhookServer } from './webhook-server.ts';

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly secret: string;
  readonly repository: { readonly name: string; readonly id: string };
}

/** What a receiver reports while it runs. Plain data: it may come from another thread. */
export type ReceiverNotice =
  /** Something was written to the inbox. */
  | { readonly kind: 'received' }
  | { readonly kind: 'named'; readonly relation: 'renamed' | 'name-taken'; readonly name: string }
  | { readonly kind: 'refused'; readonly why: RefusedFor }
  | { readonly kind: 'trouble'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** What GitHub delivered, as an event of ours; or the name of an event that no agent reacts to. */
type ReadDelivery = (
  name: string,
  delivery: string,
  payload: unknown,
) => FleetEvent | { readonly ignored: string };

interface ReceiverTools {
  readonly readDelivery: ReadDelivery;
  /** Writes deliveries to the inbox; resolves when they are on disk. */
  readonly store: (deliveries: readonly StoredDelivery[]) => Promise<void>;
  /** How many of those are on the ledger by now. */
  readonly countTaken: () => number;
}

/** The most deliveries that are acknowledged and not on the ledger; further ones are refused until there are fewer. */
const mostPending = 100_000;

type TroubleNotice = Extract<ReceiverNotice, { kind: 'trouble' }>;

export function noticeOfTrouble(error: unknown): TroubleNotice {
  const { code, message, hint } = toGatewrightError(error, 'An unexpected error happened: ');
  return { kind: 'trouble', code, message, hint };
}

export function errorOfTrouble({ code, message, hint }: TroubleNotice): GatewrightError {
  return new GatewrightError(code, message, { hint });
}

/** Takes deliveries until it is closed. */
export interface Receiver extends WebhookServer {
  /** What was acknowledged. */
  readonly inbox: Inbox;
  /** Rejects when it ended unasked: then nothing is received any more. */
  readonly ended: Promise<void>;
}

export function startReceiver(
  { readDelivery, store, countTaken }: ReceiverTools,
  { repository, ...listening }: ReceiverOptions,
  tell: (notice: ReceiverNotice) => void,
): Promise<WebhookServer> {
  let stored = 0;
  const queue = new CommitQueue<StoredDelivery>(async (deliveries) => {
    await store(deliveries);
    stored += deliveries.length;
  });
  const isOurs = ({ name, delivery, payload }: Delivery): boolean => {
    const event = readDelivery(name, delivery, payload);
    const place = placeOfDelivery(payload);
    const relation = relatePlace(place, repository);
    if (relation === 'renamed' || relation === 'name-taken')
      tell({ kind: 'named', relation, name: place?.name ?? '' });
    return !('ignored' in event) && (relation === 'ours' || relation === 'renamed');
  };
  return startWebhookServer({
    ...listening,
    // Not an async function: it would keep the parsed payload in memory until the delivery is on disk.
    accept: (delivery) => {
      if (!isOurs(delivery)) return Promise.resolve('ignored');
      if (stored - countTaken() >= mostPending) throw new Refusal(503, 'busy', 30);
      const { name, delivery: id, json } = delivery;
      return queue.add({ name, delivery: id, json }).then(() => 'received');
    },
    onTrouble: (error) => tell(noticeOfTrouble(error)),
    onRefused: (why) => tell({ kind: 'refused', why }),
  });
}
