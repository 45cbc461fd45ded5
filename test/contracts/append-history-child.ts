/** Appends histories to several chains from a process of its own, until it is killed: DATABASE SEED. */
import fc from 'fast-check';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { historyOf, textOfHistory } from '../support/generate-history.ts';

const [file = '', seed = ''] = process.argv.slice(2);
const database = openDatabase(file);
const ledger = new SqliteLedger(database, systemClock, readSigningKey(file, database));
await ledger.putText(textOfHistory);
process.stdout.write('ready');
for (let round = 0; ; round += 1) {
  const subjects = ['a', 'b', 'c'].map((name) => `local/project:${name}-${seed}-${round}`);
  const histories = fc.sample(fc.tuple(...subjects.map((subject) => historyOf(subject, 30))), {
    numRuns: 1,
    seed: Number(seed) + round,
  });
  const entries = histories.flat(2);
  for (let at = 0; at < entries.length; at += 3) await ledger.append(entries.slice(at, at + 3));
}
