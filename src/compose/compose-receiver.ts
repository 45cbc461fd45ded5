/** Composition: the receiver of deliveries in a thread of its own. */
import { getPriority, platform, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { inboxOf } from '../adapters/inbox/inbox-folder.ts';
import { InboxReader } from '../adapters/inbox/inbox-reader.ts';
import type { Written } from '../adapters/inbox/inbox-writer.ts';
import type { BaseConfig } from '../config/read-config.ts';
import {
  errorOfTrouble,
  noticeOfTrouble,
  type Receiver,
  type ReceiverNotice,
  type ReceiverOptions,
} from '../entrypoints/server/webhook/receiver.ts';
import { GatewrightError } from '../errors.ts';

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
  | { readonly kind: 'written'; readonly written: Written }
  | { readonly kind: 'notice'; readonly notice: ReceiverNotice };

/** A checkout runs its sources, an installed package built files; the thread begins beside this file in both. */
function threadFile(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./receiver-thread.${extension}`, import.meta.url);
}

/** A thread with more room for new objects uses it all and is no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** Of the threads and processes that handle events; 0 is usual, and 19 the least. */
const handlingPriority = 10;

/**
 * On a busy machine the thread that receives goes first: a sender waits for it, and nothing waits for what handles events.
 * Linux has a priority for each thread; elsewhere it would hold for the whole process.
 */
function letReceiverGoFirst(): void {
  if (platform() !== 'linux' || getPriority() >= handlingPriority) return;
  try {
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
  const inbox = new InboxReader(folder, signingKey, (error) => tell(noticeOfTrouble(error)));
  const worker = new Worker(threadFile(), { workerData: data, resourceLimits });
  const send = (message: ToReceiver): void => worker.postMessage(message);
  const listening = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<void>();
  let isClosing = false;
  worker.on('message', (message: FromReceiver) => {
    if (message.kind === 'listening') listening.resolve(message.url);
    else if (message.kind === 'failed') listening.reject(errorOfTrouble(message.notice));
    else if (message.kind === 'written') {
      inbox.advance(message.written);
      tell({ kind: 'received' });
    } else tell(message.notice);
  });
  const fail = (error: Error): void => {
    listening.reject(error);
    exited.reject(error);
  };
  worker.on('error', fail);
  worker.on('exit', () => {
    if (!isClosing) fail(new GatewrightError('internal', 'The thread that receives deliveries ended.'));
    exited.resolve();
  });
  // The code that waits for `ended` handles the error; without this line, Node would report an unhandled rejection
  // before that.
  exited.promise.catch(() => undefined);
  let handed = 0;
  const url = await listening.promise;
  letReceiverGoFirst();
  return {
    url,
    ended: exited.promise,
    inbox: {
      next: async (limit) => {
        const events = await inbox.next(limit);
        handed = events.length;
        return events;
      },
      taken: async (result) => {
        send({ kind: 'taken', count: handed });
        await inbox.taken(result);
      },
    },
    close: async () => {
      if (!isClosing) send({ kind: 'close' });
      isClosing = true;
      await exited.promise.catch(() => undefined);
      await inbox.close();
    },
  };
}
