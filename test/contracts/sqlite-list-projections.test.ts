/** The lists beside the ledger are what the ledger says: named and made anew where they are not, and made from older databases. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { historyOf, textOfHistory } from '../support/generate-history.ts';
import { SqliteWorld } from './sqlite-world.ts';

const subjects = ['local/project#7', 'local/project#8'];

describe('the lists beside a ledger', () => {
  let world: SqliteWorld;
  beforeEach(async () => {
    world = new SqliteWorld();
    await world.ledger.putText(textOfHistory);
    const plan = { subject: subjects[0] ?? '', run: 'r', actor: 'a', kind: 'plan-proposed' } as const;
    const [histories = []] = fc.sample(fc.tuple(...subjects.map((subject) => historyOf(subject, 60))), {
      numRuns: 1,
      seed: 9,
    });
    for (const entry of histories.flat()) await world.ledger.append([entry]);
    const data = { plan: (await world.ledger.putText(textOfHistory)) ?? '', comment: 1 };
    await world.ledger.append([{ ...plan, data }]);
  });
  afterEach(() => world.remove());

  const problems = async () => (await world.ledger.verify()).problems;

  it.each([
    ['runs', 'DELETE FROM runs WHERE run = (SELECT min(run) FROM runs)'],
    [
      'runs',
      `UPDATE runs SET state = 'done' WHERE run = (SELECT run FROM runs WHERE state = 'open' LIMIT 1)`,
    ],
    ['runs', 'UPDATE runs SET cost = coalesce(cost, 0) + 1 WHERE run = (SELECT max(run) FROM runs)'],
    ['runs', `UPDATE runs SET run = 'R-else' WHERE run = (SELECT max(run) FROM runs)`],
    ['waiting', 'DELETE FROM waiting'],
    ['waiting', `UPDATE waiting SET what = 'fix'`],
  ])('name a difference in %s, and are made anew: %s', async (table, sql) => {
    expect(await problems()).toEqual([]);
    const rows = (): unknown[] => world.raw.prepare(`SELECT * FROM ${table}`).all();
    const before = rows();
    expect(before.length).toBeGreaterThan(0);
    expect(world.raw.prepare(sql).run().changes).toBeGreaterThan(0);
    const found = await problems();
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one).toMatchObject({ problem: 'projection' });
    expect(await world.ledger.rebuildProjections()).toBe(found.length);
    expect(rows()).toEqual(before);
    expect(await problems()).toEqual([]);
  });

  it('are made from the entries of a database that is older than they are', async () => {
    const views = new SqliteRunViews(world.database);
    const seen = async (of: SqliteRunViews) => [
      await of.listRuns(),
      await of.listWaiting(),
      await of.costSince(''),
    ];
    const before = await seen(views);
    world.raw.exec(
      'DROP TABLE runs; DROP TABLE waiting; DROP TABLE subject_states; DROP TABLE forge_bases; DROP INDEX ledger_work; DROP INDEX ledger_told; DROP INDEX ledger_refusals',
    );
    world.raw.pragma('user_version = 11');
    const database = openDatabase(world.file);
    try {
      expect(await seen(new SqliteRunViews(database))).toEqual(before);
      const ledger = new SqliteLedger(database, world.clock, world.signingKey);
      expect((await ledger.verify()).problems).toEqual([]);
      expect(await ledger.rebuildProjections()).toBe(0);
    } finally {
      database.close();
    }
  });
});
