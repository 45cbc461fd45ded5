/** The thread that receives: its own file of the inbox, and nothing of what handles events. */
import { parentPort, workerData } from 'node:worker_threads';
import { readWebhook } from '../adapters/github/payloads/read-webhook.ts';
import { InboxWriter } from '../adapters/inbox/inbox-writer.ts';
import {
  noticeOfTrouble,
  type ReceiverNotice,
  startReceiver,
} from '../entrypoints/server/webhook/receiver.ts';
import type { FromReceiver, ReceiverData, ToReceiver } from './compose-receiver.ts';
import { WrittenNotices } from './written-notices.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the beginning of a thread.');
const { inbox, signingKey, options } = workerData as ReceiverData;
const send = (message: FromReceiver): void => port.postMessage(message);
const tell = (notice: ReceiverNotice): void => send({ kind: 'notice', notice });

try {
  const writer = new InboxWriter(inbox, signingKey);
  const notices = new WrittenNotices((written, count) => send({ kind: 'written', written, count }));
  let taken = 0;
  const server = await startReceiver(
    {
      readDelivery: readWebhook,
      store: async (deliveries) => notices.add(await writer.write(deliveries), deliveries.length),
      countTaken: () => taken,
    },
    options,
    tell,
  );
  port.on('message', async (message: ToReceiver) => {
    if (message.kind === 'taken') taken += message.count;
    else {
      await server.close();
      await writer.close();
      notices.close();
      port.close();
    }
  });
  send({ kind: 'listening', url: server.url });
} catch (error) {
  send({ kind: 'failed', notice: noticeOfTrouble(error) });
}
