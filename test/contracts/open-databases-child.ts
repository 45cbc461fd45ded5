/**
 * Opens new databases, one after the other, at moments that its twins use too: FOLDER COUNT. Appends an entry to each
 * and prints what went wrong.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startTogether } from './start-together.ts';

const [folder = '', count = ''] = process.argv.slice(2);
const begin = await startTogether();
const failures: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  await wait(Math.max(0, begin + index * 40 - Date.now()));
  const file = join(folder, String(index), 'gatewright.db');
  try {
    const database = openDatabase(file);
    await new SqliteLedger(database, systemClock, readSigningKey(file, database)).append([
      { subject: 'a/b:c', kind: 'node-begun', run: 'r', actor: 'a', data: { node: 'load', step: index } },
    ]);
    database.close();
  } catch (error) {
    failures.push(`database ${index}: ${String(error)}`);
  }
}
process.stdout.write(JSON.stringify(failures));
