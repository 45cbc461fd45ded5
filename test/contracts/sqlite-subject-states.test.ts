/** What a chain comes to is kept beside it, and the chain is what counts: whatever is done to the row, and whenever it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, signText } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { foldChain } from '../../src/domain/ledger/subject-state.ts';
import { nodeBegun } from './ledger.contract.ts';
import { childEnvironment } from './run-children.ts';
import { SqliteWorld } from './sqlite-world.ts';

const [subject, other] = ['local/project#1', 'local/project#2'];
const data = { plan: sha256('plan'), comment: 1 };
const plan = (about: string): NewEntry => ({
  subject: about,
  run: 'r',
  actor: 'alice',
  kind: 'plan-proposed',
  data,
});

describe('what a chain comes to', () => {
  let world: SqliteWorld;
  beforeEach(async () => {
    world = new SqliteWorld();
    await world.ledger.putText('plan');
    await world.ledger.append([
      nodeBegun(1, { subject }),
      plan(subject),
      plan(other),
      nodeBegun(2, { subject: other }),
    ]);
  });
  afterEach(() => world.remove());

  const problems = async () => (await world.ledger.verify()).problems;
  const expectRight = async () => {
    for (const one of [subject, other])
      expect(await world.ledger.readState(one)).toEqual(foldChain(await world.ledger.readSubject(one)));
  };
  const change = (sql: string): void => {
    expect(world.raw.prepare(sql).run().changes).toBeGreaterThan(0);
  };

  it.each([
    [
      'another state',
      `UPDATE subject_states SET state = replace(state, '"openPlan":2', '"openPlan":null') WHERE subject = '${subject}'`,
    ],
    ['what is no state', `UPDATE subject_states SET state = '{' WHERE subject = '${subject}'`],
    [
      'the state of another subject',
      `UPDATE subject_states SET (state, seq, hash, signature) =
        (SELECT state, seq, hash, signature FROM subject_states WHERE subject = '${other}') WHERE subject = '${subject}'`,
    ],
    ['another signature', `UPDATE subject_states SET signature = 'x' WHERE subject = '${subject}'`],
    ['another place in the chain', `UPDATE subject_states SET seq = 1 WHERE subject = '${subject}'`],
    ['a place behind the end', `UPDATE subject_states SET seq = 9 WHERE subject = '${subject}'`],
  ])('is not fooled by %s, names it, and is made anew', async (_, sql) => {
    change(sql);
    await expectRight();
    expect(await problems()).toMatchObject([{ subject, problem: 'projection' }]);
    expect(await world.ledger.rebuildProjections()).toBe(1);
    expect(await problems()).toEqual([]);
    await expectRight();
    expect(await world.ledger.rebuildProjections()).toBe(0);
  });

  it('is used only for the very entry that it names, also when it is signed by us', async () => {
    const columns = 'subject, version, seq, hash, state';
    const row = world.raw
      .prepare(`SELECT ${columns} FROM subject_states WHERE subject = ?`)
      .get(subject) as Record<'subject' | 'version' | 'seq' | 'hash' | 'state', string>;
    const wrong = row.state.replace('"openPlan":2', '"openPlan":null');
    const sign = (hash: string, state = wrong): void => {
      const text = ['subject-state', subject, row.version, row.seq, hash, state].join('\n');
      world.raw
        .prepare('UPDATE subject_states SET state = ?, hash = ?, signature = ? WHERE subject = ?')
        .run(state, hash, signText(world.signingKey, text), subject);
    };
    const explanation = 'what is kept about the subject up to here is not what its entries come to';
    const problem = { subject, seq: row.seq, kind: '', problem: 'projection', explanation };
    sign('f'.repeat(64));
    await expectRight();
    expect(await problems()).toEqual([problem]);
    // The right state under the hash of another entry is not used either, and is named.
    sign('e'.repeat(64), row.state);
    await expectRight();
    expect(await problems()).toEqual([problem]);
    // What we signed for that entry is believed, and verifying finds it out.
    sign(row.hash);
    expect((await world.ledger.readState(subject)).openPlan).toBeNull();
    expect(await problems()).toEqual([problem]);
  });

  it('is right again with the next entry', async () => {
    change(`UPDATE subject_states SET state = replace(state, '"openPlan":2', '"openPlan":null')`);
    expect(await problems()).toMatchObject([{ subject }]);
    await world.ledger.append([nodeBegun(3, { subject })]);
    expect((await world.ledger.readState(subject)).openPlan).toBe(2);
    expect(await problems()).toEqual([]);
  });

  it('is made anew by a version that folds otherwise, and by one that finds none', async () => {
    for (const sql of [
      'UPDATE subject_states SET version = 0, state = \'{"old":true}\'',
      'DELETE FROM subject_states',
    ]) {
      change(sql);
      expect(await problems()).toEqual([]);
      await expectRight();
      await world.ledger.append([nodeBegun(3, { subject })]);
      await expectRight();
      expect(world.raw.prepare('SELECT subject FROM subject_states WHERE version > 0').pluck().all()).toEqual(
        [subject],
      );
      expect(await world.ledger.rebuildProjections()).toBe(0);
      expect(world.raw.prepare('SELECT count(*) FROM subject_states WHERE version > 0').pluck().get()).toBe(
        2,
      );
    }
  });

  it('goes on from an older row of ours, as a process leaves it that knows nothing of it', async () => {
    const kept = world.raw.prepare('SELECT * FROM subject_states WHERE subject = ?').get(subject) as object;
    await world.ledger.append([{ ...plan(subject), kind: 'plan-approved', data: { ...data, by: 'bob' } }]);
    world.raw.prepare('DELETE FROM subject_states WHERE subject = ?').run(subject);
    world.raw
      .prepare('INSERT INTO subject_states VALUES (@subject, @version, @seq, @hash, @state, @signature)')
      .run(kept);
    expect((await world.ledger.readState(subject)).openPlan).toBeNull();
    expect(await problems()).toEqual([]);
  });

  it('is folded from a chain of several pages, to its last entry', async () => {
    const many = Array.from({ length: 2_100 }, (_, index) => nodeBegun(index + 10, { subject: other }));
    await world.ledger.append([
      ...many,
      { ...plan(other), kind: 'plan-approved', data: { ...data, by: 'bob' } },
    ]);
    change(`DELETE FROM subject_states WHERE subject = '${other}'`);
    expect((await world.ledger.readState(other)).openPlan).toBeNull();
    await expectRight();
  });

  it('is not kept of a subject that has no entries', async () => {
    change(`UPDATE subject_states SET subject = 'local/project#3' WHERE subject = '${subject}'`);
    await expectRight();
    expect(await problems()).toMatchObject([{ subject: 'local/project#3', problem: 'projection' }]);
    expect(await world.ledger.rebuildProjections()).toBe(1);
    expect(await problems()).toEqual([]);
  });
});

describe.skipIf(process.env.GATEWRIGHT_MUTATE_TESTS !== undefined)(
  'a process that is killed while it appends',
  () => {
    it('leaves chains and what they come to as of the same entry', async () => {
      const world = new SqliteWorld();
      const child = fileURLToPath(new URL('./append-history-child.ts', import.meta.url));
      try {
        for (let time = 0; time < 4; time += 1) {
          const writer = spawn(process.execPath, [child, world.file, String(time * 1_000)], {
            env: childEnvironment,
          });
          await once(writer.stdout, 'data');
          // It is at work by now, however busy the machine is.
          await expect.poll(async () => (await world.ledger.listSubjects()).length).toBeGreaterThan(time * 3);
          await new Promise((resolve) => setTimeout(resolve, 40 + time * 37));
          writer.kill('SIGKILL');
          await once(writer, 'close');
          const subjects = await world.ledger.listSubjects();
          expect(subjects.length).toBeGreaterThan(time * 3);
          const rows = world.raw.prepare('SELECT subject, seq, state FROM subject_states').all() as {
            readonly subject: string;
            readonly seq: number;
            readonly state: string;
          }[];
          expect(rows.map((row) => row.subject).sort()).toEqual([...subjects].sort());
          for (const row of rows) {
            const entries = await world.ledger.readSubject(row.subject);
            expect(row.seq).toBe(entries.length);
            expect(JSON.parse(row.state)).toEqual(foldChain(entries));
          }
          expect((await world.ledger.verify()).problems).toEqual([]);
        }
      } finally {
        world.remove();
      }
    });
  },
);
