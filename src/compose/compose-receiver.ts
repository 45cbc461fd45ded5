/** Composition: the receiver of deliveries in a thread of its own. */
import { stat } from 'node:fs/promises';
import { getPriority, platform, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { readWebhook } from '../adapters/github/payloads/read-webhook.ts';
import { inboxOf } from '../adapters/inbox/inbox-folder.ts';
import { InboxReader } from '../adapters/inbox/inbox-reader.ts';
import type { Written } from '../adapters/inbox/inbox-writer.ts';
import { ReceivingRate } from '../adapters/inbox/receiving-rate.ts';
import type { BaseConfig } from '../config/read-config.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import {
  errorOfTrouble,
  noticeOfTrouble,
  type Receiver,
  type ReceiverNotice,
  type ReceiverOptions,
} from '../entrypoints/server/webhook/receiver.ts';
import { isGatewrightError } from '../errors.ts';
import type { StoredDelivery } from '../ports/inbox.ts';
import { followThread } from './follow-thread.ts';
import { threadFile } from './thread-file.ts';

/** What the thread is given. */
export interface ReceiverData {
  readonly inbox: string;
  readonly signingKey: string;
  readonly options: ReceiverOptions;
}

/** What the thread is told: so many deliveries are on the ledger; or to end. */
export type ToReceiver = { readonly kind: 'taken'; readonly count: number } | { readonly kind: 'close' };

/** What the thread says. */
export type FromReceiver =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly notice: ReturnType<typeof noticeOfTrouble> }
  | { readonly kind: 'written'; readonly written: Written; readonly count: number }
  | { readonly kind: 'notice'; readonly notice: ReceiverNotice };

/** As the thread decodes it: without a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null when this version reads no event in it; the thread has read one before it stored the delivery. */
export function readStored({ name, delivery, json }: StoredDelivery, repository: string): FleetEvent | null {
  try {
    const event = readWebhook(name, delivery, JSON.parse(utf8.decode(json)));
    // A repository that was renamed is known here by the name that it had.
    return 'ignored' in event ? null : { ...event, repository };
  } catch (error) {
    if (isGatewrightError(error, 'event-invalid')) return null;
    throw error;
  }
}

/**
 * The thread begins with this much room for new objects, in megabytes. V8 would begin with one, and `bin/gatewright.cjs`
 * keeps it from growing: then objects of deliveries that wait for the disk are copied again and again, which takes a third
 * of the time of the thread. With more room than this the memory grows, and hardly any time is saved.
 */
const [newObjectSpace, mostNewObjectSpace] = [4, 8];
const resourceLimits = { maxYoungGenerationSizeMb: 3 * mostNewObjectSpace };

/** Threads that begin later read it. Only where this was tried: V8 complains about flags that it does not know. */
function giveRoomForNewObjects(): void {
  if (process.versions.node.startsWith('24.')) setFlagsFromString(`--min-semi-space-size=${newObjectSpace}`);
}

/** Of the threads and processes that handle events; 0 is usual, and 19 the least. */
const handlingPriority = 10;

/**
 * On a busy machine the thread that receives goes first: a sender waits for it, and nothing waits for what handles events.
 * Linux has a priority for each thread; elsewhere it would hold for the whole process.
 */
async function letReceiverGoFirst(): Promise<void> {
  if (platform() !== 'linux' || getPriority() >= handlingPriority) return;
  try {
    // The threads that write to disk serve all others. They begin with their first work and get the priority of this
    // thread at that moment.
    await stat('.');
    setPriority(handlingPriority);
  } catch {
    // It works without.
  }
}

/**
 * Resolves when deliveries are accepted. If the thread ends unasked, that is reported as an error, because no delivery
 * arrives any more.
 */
export async function composeReceiver(
  { databaseFile }: Pick<BaseConfig, 'databaseFile'>,
  signingKey: string,
  options: ReceiverOptions,
  tell: (notice: ReceiverNotice) => void,
): Promise<Receiver> {
  const folder = inboxOf(databaseFile, options.repository.id);
  const data: ReceiverData = { inbox: folder, signingKey, options };
  const read = (stored: StoredDelivery): FleetEvent | null => readStored(stored, options.repository.name);
  const inbox = new InboxReader(folder, signingKey, read, (error) => tell(noticeOfTrouble(error)));
  const rate = new ReceivingRate();
  giveRoomForNewObjects();
  const worker = new Worker(threadFile('receiver-thread'), { workerData: data, resourceLimits });
  const send = (message: ToReceiver): void => worker.postMessage(message);
  const { listening, ended, close } = followThread<string>(worker, 'that receives deliveries', () =>
    send({ kind: 'close' }),
  );
  worker.on('message', (message: FromReceiver) => {
    if (message.kind === 'listening') listening.resolve(message.url);
    else if (message.kind === 'failed') listening.reject(errorOfTrouble(message.notice));
    else if (message.kind === 'written') {
      inbox.advance(message.written);
      rate.received(message.count);
      tell({ kind: 'received' });
    } else tell(message.notice);
  });
  let handed = 0;
  const url = await listening.promise;
  await letReceiverGoFirst();
  return {
    url,
    ended,
    inbox: {
      next: async (limit) => {
        const events = await inbox.next(limit);
        handed = events.length;
        return events;
      },
      taken: async (result) => {
        send({ kind: 'taken', count: handed });
        rate.handled(handed);
        await inbox.taken(result);
      },
      yieldToReceiver: async () => {
        const pause = rate.pause();
        if (pause > 0) await sleep(pause);
        return pause > 0;
      },
    },
    close: async () => {
      await close();
      await inbox.close();
    },
  };
}
