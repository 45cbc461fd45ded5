/** Composition: the API in a thread of its own. */
import { Worker } from 'node:worker_threads';
import type { BaseConfig } from '../config/read-config.ts';
import type { ApiListener, RunningApi } from '../entrypoints/cli/app.ts';
import { errorOfTrouble, type noticeOfTrouble } from '../entrypoints/server/webhook/receiver.ts';
import { followThread } from './follow-thread.ts';
import { threadFile } from './thread-file.ts';

/** What the thread is given. */
export interface ApiData {
  readonly config: BaseConfig;
  readonly packageRoot: string;
  readonly version: string;
  readonly repository: string | null;
  readonly listening: { readonly host: string; readonly port: number };
}

/** What the thread is told: to end. */
export type ToApi = { readonly kind: 'close' };

type Notice = ReturnType<typeof noticeOfTrouble>;

type Listening = Pick<RunningApi, 'url' | 'port' | 'hasPages'>;

/** What the thread says. */
export type FromApi =
  | ({ readonly kind: 'listening' } & Listening)
  | { readonly kind: 'failed'; readonly notice: Notice }
  | { readonly kind: 'answered'; readonly run: string }
  | { readonly kind: 'trouble'; readonly notice: Notice };

/** Resolves when requests are answered. */
export async function composeApi(data: ApiData, listener: ApiListener): Promise<RunningApi> {
  const worker = new Worker(threadFile('api-thread'), { workerData: data });
  const tellToEnd = (): void => worker.postMessage({ kind: 'close' } satisfies ToApi);
  const { listening, ended, close } = followThread<Listening>(worker, 'of the API', tellToEnd);
  worker.on('message', (message: FromApi) => {
    if (message.kind === 'listening') listening.resolve(message);
    else if (message.kind === 'failed') listening.reject(errorOfTrouble(message.notice));
    else if (message.kind === 'answered') listener.onAnswered(message.run);
    else listener.onTrouble(errorOfTrouble(message.notice));
  });
  const { url, port, hasPages } = await listening.promise;
  return { url, port, hasPages, ended, close };
}
