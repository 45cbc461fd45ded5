/** Appends entries to one chain from a process of its own: DATABASE SUBJECT WRITER COUNT. */
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startTogether } from './start-together.ts';

const [file = '', subject = '', writer = '', count = ''] = process.argv.slice(2);
await startTogether();
const database = openDatabase(file);
const ledger = new SqliteLedger(database, systemClock, readSigningKey(file, database));
const sequence: number[] = [];
for (let step = 1; step <= Number(count); step += 1) {
  const [entry] = await ledger.append([
    { subject, kind: 'node-begun', run: writer, actor: writer, data: { node: 'load', step } },
  ]);
  sequence.push(entry?.seq ?? 0);
  // SQLite is not fair: without a pause, whoever has the lock gets it again and again.
  await wait(1);
}
database.close();
process.stdout.write(JSON.stringify(sequence));
