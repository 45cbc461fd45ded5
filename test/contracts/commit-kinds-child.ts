/** Appends an entry of each kind, and a checkpoint, and says on standard output before each what comes: DATABASE. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteCheckpoints } from '../../src/adapters/sqlite/sqlite-checkpoints.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';

const [file = ''] = process.argv.slice(2);
const database = openDatabase(file);
const ledger = new SqliteLedger(database, systemClock, readSigningKey(file, database));
const checkpoints = new SqliteCheckpoints(database, () => ledger.keepTexts());
const common = { subject: 'local/reports:export-csv', run: 'R', actor: 'alice' };
const ended: NewEntry = {
  ...common,
  kind: 'run-ended',
  data: { reason: { code: 'finished', message: '', owner: 'nobody', resume: '' }, result: null },
};
const begun: NewEntry = { ...common, kind: 'node-begun', data: { node: 'load', step: 1 } };
const checkpoint = { v: 4, id: 'C', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} };
const thread = { configurable: { thread_id: 'R', checkpoint_ns: '' } };

// The saver makes its tables when it is first asked.
await checkpoints.getTuple(thread);

const acts: readonly (readonly [name: string, act: () => Promise<unknown>])[] = [
  ['may wait', () => ledger.append([begun])],
  ['waits', () => ledger.append([ended])],
  ['one of two waits', () => ledger.append([begun, ended])],
  ['checkpoint', () => checkpoints.put(thread, checkpoint, { source: 'loop', step: 1, parents: {} })],
  [
    'writes',
    () =>
      checkpoints.putWrites(
        { configurable: { ...thread.configurable, checkpoint_id: 'C' } },
        [['run', 1]],
        'T',
      ),
  ],
  ['waits after what did not', () => ledger.append([ended])],
  ['deferred', async () => ledger.defer(ended, { subject: common.subject, token: 1 })],
  ['with what was deferred', () => ledger.append([begun])],
];
for (const [name, act] of acts) {
  writeSync(1, `>${name}\n`);
  await act();
}
writeSync(1, '>end\n');
database.close();
