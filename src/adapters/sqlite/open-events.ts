/**
 * Which events are open: received and not settled. That follows from the ledger; it is kept beside it, in the same
 * transaction as the entries, so that nothing has to look through all of them. It is never trusted over the chain:
 * `ledger verify` compares the two.
 */
import type { ChainProblem, LedgerEntry } from '../../domain/ledger-entry.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { openEventsOfLedger as fromLedger } from './open-events-schema.ts';

/** Takes one more entry into account; called in the transaction that appends it. */
export function foldOpenEvents(database: SqliteDatabase, entry: LedgerEntry, id: number | bigint): void {
  if (entry.kind === 'event-received')
    prepareOnce(
      database,
      'INSERT INTO open_events (delivery, id, subject, event, received_at) VALUES (?, ?, ?, ?, ?)',
    ).run(entry.key, id, entry.subject, entry.data.event, entry.at);
  else if (entry.kind === 'event-settled')
    prepareOnce(database, 'DELETE FROM open_events WHERE delivery = ?').run(entry.key);
}

interface Difference {
  readonly delivery: string;
  readonly subject: string;
  readonly isMissing: number;
}

const columns = 'delivery, id, subject, event, received_at';
const differences = `
SELECT delivery, subject, 1 AS isMissing FROM (${fromLedger} EXCEPT SELECT ${columns} FROM open_events)
UNION ALL
SELECT delivery, subject, 0 AS isMissing FROM (SELECT ${columns} FROM open_events EXCEPT ${fromLedger})
ORDER BY delivery, isMissing`;

/** Where the list and the ledger do not agree. */
export function compareOpenEvents(database: SqliteDatabase): ChainProblem[] {
  const seqOf = prepareOnce(
    database,
    `SELECT seq FROM ledger WHERE kind = 'event-received' AND key = ?`,
  ).pluck();
  return (prepareOnce(database, differences).all() as Difference[]).map(
    ({ delivery, subject, isMissing }) => ({
      subject,
      seq: Number(seqOf.get(delivery) ?? 0),
      kind: 'event-received',
      problem: 'projection',
      explanation: `the list of open events ${isMissing === 1 ? 'leaves it out' : 'has it, and it is not open'}`,
    }),
  );
}

/** Makes the list anew from the ledger; says how many places differed. */
export function rebuildOpenEvents(database: SqliteDatabase): number {
  const { length } = compareOpenEvents(database);
  if (length === 0) return 0;
  database.exec(`DELETE FROM open_events; INSERT INTO open_events (${columns}) ${fromLedger};`);
  return length;
}
