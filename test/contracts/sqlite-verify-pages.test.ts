/** A ledger is verified a page at a time; where a page ends makes no difference to what is found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../src/adapters/sqlite/verify-ledger.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { nodeBegun } from './ledger.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

const [first, second, third] = ['local/project#1', 'local/project#2', 'local/project#3'];
const pageLength = 10;
const textOf = (number: number): string => `event ${number}`;

function received(number: number): NewEntry {
  const data = { kind: 'comment-created', actor: 'bob', event: sha256(textOf(number)) } as const;
  return { subject: second, run: '', actor: 'alice', kind: 'event-received', key: `d-${number}`, data };
}

describe('a ledger of more than a page', () => {
  let world: SqliteWorld;
  beforeAll(async () => {
    world = new SqliteWorld();
    const steps = (subject: string, count: number): NewEntry[] =>
      Array.from({ length: count }, (_, step) => nodeBegun(step, { subject }));
    await world.ledger.append(steps(first, 10));
    for (let number = 0; number < 21; number += 1) await world.ledger.putText(textOf(number));
    await world.ledger.append(Array.from({ length: 21 }, (_, number) => received(number)));
    await world.ledger.append(steps(third, 3));
  });
  afterAll(() => world.remove());

  const report = (subject?: string) => verifyLedger(world.raw, world.signingKey, subject, pageLength);

  /** What is found while something is different; it is put back afterwards. */
  async function whileChanged(sql: string, ...values: (string | number)[]) {
    const { raw } = world;
    raw.exec('BEGIN');
    try {
      expect(raw.prepare(sql).run(...values).changes).toBeGreaterThan(0);
      const all = report().problems;
      // Asked about one chain or about all, the same is wrong with it.
      for (const subject of [first, second, third])
        expect(report(subject).problems).toEqual(all.filter((one) => one.subject === subject));
      return all.map(({ subject, seq, problem }) => [subject, seq, problem]);
    } finally {
      raw.exec('ROLLBACK');
    }
  }

  it('is sound, and counted whole', () => {
    expect(report()).toEqual({ subjects: 3, entries: 34, problems: [] });
    expect(report(first)).toEqual({ subjects: 1, entries: 10, problems: [] });
    expect(report(second)).toEqual({ subjects: 1, entries: 21, problems: [] });
    expect(report('local/project#4')).toEqual({ subjects: 1, entries: 0, problems: [] });
  });

  it('is found the same in pages of any length', async () => {
    const all = await world.ledger.verify();
    for (const length of [1, 2, 11, 33, 34, 35, 1_000])
      expect(verifyLedger(world.raw, world.signingKey, undefined, length), `${length}`).toEqual(all);
  });

  it.each([1, 9, 10, 11, 20])('is not sound with another entry %i', async (seq) => {
    const sql = `UPDATE ledger SET actor = 'mallory' WHERE subject = ? AND seq = ?`;
    expect(await whileChanged(sql, second, seq)).toEqual([[second, seq, 'changed']]);
  });

  it.each([1, 10, 11])('is not sound without entry %i', async (seq) => {
    const sql = 'DELETE FROM ledger WHERE subject = ? AND seq = ?';
    expect(await whileChanged(sql, second, seq)).toEqual([[second, seq, 'removed']]);
  });

  it('is not sound with an entry before the first', async () => {
    const sql = `INSERT INTO ledger (subject, seq, at, kind, run, actor, key, data, previous, hash)
      SELECT subject, -7, at, kind, run, actor, NULL, data, previous, hash FROM ledger WHERE subject = ? AND seq = 1`;
    expect((await whileChanged(sql, third)).map(([subject]) => subject)).toContain(third);
  });

  it('is not sound with a chain of which only the end is left', async () => {
    const sql = 'DELETE FROM ledger WHERE subject = ?';
    expect(await whileChanged(sql, third)).toEqual([[third, 1, 'removed']]);
  });

  it.each([0, 9, 10, 20])('is not sound with another text %i, or without it', async (number) => {
    const hash = sha256(textOf(number));
    const changed = `UPDATE texts SET text = 'else' WHERE hash = ?`;
    expect(await whileChanged(changed, hash)).toEqual([[second, number + 1, 'changed']]);
    const removed = 'DELETE FROM texts WHERE hash = ?';
    expect(await whileChanged(removed, hash)).toEqual([[second, number + 1, 'removed']]);
  });

  const openEvents = (): unknown[] => world.raw.prepare('SELECT * FROM open_events ORDER BY id').all();
  const leftOut = 'the list of open events leaves it out';
  const notOpen = 'the list of open events has it, and it is not open';
  it.each<[string, string, (readonly [string, string])[]]>([
    ['leaves one out', 'DELETE FROM open_events WHERE delivery = ?', [[second, leftOut]]],
    [
      'has one as something else',
      `UPDATE open_events SET subject = 'local/project#1' WHERE delivery = ?`,
      [
        [first, notOpen],
        [second, leftOut],
      ],
    ],
  ])('says when the list of open events %s, and makes it anew', async (_, sql, wrong) => {
    const before = openEvents();
    expect(before).toHaveLength(21);
    world.raw.prepare(sql).run('d-10');
    const { problems } = await world.ledger.verify();
    expect(problems).toEqual(
      expect.arrayContaining(
        wrong.map(([subject, explanation]) => ({
          ...{ subject, seq: 11, kind: 'event-received', problem: 'projection' },
          explanation,
        })),
      ),
    );
    expect(problems).toHaveLength(wrong.length);
    for (const subject of [first, second, third])
      expect(report(subject).problems).toEqual(problems.filter((one) => one.subject === subject));
    expect(await world.ledger.rebuildProjections()).toBe(problems.length);
    expect(openEvents()).toEqual(before);
    expect((await world.ledger.verify()).problems).toEqual([]);
    expect(await world.ledger.rebuildProjections()).toBe(0);
  });

  it('says when the list has an event of which there is no entry', () => {
    world.raw.exec('BEGIN');
    try {
      const sql = `INSERT INTO open_events (delivery, id, subject, event, received_at) VALUES ('d', 9999, ?, '', '')`;
      world.raw.prepare(sql).run(first);
      const problem = { subject: first, seq: 0, kind: '', problem: 'projection', explanation: notOpen };
      expect(report().problems).toEqual([problem]);
    } finally {
      world.raw.exec('ROLLBACK');
    }
  });

  it('lists an event no longer once it is settled, and nothing else changes the list', async () => {
    const before = openEvents();
    await world.ledger.append([nodeBegun(1, { subject: second, key: 'd-3' })]);
    expect(openEvents()).toEqual(before);
    const settled = { kind: 'event-settled', key: 'd-3', data: { runs: [] } } as const;
    await world.ledger.append([{ subject: second, run: '', actor: 'alice', ...settled }]);
    expect(openEvents()).toEqual(before.toSpliced(3, 1));
    expect((await world.ledger.verify()).problems).toEqual([]);
  });
});
