/** The order of checkpoints is the order in which they were written, whatever a clock says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../system/system-clock.ts';
import { openDatabase, type SqliteDatabase } from './database.ts';
import { SqliteCheckpoints } from './sqlite-checkpoints.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

let folder: string;
let database: SqliteDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-checkpoints-'));
  database = openDatabase(join(folder, 'test.db'));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const thread = (thread_id: string) => ({ configurable: { thread_id, checkpoint_ns: '' } });

async function put(saver: SqliteCheckpoints, run: string, id: string, step: number, parent?: string) {
  await saver.put(
    {
      configurable: {
        ...thread(run).configurable,
        ...(parent === undefined ? {} : { checkpoint_id: parent }),
      },
    },
    { v: 4, id, ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} },
    { source: 'loop', step, parents: {} },
  );
}

const noTexts = (): void => undefined;

describe('the newest checkpoint', () => {
  it('is the one that was written last, though its id is smaller', async () => {
    const saver = new SqliteCheckpoints(database, noTexts);
    // As LangGraph makes them: the time comes first.
    const later = '1f0c3a5e-8f00-6000-8001-000000000000';
    const earlier = '1f0c2a5e-8f00-6000-8002-000000000000';
    expect(earlier < later).toBe(true);
    await put(saver, 'R', later, 1);
    await put(saver, 'R', earlier, 2, later);
    await put(saver, 'S', '1f0d0000-0000-6000-8003-000000000000', 9);
    const newest = await saver.getTuple(thread('R'));
    expect(newest?.checkpoint.id).toBe(earlier);
    expect(newest?.metadata?.step).toBe(2);
    expect(newest?.config.configurable?.checkpoint_id).toBe(earlier);
    expect(newest?.parentConfig?.configurable?.checkpoint_id).toBe(later);
    expect(await saver.getTuple(thread('T'))).toBeUndefined();
  });

  it('in any order of ids, over several processes, and after others were removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 12 }),
        fc.uuid(),
        async (ids, run) => {
          for (const [step, id] of ids.entries()) {
            // Each checkpoint by another process, with another run in between.
            const saver = new SqliteCheckpoints(database, noTexts);
            await put(saver, `${run}-other`, id, step);
            await put(saver, run, id, step);
            if (step % 3 === 2) await saver.deleteThread(`${run}-other`);
            expect((await saver.getTuple(thread(run)))?.checkpoint.id).toBe(id);
          }
          database.exec('VACUUM');
          expect((await new SqliteCheckpoints(database, noTexts).getTuple(thread(run)))?.checkpoint.id).toBe(
            ids.at(-1),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('a named checkpoint is still that one', async () => {
    const saver = new SqliteCheckpoints(database, noTexts);
    const first = '1f0c0000-0000-6000-8001-000000000000';
    const second = '1f0d0000-0000-6000-8002-000000000000';
    await put(saver, 'R', first, 1);
    await put(saver, 'R', second, 2, first);
    const asked = { configurable: { ...thread('R').configurable, checkpoint_id: first } };
    expect((await saver.getTuple(asked))?.metadata?.step).toBe(1);
  });
});

it('comes with the texts that it names, though no entry of the ledger was written since', async () => {
  const ledger = new SqliteLedger(database, systemClock, 'key');
  const saver = new SqliteCheckpoints(database, () => ledger.keepTexts());
  const inCheckpoint = await ledger.putText('A report.');
  await put(saver, 'R', inCheckpoint, 1);
  const inWrites = await ledger.putText('Another report.');
  await saver.putWrites(
    { configurable: { ...thread('R').configurable, checkpoint_id: inCheckpoint } },
    [['run', { report: inWrites }]],
    'task',
  );
  // As the next process finds them, when this one is killed now.
  const next = new SqliteLedger(openDatabase(database.name), systemClock, 'key');
  expect([await next.getText(inCheckpoint), await next.getText(inWrites)]).toEqual([
    'A report.',
    'Another report.',
  ]);
});
