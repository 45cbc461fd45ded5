/** Tells the part that shows progress what is waited for, from its beginning to its end. */
import { channel } from 'node:diagnostics_channel';
import { type WaitMessage, waitChannel } from '../../ports/progress.ts';

const waits = channel(waitChannel);

/** @param text what is waited for, as it stands behind a spinner: "waiting for github.com" */
export async function traceWait<T>(text: string, work: () => Promise<T>): Promise<T> {
  if (!waits.hasSubscribers) return work();
  const wait = { text };
  const publish = (isOver: boolean): void => waits.publish({ wait, isOver } satisfies WaitMessage);
  publish(false);
  try {
    return await work();
  } finally {
    publish(true);
  }
}
