/** What a machine that begins with nothing loads of a ledger on a git ref: all entries at once, and texts when they are read. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listProjections } from '../../src/adapters/sqlite/list-projections.ts';
import { openCopy } from '../../src/adapters/sqlite/open-copy.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { historyOf, textOfHistory } from '../support/generate-history.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { GitLedgerWorld, type LedgerMachine } from './git-ledger-world.ts';

let world: GitLedgerWorld;
beforeEach(() => {
  world = new GitLedgerWorld('remote');
});
afterEach(() => world.remove());

const subjects = ['acme/project#1', 'acme/project#2'] as const;

const tables = ['ledger', 'ledger_heads', 'subject_states', ...listProjections.map(({ table }) => table)];

/** Everything that follows from entries, as rows; a state is one only up to the entry that it includes. */
const dump = ({ database }: LedgerMachine): unknown[] =>
  tables.map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

const indexesOf = ({ database }: LedgerMachine): unknown[] =>
  database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name").all();

const textsOf = ({ database }: LedgerMachine): number =>
  database.prepare('SELECT count(*) FROM texts').pluck().get() as number;

/** How often a machine asks the server for something. */
function countTalks({ place }: LedgerMachine): () => number {
  let count = 0;
  const bring = place.bring.bind(place);
  place.bring = (objects) => {
    count += 1;
    return bring(objects);
  };
  return () => count;
}

const received = (subject: string, key: string, event: string): NewEntry => ({
  ...{ subject, run: '', actor: 'x', key, kind: 'event-received' },
  data: { kind: 'comment-created', actor: 'alice', event },
});

it('is the same whether entries came one after another or all at once', async () => {
  await fc.assert(
    fc.asyncProperty(historyOf(subjects[0]), historyOf(subjects[1]), async (first, second) => {
      world.remove();
      world = new GitLedgerWorld('local');
      const writer = world.addMachine();
      await writer.ledger.putText(textOfHistory);
      for (const entry of [...first, ...second]) await writer.ledger.append([entry]);
      const late = world.addMachine();
      await late.ledger.listSubjects();
      expect(dump(late)).toEqual(dump(writer));
      expect(indexesOf(late)).toEqual(indexesOf(writer));
      const mirrored = new SqliteLedger(late.database, world.clock, late.shared.mirror.signingKey);
      expect(await mirrored.rebuildProjections()).toBe(0);
      expect((await late.ledger.verify()).problems).toEqual([]);
    }),
    { numRuns: Math.min(propertyRuns(20), 20) },
  );
}, 300_000);

it('brings a text when it is read, with those that are named near it, and asks once for them', async () => {
  const writer = world.addMachine();
  const hashes: string[] = [];
  for (const subject of subjects)
    for (let index = 0; index < 20; index += 1) {
      const event = await writer.ledger.putText(`${subject} ${index}`);
      hashes.push(event);
      await writer.ledger.append([received(subject, `${subject} ${index}`, event)]);
    }
  const late = world.addMachine();
  const talks = countTalks(late);
  expect(await late.ledger.readSubject(subjects[0])).toHaveLength(20);
  expect([talks(), textsOf(late)]).toEqual([1, 0]);
  expect(await late.ledger.getText(hashes[3] ?? '')).toBe(`${subjects[0]} 3`);
  expect([talks(), textsOf(late)]).toEqual([2, 20]);
  for (const hash of hashes.slice(0, 20)) await late.ledger.getText(hash);
  expect(talks()).toBe(2);
  expect(await late.ledger.getText(hashes[39] ?? '')).toBe(`${subjects[1]} 19`);
  expect([talks(), textsOf(late)]).toEqual([3, 40]);
  await expect(late.ledger.getText('0'.repeat(64))).rejects.toMatchObject({ code: 'ledger-broken' });
  // What others write from now on comes with the fetch.
  const event = await writer.ledger.putText('news');
  await writer.ledger.append([received(subjects[0], 'news', event)]);
  await late.ledger.readSubject(subjects[0]);
  expect(await late.ledger.getText(event)).toBe('news');
  expect(talks()).toBe(3);
});

it('gives a copy of the mirror each text, also one that came along with another', async () => {
  const writer = world.addMachine();
  const hashes: string[] = [];
  for (const text of ['one', 'two']) {
    hashes.push(await writer.ledger.putText(text));
    await writer.ledger.append([received(subjects[0], text, hashes.at(-1) ?? '')]);
  }
  const late = world.addMachine();
  await late.shared.freshen();
  const copy = new SqliteLedger(openCopy(late.database), world.clock, late.shared.mirror.signingKey, {
    findText: (hash) => late.shared.findText(hash),
  });
  expect(await copy.getText(hashes[0] ?? '')).toBe('one');
  expect(textsOf(late)).toBe(2);
  expect(await copy.getText(hashes[1] ?? '')).toBe('two');
});

it('appends without the texts that are there already, and writes none of them again', async () => {
  const writer = world.addMachine();
  const event = await writer.ledger.putText('an event');
  await writer.ledger.append([received(subjects[0], 'k', event)]);
  const late = world.addMachine();
  const count = (): string =>
    world.git('-C', world.repository, 'rev-list', '--count', 'refs/gatewright/ledger');
  const before = count();
  await late.ledger.putText('an event');
  expect(await late.ledger.appendNew([received(subjects[0], 'k', event)])).toEqual([null]);
  expect(count()).toBe(before);
  await late.ledger.append([received(subjects[1], 'other', event)]);
  expect(await late.ledger.getText(event)).toBe('an event');
  const { problems, entries } = await world.addMachine().ledger.verify();
  expect({ problems, entries }).toEqual({ problems: [], entries: 2 });
});

it('needs no server that leaves files out', async () => {
  world.git('-C', world.repository, 'config', 'uploadpack.allowFilter', 'false');
  const writer = world.addMachine();
  const event = await writer.ledger.putText('an event');
  await writer.ledger.append([received(subjects[0], 'k', event)]);
  const late = world.addMachine();
  const talks = countTalks(late);
  expect(await late.ledger.getText(event)).toBe('an event');
  await late.ledger.append([received(subjects[0], 'k2', event)]);
  expect((await late.ledger.verify()).problems).toEqual([]);
  expect(talks()).toBe(0);
});
