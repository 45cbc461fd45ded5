/**
 * How many events that no agent reacts to are handled a second, on a subject with 10 and with 10,000 entries, in turn; and
 * against bare SQLite that writes one row for each of them, so many in a transaction. Everything is read and routed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { NewEntry } from '../src/domain/ledger/ledger-entry.ts';
import { issueSubject } from '../src/domain/ledger/subject.ts';
import { handleOpenEvents } from '../src/fleet/handle-event.ts';
import { receiveDeliveries } from '../src/fleet/receive-event.ts';
import { FleetWorld } from '../test/support/fleet-world.ts';
import type { Row } from './measure.ts';
import { scaled } from './scale.ts';

const rounds = 5;
const events = scaled(2_000);
const together = 100;
const short = 10;
const long = 10_000;

/** A history of events that are settled; as many entries as asked for. */
async function seed({ house, repository }: FleetWorld, number: number, entries: number): Promise<void> {
  const subject = issueSubject(repository, number);
  const event = await house.ledger.putText('x');
  const common = { subject, run: '', actor: 'bench' };
  const pairs = Array.from({ length: entries / 2 }, (_, index): NewEntry[] => {
    const key = `seed-${number}-${index}`;
    return [
      { ...common, kind: 'event-received', key, data: { kind: 'comment-created', actor: 'alice', event } },
      { ...common, kind: 'event-settled', key, data: { runs: [] } },
    ];
  }).flat();
  for (let at = 0; at < pairs.length; at += 1_000) await house.ledger.append(pairs.slice(at, at + 1_000));
}

async function handle(world: FleetWorld, number: number, round: number): Promise<number> {
  const made = Array.from({ length: events }, (_, index) =>
    world.event('comment-created', {
      ...{ number, isPullRequest: false, comment: round * events + index + 1, text: 'Nice.' },
      ...{ delivery: `bench-${number}-${round}-${index}`, actor: 'alice' },
    }),
  );
  for (let at = 0; at < made.length; at += together)
    await receiveDeliveries(world.house, made.slice(at, at + together));
  const began = performance.now();
  let count = 0;
  await handleOpenEvents(world.house, { own: 'gatewright[bot]' }, () => {
    count += 1;
  });
  if (count !== events) throw new Error(`${count} of ${events} events were handled.`);
  return (events * 1000) / (performance.now() - began);
}

/** One row for each, and nothing else. */
function insert(folder: string, round: number): number {
  const database = new Database(join(folder, `bare-${round}.db`));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE settled (delivery TEXT PRIMARY KEY, at TEXT NOT NULL)');
  const one = database.prepare('INSERT INTO settled VALUES (?, ?)');
  const began = performance.now();
  for (let at = 0; at < events; at += together)
    database.transaction(() => {
      for (let index = at; index < Math.min(at + together, events); index += 1)
        one.run(`bench-${index}`, new Date().toISOString());
    })();
  const perSecond = (events * 1000) / (performance.now() - began);
  database.close();
  return perSecond;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export async function benchQuietEvents(): Promise<Row[]> {
  const world = await FleetWorld.open();
  const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));
  const rates = { short: [] as number[], long: [] as number[], bare: [] as number[] };
  try {
    const alice = await world.as('alice');
    const issue = async (): Promise<number> =>
      (await alice.createIssue(world.repository, { title: 'T', body: 'B', labels: [] })).number;
    const [few, many] = [await issue(), await issue()];
    await seed(world, few, short);
    await seed(world, many, long);
    await handleOpenEvents(world.house, { own: 'gatewright[bot]' }, () => undefined);
    for (let round = 0; round <= rounds; round += 1) {
      // The short history grows with every round, so a new one is taken each time.
      const fresh = await issue();
      await seed(world, fresh, short);
      const [one, other, bare] = [
        await handle(world, fresh, round),
        await handle(world, many, round),
        insert(folder, round),
      ];
      if (round === 0) continue;
      rates.short.push(one);
      rates.long.push(other);
      rates.bare.push(bare);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await world.remove();
  }
  const row = (
    name: string,
    peer: readonly number[],
    peerName: string,
    goal: string,
    isMet: boolean | null,
  ): Row => {
    const [ours, theirs] = [median(rates.long), median(peer)];
    const spread = {
      ours: [Math.min(...rates.long), Math.max(...rates.long)],
      peer: [Math.min(...peer), Math.max(...peer)],
    } as const;
    return {
      name,
      unit: '/s',
      ours,
      peer: theirs,
      peerName,
      ratio: ours / theirs,
      goal,
      isMet,
      spread,
      rounds,
    };
  };
  const name = `quiet events handled, subject with ${long} entries`;
  const isFlat = median(rates.short) / median(rates.long) <= 1.2;
  return [
    row(name, rates.short, `with ${short}`, '≥ 0.83× (1.2 times as long)', isFlat),
    row(
      `${name}, a second`,
      rates.bare,
      `bare SQLite, ${together} rows a transaction`,
      '≥ 500 /s',
      median(rates.long) >= 500,
    ),
  ];
}
