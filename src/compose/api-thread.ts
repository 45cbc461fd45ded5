/** The thread of the API: connections to the database of its own, so that neither side waits for the other. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { LocalClosedIssues } from '../adapters/local-forge/local-closed-issues.ts';
import { openDatabase } from '../adapters/sqlite/database.ts';
import { PageFiles } from '../entrypoints/server/api/pages/page-files.ts';
import { startApi } from '../entrypoints/server/api/start-api.ts';
import { noticeOfTrouble } from '../entrypoints/server/webhook/receiver.ts';
import type { ApiData, FromApi, ToApi } from './compose-api.ts';
import { composeHouse } from './compose-house.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the beginning of a thread.');
const { config, packageRoot, version, repository, listening } = workerData as ApiData;
const send = (message: FromApi): void => port.postMessage(message);

/** A look at a ledger on a git ref starts git. */
const lookEvery = { local: 200, ref: 2_000 } as const;

try {
  const place = { repository, forge: null, name: null };
  const person = await composeHouse(config, packageRoot, place);
  const fleet = await composeHouse(config, packageRoot, { ...place, asAgent: true });
  const server = await startApi(
    {
      ...{ person, fleet, version },
      // A checkout has them where the build puts them too.
      pages: new PageFiles(join(packageRoot, 'dist', 'web')),
      repositoryName: fleet.repositoryName,
      ledger: fleet.ledger,
      views: fleet.views,
      leases: fleet.leases,
      clock: fleet.clock,
      closed: new LocalClosedIssues(openDatabase(config.databaseFile)),
      agentModels: fleet.agentModels,
      onAnswered: (run) => send({ kind: 'answered', run }),
      onTrouble: (error) => send({ kind: 'trouble', notice: noticeOfTrouble(error) }),
    },
    { ...listening, signingKey: fleet.signingKey, pollMilliseconds: lookEvery[config.ledger] },
  );
  port.on('message', async (_: ToApi) => {
    await server.close();
    port.close();
  });
  const { url, hasPages } = server;
  send({ kind: 'listening', url, port: server.port, hasPages });
} catch (error) {
  send({ kind: 'failed', notice: noticeOfTrouble(error) });
}
