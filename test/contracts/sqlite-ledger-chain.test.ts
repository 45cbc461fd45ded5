/** What the ledger says about a short chain, word for word: each thing that can be wrong with it, and nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, signText } from '../../src/domain/ledger/hash.ts';
import { type HashedFields, hashEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { nodeBegun } from './ledger.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

type Row = HashedFields & { readonly id: number; readonly hash: string };

const subject = 'local/project:chain';

describe('a chain of four entries', () => {
  let world: SqliteWorld;
  let answer = '';

  const answered = (prompt: string) => ({
    ...({ subject, kind: 'model-answered', run: 'run-1', actor: 'bob' } as const),
    data: {
      ...{ role: 'drafter', model: 'test:m', reportedModel: 'm', answer: prompt, milliseconds: 1 },
      usage: { inputTokens: 1, outputTokens: 1, costUsd: 0, turns: 1 },
    },
  });

  beforeEach(async () => {
    world = new SqliteWorld();
    answer = await world.ledger.putText('"An answer."');
    await world.ledger.append([
      nodeBegun(1, { subject, key: 'one' }),
      answered(answer),
      answered(answer),
      nodeBegun(4, { subject }),
    ]);
  });
  afterEach(() => world.remove());

  const run = (sql: string, ...values: unknown[]): void => {
    expect(world.raw.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  };
  const rowAt = (seq: number): Row => world.raw.prepare('SELECT * FROM ledger WHERE seq = ?').get(seq) as Row;
  const problems = async () => (await world.ledger.verify()).problems;
  const last = { subject, seq: 4, kind: 'node-begun' };

  it('is sound, and each entry says so by itself', async () => {
    expect(await world.ledger.verify()).toEqual({ subjects: 1, entries: 4, problems: [] });
    expect(await world.ledger.verify(subject)).toEqual({ subjects: 1, entries: 4, problems: [] });
    expect(await world.ledger.verify('local/project:none')).toEqual({
      subjects: 1,
      entries: 0,
      problems: [],
    });
  });

  it('with an entry that was changed', async () => {
    run(`UPDATE ledger SET actor = 'mallory' WHERE seq = 2`);
    expect(await problems()).toEqual([
      {
        ...{ subject, seq: 2, kind: 'model-answered', problem: 'changed' },
        explanation: 'its content no longer matches its hash',
      },
    ]);
  });

  it.each([
    ['seq = 2', 'the entry is missing', 2],
    ['seq IN (2, 3)', '2 entries are missing from here', 2],
    ['seq IN (1, 2, 3)', '3 entries are missing from here', 1],
  ])('without %s', async (where, explanation, seq) => {
    run(`DELETE FROM ledger WHERE ${where}`);
    expect(await problems()).toEqual([{ subject, seq, kind: '', problem: 'removed', explanation }]);
  });

  it('with an entry that follows another one than it says', async () => {
    const { id: _, hash: __, ...fields } = { ...rowAt(2), previous: 'f'.repeat(64) };
    run('UPDATE ledger SET previous = ?, hash = ? WHERE seq = 2', fields.previous, hashEntry(fields));
    const follows = { problem: 'reordered', explanation: 'it does not follow the entry before it' };
    expect(await problems()).toEqual([
      { subject, seq: 2, kind: 'model-answered', ...follows },
      { subject, seq: 3, kind: 'model-answered', ...follows },
    ]);
  });

  it('whose last entry is older than the one before it, by its place in the file', async () => {
    run('UPDATE ledger SET id = 0 WHERE seq = 4');
    expect(await problems()).toEqual([
      { ...last, problem: 'reordered', explanation: 'it does not follow the entry before it' },
    ]);
  });

  it.each([
    ['seq = 4', 'entries 4 to 4 were cut off the end', 4],
    ['seq > 2', 'entries 3 to 4 were cut off the end', 3],
    ['seq > 0', 'entries 1 to 4 were cut off the end', 1],
  ])('cut off at %s', async (where, explanation, seq) => {
    run(`DELETE FROM ledger WHERE ${where}`);
    expect(await problems()).toEqual([{ subject, seq, kind: '', problem: 'removed', explanation }]);
  });

  it('without its end', async () => {
    run('DELETE FROM ledger_heads');
    expect(await problems()).toEqual([
      { ...last, problem: 'head', explanation: 'the signed end of the chain is missing' },
    ]);
  });

  it.each([
    ['hash', 'f'.repeat(64)],
    ['seq', 3],
    ['signature', signText('guessed', 'x')],
    ['signature', ''],
  ])('with another %s at its end', async (column, value) => {
    run(`UPDATE ledger_heads SET ${column} = ?`, value);
    expect(await problems()).toEqual([
      { ...last, problem: 'head', explanation: 'the signed end of the chain does not match it' },
    ]);
  });

  it('with the end that it had before, validly signed', async () => {
    const before = world.raw.prepare('SELECT * FROM ledger_heads').get() as { seq: number };
    await world.ledger.append([nodeBegun(5, { subject })]);
    run(
      'UPDATE ledger_heads SET seq = @seq, hash = @hash, signature = @signature WHERE subject = @subject',
      before,
    );
    expect(await problems()).toEqual([
      { ...last, seq: 5, problem: 'head', explanation: 'the signed end of the chain does not match it' },
    ]);
    await expect(world.ledger.append([nodeBegun(6, { subject })])).rejects.toMatchObject({
      code: 'ledger-broken',
    });
  });

  it('whose text is another one now', async () => {
    run('UPDATE texts SET text = ? WHERE hash = ?', 'else', answer);
    const explanation = `the text kept under ${answer} is another one now`;
    const at = { subject, kind: 'model-answered', problem: 'changed', explanation };
    expect(await problems()).toEqual([
      { ...at, seq: 2 },
      { ...at, seq: 3 },
    ]);
  });

  it('whose text is gone', async () => {
    run('DELETE FROM texts WHERE hash = ?', answer);
    const explanation = `the text kept under ${answer} is gone`;
    const at = { subject, kind: 'model-answered', problem: 'removed', explanation };
    expect(await problems()).toEqual([
      { ...at, seq: 2 },
      { ...at, seq: 3 },
    ]);
  });

  it.each(['"An answer."', '"Another one."'])('whose text is no text but bytes: %s', async (bytes) => {
    run('UPDATE texts SET text = ? WHERE hash = ?', Buffer.from(bytes), answer);
    expect((await problems()).map(({ problem }) => problem)).toEqual(['removed', 'removed']);
    await expect(world.ledger.getText(answer)).rejects.toMatchObject({ code: 'ledger-broken' });
  });

  it('with an entry in a form that no version wrote', async () => {
    run(`UPDATE ledger SET data = 'null' WHERE seq = 2`);
    expect((await problems()).map(({ seq, problem }) => [seq, problem])).toEqual([[2, 'changed']]);
  });

  it('with an entry that is no JSON any more', async () => {
    run(`UPDATE ledger SET data = 'no JSON' WHERE seq = 2`);
    expect((await problems()).map(({ seq, problem }) => [seq, problem])).toEqual([[2, 'changed']]);
    await expect(world.ledger.readSubject(subject)).rejects.toMatchObject({
      code: 'ledger-broken',
      message: `Entry 2 of ${subject} cannot be read.`,
      cause: expect.any(SyntaxError),
    });
  });

  it.each<[string, string]>([
    ['the head is signed by another', `UPDATE ledger_heads SET signature = ''`],
    ['the head is gone', 'DELETE FROM ledger_heads'],
    ['the last entry was changed', `UPDATE ledger SET actor = 'mallory' WHERE seq = 4`],
    ['the end was cut off', 'DELETE FROM ledger WHERE seq = 4'],
    ['all was cut off', 'DELETE FROM ledger'],
  ])('gets nothing added when %s', async (_, sql) => {
    run(sql);
    await expect(world.ledger.append([nodeBegun(5, { subject })])).rejects.toMatchObject({
      code: 'ledger-broken',
      message: `The ledger of ${subject} was changed by something else; nothing is added to it.`,
      hint: 'See what is wrong with: gatewright ledger verify',
    });
    expect(world.raw.prepare('SELECT 1 FROM ledger WHERE seq = 5').get()).toBeUndefined();
  });

  it('refuses a key that is there, and a holder who is not', async () => {
    await expect(world.ledger.append([nodeBegun(5, { subject, key: 'one' })])).rejects.toMatchObject({
      code: 'ledger-conflict',
      message: 'The ledger already has a "node-begun" entry for one.',
    });
    await expect(
      world.ledger.append([nodeBegun(5, { subject })], { subject, token: 1 }),
    ).rejects.toMatchObject({
      code: 'lease-lost',
      message: `Another process took over ${subject}; this one stops.`,
    });
  });

  it('keeps texts until an entry takes them along, and says which are lost', async () => {
    const hash = await world.ledger.putText('later');
    const inFile = () => world.raw.prepare('SELECT text FROM texts WHERE hash = ?').pluck().get(hash);
    expect([await world.ledger.getText(hash), inFile()]).toEqual(['later', undefined]);
    await world.ledger.append([nodeBegun(5, { subject })]);
    expect([await world.ledger.getText(hash), inFile()]).toEqual(['later', 'later']);
    run('UPDATE texts SET text = ? WHERE hash = ?', 'else', hash);
    await expect(world.ledger.getText(hash)).rejects.toMatchObject({
      code: 'ledger-broken',
      message: `The text kept under the hash ${hash} was changed.`,
    });
    const none = sha256('never kept');
    await expect(world.ledger.getText(none)).rejects.toMatchObject({
      code: 'ledger-broken',
      message: `No text is kept under the hash ${none}.`,
    });
  });

  it('signs its end over its name, its length and its hash', () => {
    const { hash } = rowAt(4);
    const head = world.raw.prepare('SELECT * FROM ledger_heads').get();
    expect(head).toMatchObject({
      subject,
      seq: 4,
      hash,
      signature: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
  });
});

it('says so in the words of the catalogue when nothing can be written', async () => {
  const world = new SqliteWorld();
  world.database.pragma('query_only = ON');
  await expect(world.ledger.append([nodeBegun(1, { subject })])).rejects.toMatchObject({
    name: 'GatewrightError',
    message: expect.stringContaining('cannot be written'),
  });
  world.remove();
});
