/** The life of a thread of ours: when it listens, that it ends when it is told to, and why it ended otherwise. */
import type { Worker } from 'node:worker_threads';
import { GatewrightError } from '../errors.ts';

interface FollowedThread<Listening> {
  /** For what it says when it listens, or cannot; it is also rejected when the thread ends before. */
  readonly listening: PromiseWithResolvers<Listening>;
  /** Resolves when it has ended because it was told to; an end that was not asked for is an error. */
  readonly ended: Promise<void>;
  /** Tells it to end, and waits until it has. */
  close(): Promise<void>;
}

/** @param name as in "The thread … ended." @param tellToEnd is called once at most */
export function followThread<Listening>(
  worker: Worker,
  name: string,
  tellToEnd: () => void,
): FollowedThread<Listening> {
  const listening = Promise.withResolvers<Listening>();
  const exited = Promise.withResolvers<void>();
  let isClosing = false;
  let failure: Error | null = null;
  worker.on('error', (error: Error) => {
    failure = error;
  });
  // An error may overtake what the thread has said before it; when it has ended, everything was heard.
  worker.on('exit', () => {
    const ended = new GatewrightError('internal', `The thread ${name} ended.`);
    const error = failure ?? (isClosing ? null : ended);
    listening.reject(error ?? ended);
    if (error === null) exited.resolve();
    else exited.reject(error);
  });
  listening.promise.catch(() => undefined);
  // The code that waits for `ended` handles the error; without this line, Node would report an unhandled rejection
  // before that.
  exited.promise.catch(() => undefined);
  return {
    listening,
    ended: exited.promise,
    close: async () => {
      if (!isClosing) tellToEnd();
      isClosing = true;
      await exited.promise.catch(() => undefined);
    },
  };
}
