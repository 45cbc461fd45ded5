/**
 * Receives deliveries of one repository: signature, repository, event, ledger, and only then 202. It does not use
 * agents, so that it can run in a thread of its own, where the handling of events never delays it.
 */

import { describeDeed } from '../../../domain/fleet/describe-event.ts';
import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { type ErrorCode, GatewrightError, toGatewrightError } from '../../../errors.ts';
import { receiveDeliveries } from '../../../fleet/receive-event.ts';
import type { Ledger } from '../../../ports/ledger.ts';
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
  | {
      readonly kind: 'received';
      readonly deeds: readonly { readonly text: string; readonly actor: string }[];
    }
  | { readonly kind: 'named'; readonly relation: 'renamed' | 'name-taken'; readonly name: string }
  | { readonly kind: 'refused'; readonly why: RefusedFor }
  | { readonly kind: 'trouble'; readonly code: ErrorCode; readonly message: string; readonly hint: string };

/** What GitHub delivered, as an event of ours; or the name of an event that no agent reacts to. */
type ReadDelivery = (
  name: string,
  delivery: string,
  payload: unknown,
) => Promise<FleetEvent | { readonly ignored: string }>;

interface ReceiverTools {
  readonly ledger: Pick<Ledger, 'putText' | 'areKnown' | 'appendNew'>;
  readonly actor: string;
  readonly readDelivery: ReadDelivery;
}

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
  /** Rejects when it ended unasked: then nothing is received any more. */
  readonly ended: Promise<void>;
}

export function startReceiver(
  { ledger, actor, readDelivery }: ReceiverTools,
  { repository, ...listening }: ReceiverOptions,
  tell: (notice: ReceiverNotice) => void,
): Promise<WebhookServer> {
  const queue = new CommitQueue<FleetEvent, boolean>(async (events) => {
    const isNew = await receiveDeliveries({ ledger, actor }, events);
    const deeds = events
      .filter((_, index) => isNew[index])
      .map((event) => ({ text: describeDeed(event), actor: event.actor }));
    if (deeds.length > 0) tell({ kind: 'received', deeds });
    return isNew;
  });
  return startWebhookServer({
    ...listening,
    accept: async ({ name, delivery, payload }) => {
      const event = await readDelivery(name, delivery, payload);
      const place = placeOfDelivery(payload);
      const relation = relatePlace(place, repository);
      if (relation === 'renamed' || relation === 'name-taken')
        tell({ kind: 'named', relation, name: place?.name ?? '' });
      if ('ignored' in event || (relation !== 'ours' && relation !== 'renamed')) return 'ignored';
      return (await queue.add({ ...event, repository: repository.name })) ? 'received' : 'known';
    },
    onTrouble: (error) => tell(noticeOfTrouble(error)),
    onRefused: (why) => tell({ kind: 'refused', why }),
  });
}
