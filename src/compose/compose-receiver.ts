/** Composition: the receiver of deliveries in a thread of its own. */
import { Worker } from 'node:worker_threads';
import { turnsOf } from '../adapters/sqlite/write-turns.ts';
import type { BaseConfig } from '../config/read-config.ts';
import {
  errorOfTrouble,
  type noticeOfTrouble,
  type Receiver,
  type ReceiverNotice,
  type ReceiverOptions,
} from '../entrypoints/server/webhook/receiver.ts';
import { GatewrightError } from '../errors.ts';

/** What the thread is given. */
export interface ReceiverData {
  readonly databaseFile: string;
  readonly actor: string;
  readonly options: ReceiverOptions;
  /** Shared memory by which the threads agree who writes first. */
  readonly turns: SharedArrayBuffer;
}

/** What the thread says. */
export type FromReceiver =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly notice: ReturnType<typeof noticeOfTrouble> }
  | { readonly kind: 'notice'; readonly notice: ReceiverNotice };

/** A checkout runs its sources, an installed package built files; the thread begins beside this file in both. */
function threadFile(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./receiver-thread.${extension}`, import.meta.url);
}

/**
 * Resolves when deliveries are accepted. If the thread ends unasked, that is reported as an error, because no delivery
 * arrives any more.
 */
export function composeReceiver(
  { databaseFile }: Pick<BaseConfig, 'databaseFile'>,
  actor: string,
  options: ReceiverOptions,
  tell: (notice: ReceiverNotice) => void,
): Promise<Receiver> {
  const data: ReceiverData = { databaseFile, actor, options, turns: turnsOf(databaseFile) };
  const worker = new Worker(threadFile(), { workerData: data });
  const listening = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<void>();
  let isClosing = false;
  worker.on('message', (message: FromReceiver) => {
    if (message.kind === 'listening') listening.resolve(message.url);
    else if (message.kind === 'failed') listening.reject(errorOfTrouble(message.notice));
    else tell(message.notice);
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
  return listening.promise.then((url) => ({
    url,
    ended: exited.promise,
    close: async () => {
      if (!isClosing) worker.postMessage('close');
      isClosing = true;
      await exited.promise.catch(() => undefined);
    },
  }));
}
