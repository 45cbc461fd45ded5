/** Whoever changes the ledger behind our back is found out, and the report names the entry. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signText } from '../../src/domain/ledger/hash.ts';
import { type ChainProblem, type HashedFields, hashEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { expectCode } from './expect-code.ts';
import { nodeBegun } from './ledger.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

type Row = HashedFields & { readonly id: number; readonly hash: string };

const subject = 'local/project:export';
const bystander = 'local/project:import';
const length = 30;

describe('SqliteLedger notices tampering', () => {
  let world: SqliteWorld;
  /** The head as it was, validly signed, ten entries before the end. */
  let olderHead: Record<string, unknown>;

  beforeEach(async () => {
    world = new SqliteWorld();
    for (let step = 1; step <= length; step += 1) {
      const run = `run-${step % 4}`;
      await world.ledger.append([
        step % 5 === 0
          ? { subject, kind: 'run-dropped', run, actor: 'bob', data: { why: `${step}` } }
          : nodeBegun(step, { subject, run, ...(step % 2 === 0 ? {} : { key: `key-${step}` }) }),
      ]);
      if (step === length - 10) olderHead = headOf(subject);
      if (step % 6 === 0) await world.ledger.append([nodeBegun(step, { subject: bystander })]);
      world.clock.advance(1000);
    }
  });
  afterEach(() => world.remove());

  const rows = (): Row[] =>
    world.raw.prepare('SELECT * FROM ledger WHERE subject = ? ORDER BY seq').all(subject) as Row[];
  const headOf = (one: string): Record<string, unknown> =>
    world.raw.prepare('SELECT * FROM ledger_heads WHERE subject = ?').get(one) as Record<string, unknown>;
  const rowAt = (seq: number): Row => {
    const row = rows().find((one) => one.seq === seq);
    if (row === undefined) throw new Error(`There is no entry ${seq}.`);
    return row;
  };
  const set = (id: number, column: string, value: unknown): void => {
    expect(world.raw.prepare(`UPDATE ledger SET ${column} = ? WHERE id = ?`).run(value, id).changes).toBe(1);
  };
  const remove = (where: string): void => {
    expect(
      world.raw.prepare(`DELETE FROM ledger WHERE subject = ? AND ${where}`).run(subject).changes,
    ).not.toBe(0);
  };
  const insert = (row: Omit<Row, 'id'>): void => {
    world.raw
      .prepare(
        `INSERT INTO ledger (subject, seq, at, kind, run, actor, key, data, previous, hash)
         VALUES (@subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)`,
      )
      .run(row);
  };
  const putHead = (head: Record<string, unknown>): void => {
    world.raw
      .prepare('INSERT OR REPLACE INTO ledger_heads VALUES (@subject, @seq, @hash, @signature)')
      .run({ ...head, subject });
  };
  /** An entry that fits the end of the chain, made by somebody who knows how but has no key. */
  const forge = (after: Row): Omit<Row, 'id'> => {
    const fields = { ...after, seq: after.seq + 1, key: null, previous: after.hash };
    const { id: _, hash: __, ...hashed } = fields;
    return { ...hashed, hash: hashEntry(hashed) };
  };

  /** The problems found, which have to be the same whether one chain or all are verified, and never the bystander's. */
  const findProblems = async (): Promise<readonly ChainProblem[]> => {
    const all = (await world.ledger.verify()).problems;
    expect((await world.ledger.verify(subject)).problems).toEqual(
      all.filter((one) => one.subject === subject),
    );
    expect((await world.ledger.verify(bystander)).problems).toEqual([]);
    for (const problem of all) expect(problem.explanation).not.toBe('');
    return all;
  };
  const expectProblem = async (expected: Partial<ChainProblem>): Promise<void> => {
    expect(await findProblems()).toContainEqual(expect.objectContaining({ subject, ...expected }));
  };

  it('finds nothing when there is nothing', async () => {
    expect(await world.ledger.verify()).toEqual({ subjects: 2, entries: length + 5, problems: [] });
  });

  const changes: readonly [column: keyof Row, change: (row: Row) => unknown][] = [
    ['at', () => '2020-01-01T00:00:00.000Z'],
    ['kind', () => 'verdict'],
    ['run', (row) => `${row.run} `],
    ['actor', () => 'mallory'],
    ['key', (row) => (row.key === null ? 'forged' : null)],
    // The same value, written otherwise: what is stored is what counts.
    ['data', (row) => `${row.data} `],
    ['data', () => '{}'],
    ['data', (row) => Buffer.from(row.data)],
    ['previous', () => 'f'.repeat(64)],
    ['hash', () => 'f'.repeat(64)],
    ['hash', (row) => hashEntry({ ...row, actor: 'mallory' })],
  ];
  it.each(changes)('in the column "%s" of whichever entry', async (column, change) => {
    for (const row of rows()) {
      set(row.id, column, change(row));
      await expectProblem({
        seq: row.seq,
        kind: column === 'kind' ? 'verdict' : row.kind,
        problem: 'changed',
      });
      set(row.id, column, row[column]);
    }
    expect(await findProblems()).toEqual([]);
  });

  it('when whichever entry is moved to another place of the chain', async () => {
    for (const row of rows()) {
      set(row.id, 'seq', 1000);
      await expectProblem({ seq: row.seq, kind: '', problem: 'removed' });
      await expectProblem({ seq: 1000, kind: row.kind, problem: 'changed' });
      set(row.id, 'seq', row.seq);
    }
  });

  it('when whichever entry is moved to another subject', async () => {
    for (const row of rows()) {
      set(row.id, 'subject', 'local/project:stolen');
      await expectProblem({ seq: row.seq, kind: '', problem: 'removed' });
      await expectProblem({
        subject: 'local/project:stolen',
        seq: row.seq,
        kind: row.kind,
        problem: 'changed',
      });
      set(row.id, 'subject', row.subject);
    }
  });

  it('when an entry is made to look newer than the one after it', async () => {
    // Lists are read in the order of `id`. The last one has nobody after it to overtake.
    for (const row of rows().slice(0, -1)) {
      set(row.id, 'id', 10_000);
      await expectProblem({ seq: row.seq + 1, kind: rowAt(row.seq + 1).kind, problem: 'reordered' });
      set(10_000, 'id', row.id);
    }
  });

  it('when whichever single entry is deleted', async () => {
    for (const row of rows()) {
      remove(`seq = ${row.seq}`);
      await expectProblem({ seq: row.seq, kind: '', problem: 'removed' });
      world.raw
        .prepare(
          'INSERT INTO ledger VALUES (@id, @subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)',
        )
        .run(row);
    }
    expect(await findProblems()).toEqual([]);
  });

  it.each([
    ['the first three', 'seq <= 3', 1],
    ['some in the middle', 'seq BETWEEN 10 AND 14', 10],
    ['the last ten', 'seq > 20', 21],
    ['all', '1', 1],
  ])('when several entries are deleted: %s', async (_, where, seq) => {
    remove(where);
    await expectProblem({ seq, kind: '', problem: 'removed' });
  });

  it('when an entry is deleted and the ones after it close ranks', async () => {
    remove('seq = 10');
    for (const row of rows().filter((one) => one.seq > 10)) set(row.id, 'seq', row.seq - 1);
    await expectProblem({ seq: 10, kind: rowAt(10).kind, problem: 'changed' });
  });

  it('when two entries swap their content', async () => {
    const [a, b] = [rowAt(7), rowAt(23)];
    world.raw.prepare('UPDATE ledger SET key = NULL WHERE id IN (?, ?)').run(a.id, b.id);
    for (const column of ['at', 'kind', 'run', 'actor', 'key', 'data', 'previous', 'hash'] as const) {
      set(a.id, column, b[column]);
      set(b.id, column, a[column]);
    }
    await expectProblem({ seq: 7, kind: b.kind, problem: 'changed' });
    await expectProblem({ seq: 23, kind: a.kind, problem: 'changed' });
  });

  it('when two entries swap their places', async () => {
    const [a, b] = [rowAt(7), rowAt(25)];
    set(a.id, 'seq', -1);
    set(b.id, 'seq', 7);
    set(a.id, 'seq', 25);
    await expectProblem({ seq: 7, kind: b.kind, problem: 'changed' });
    await expectProblem({ seq: 25, kind: a.kind, problem: 'changed' });
  });

  it('when a well-made entry is put at the end', async () => {
    insert(forge(rowAt(length)));
    await expectProblem({ seq: length + 1, kind: rowAt(length).kind, problem: 'head' });
  });

  it.each([
    ['the old signature', (old: string) => old],
    ['a signature made with another key', (_: string, text: string) => signText('guessed', text)],
    ['no signature', () => ''],
  ])('when a well-made entry is put at the end, with a head of its own and %s', async (_, sign) => {
    const entry = forge(rowAt(length));
    insert(entry);
    const text = `ledger-head\n${subject}\n${entry.seq}\n${entry.hash}`;
    putHead({ seq: entry.seq, hash: entry.hash, signature: sign(String(headOf(subject).signature), text) });
    await expectProblem({ seq: length + 1, kind: entry.kind, problem: 'head' });
  });

  it('when whichever entry is changed together with its own hash', async () => {
    for (const row of rows()) {
      const { id, hash: _, ...fields } = { ...row, actor: 'mallory' };
      set(id, 'actor', fields.actor);
      set(id, 'hash', hashEntry(fields));
      // It is sound by itself; what gives it away is the next one, or the head, that still knows the old hash.
      const next = rows().find((one) => one.seq === row.seq + 1);
      await expectProblem(
        next === undefined
          ? { seq: row.seq, kind: row.kind, problem: 'head' }
          : { seq: next.seq, kind: next.kind, problem: 'reordered' },
      );
      set(id, 'actor', row.actor);
      set(id, 'hash', row.hash);
    }
    expect(await findProblems()).toEqual([]);
  });

  it('when an entry is changed and everything after it is computed anew', async () => {
    let previous = rowAt(11).hash;
    for (const row of rows().filter((one) => one.seq > 11)) {
      const { id, hash: _, ...fields } = { ...row, previous, actor: row.seq === 12 ? 'mallory' : row.actor };
      previous = hashEntry(fields);
      world.raw
        .prepare('UPDATE ledger SET actor = ?, previous = ?, hash = ? WHERE id = ?')
        .run(fields.actor, fields.previous, previous, id);
    }
    putHead({ ...headOf(subject), hash: previous });
    expect(await findProblems()).toEqual([
      expect.objectContaining({ subject, seq: length, kind: rowAt(length).kind, problem: 'head' }),
    ]);
  });

  it('when the head is gone', async () => {
    world.raw.prepare('DELETE FROM ledger_heads WHERE subject = ?').run(subject);
    await expectProblem({ seq: length, kind: rowAt(length).kind, problem: 'head' });
  });

  it('when the head is an older one', async () => {
    putHead(olderHead);
    await expectProblem({ seq: length, kind: rowAt(length).kind, problem: 'head' });
  });

  it('when the head is that of another chain', async () => {
    putHead(headOf(bystander));
    await expectProblem({ seq: length, kind: rowAt(length).kind, problem: 'head' });
  });

  it.each([
    ['seq', length - 1],
    ['hash', 'f'.repeat(64)],
    ['signature', 'f'.repeat(64)],
  ])('when the "%s" of the head is changed', async (column, value) => {
    putHead({ ...headOf(subject), [column]: value });
    await expectProblem({ seq: length, kind: rowAt(length).kind, problem: 'head' });
  });

  it('when a kept text is changed', async () => {
    const hash = await world.ledger.putText('What was asked.');
    await world.ledger.append([nodeBegun(1, { subject })]);
    const update = world.raw.prepare('UPDATE texts SET text = ? WHERE hash = ?');
    expect(update.run('What was not.', hash).changes).toBe(1);
    await expectCode(world.ledger.getText(hash), 'ledger-broken');
  });

  it('when a kept text that an entry names is gone', async () => {
    const answer = await world.ledger.putText('"An answer."');
    const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0, turns: 1 };
    const names = { role: 'drafter', model: 'test:m', reportedModel: 'm' };
    await world.ledger.append([
      {
        ...{ subject, kind: 'model-answered', run: 'run-1', actor: 'bob' },
        data: { ...names, answer, usage, milliseconds: 1 },
      },
    ]);
    expect(await findProblems()).toEqual([]);
    expect(world.raw.prepare('DELETE FROM texts WHERE hash = ?').run(answer).changes).toBe(1);
    await expectProblem({ seq: length + 1, kind: 'model-answered', problem: 'removed' });
    expect(await findProblems()).toHaveLength(1);
  });

  /** Something that adds nothing must leave nothing behind either. */
  const expectNothingIsAdded = async (): Promise<void> => {
    const before = [rows(), headOf(subject)];
    await expectCode(world.ledger.append([nodeBegun(99, { subject })]), 'ledger-broken');
    expect([rows(), headOf(subject)]).toEqual(before);
    // The chains of others are not touched by it.
    await world.ledger.append([nodeBegun(99, { subject: bystander })]);
  };

  it.each<[string, () => void]>([
    ['signature is forged', () => putHead({ ...headOf(subject), signature: 'f'.repeat(64) })],
    ['signature is of another key', () => putHead({ ...headOf(subject), ...signedBy('x'.repeat(64)) })],
    ['hash is another', () => putHead({ ...headOf(subject), hash: 'f'.repeat(64) })],
    ['number is larger', () => putHead({ ...headOf(subject), seq: length + 1 })],
    ['number is smaller', () => putHead({ ...headOf(subject), seq: length - 1 })],
    ['row is an older one, validly signed', () => putHead(olderHead)],
    ['row is that of another chain', () => putHead(headOf(bystander))],
    ['row is gone', () => world.raw.prepare('DELETE FROM ledger_heads WHERE subject = ?').run(subject)],
    ['entry was changed', () => set(rowAt(length).id, 'actor', 'mallory')],
    ['entry was cut off', () => remove(`seq = ${length}`)],
    ['chain was cut off whole', () => remove('seq > 0')],
    [
      'entry is a forged one, with a forged head',
      () => {
        const forged = forge(rowAt(length));
        insert(forged);
        putHead({ ...headOf(subject), seq: forged.seq, hash: forged.hash });
      },
    ],
    ['entry is a forged one, without a head', () => insert(forge(rowAt(length)))],
  ])('and adds nothing to a chain at whose end the %s', async (_, tamper) => {
    tamper();
    await expectNothingIsAdded();
  });

  const signedBy = (key: string): { signature: string } => {
    const { seq, hash } = headOf(subject);
    return { signature: signText(key, `ledger-head\n${subject}\n${seq}\n${hash}`) };
  };

  it('and says so, in its own words, when what it reads is no longer an entry', async () => {
    set(rowAt(3).id, 'data', 'not JSON');
    await expectCode(world.ledger.find('node-begun', 'key-3'), 'ledger-broken');
    await expectCode(world.ledger.readSubject(subject), 'ledger-broken');
    await expectCode(world.ledger.readRun(rowAt(3).run), 'ledger-broken');
  });
});
