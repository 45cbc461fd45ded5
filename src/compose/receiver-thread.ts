/** The thread that receives: its own connection to the database, and nothing of what handles events. */
import { parentPort, workerData } from 'node:worker_threads';
import { readWebhook } from '../adapters/github/payloads/read-webhook.ts';
import { openDatabase } from '../adapters/sqlite/database.ts';
import { readSigningKey } from '../adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../adapters/sqlite/sqlite-ledger.ts';
import { takeFirstTurn } from '../adapters/sqlite/write-turns.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import {
  noticeOfTrouble,
  type ReceiverNotice,
  startReceiver,
} from '../entrypoints/server/webhook/receiver.ts';
import type { FromReceiver, ReceiverData } from './compose-receiver.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the beginning of a thread.');
const { databaseFile, actor, options, turns } = workerData as ReceiverData;
const send = (message: FromReceiver): void => port.postMessage(message);
const tell = (notice: ReceiverNotice): void => send({ kind: 'notice', notice });

try {
  const database = openDatabase(databaseFile);
  const signingKey = readSigningKey(databaseFile, database);
  const ledger = new SqliteLedger(database, systemClock, signingKey, takeFirstTurn(turns));
  const readDelivery = async (...given: Parameters<typeof readWebhook>) => readWebhook(...given);
  const server = await startReceiver({ ledger, actor, readDelivery }, options, tell);
  port.once('message', async () => {
    await server.close();
    database.close();
    port.close();
  });
  send({ kind: 'listening', url: server.url });
} catch (error) {
  send({ kind: 'failed', notice: noticeOfTrouble(error) });
}
