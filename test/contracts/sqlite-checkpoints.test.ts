/** Checkpoints in the database of the ledger pass the contract of checkpoints. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteCheckpoints } from '../../src/adapters/sqlite/sqlite-checkpoints.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { describeCheckpoints } from './checkpoints.contract.ts';

describeCheckpoints('SqliteCheckpoints', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-checkpoints-'));
  const databases: ReturnType<typeof openDatabase>[] = [];
  return {
    async next() {
      const database = openDatabase(join(folder, 'test.db'));
      databases.push(database);
      const ledger = new SqliteLedger(database, systemClock, 'key');
      return {
        saver: new SqliteCheckpoints(database, () => ledger.keepTexts()),
        putText: (text) => ledger.putText(text),
        getText: (hash) => ledger.getText(hash),
      };
    },
    async close() {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
