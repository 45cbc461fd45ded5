/** Whether the server of an address answers. It is asked for its root, so that no secret path and no message is sent. */
import type { Fetch } from '../network/network-fetch.ts';
import { explainChannel } from './channel-errors.ts';

export async function tryAddress(
  send: Fetch,
  channel: string,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await send(new URL('/', url), { method: 'HEAD', redirect: 'manual', signal });
    await answer.body?.cancel();
  } catch (error) {
    throw explainChannel(channel, error);
  }
}
