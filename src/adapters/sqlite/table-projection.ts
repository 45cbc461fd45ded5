/**
 * A list that follows from the ledger and is kept beside it as a table, in the same transaction as the entries. It is never
 * trusted over the chain: `ledger verify` compares the two, and `--projections` makes it anew.
 */
import type { ChainProblem } from '../../domain/ledger/ledger-entry.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';

export interface TableProjection {
  readonly table: string;
  /** Of the table; `id` is that of the entry that a row stands for, and `subject` that entry's. */
  readonly columns: string;
  /** Selects what the ledger says that is in the table, in these columns. */
  readonly fromLedger: string;
  /** Such as "open events". */
  readonly ofWhat: string;
  /** What is wrong with a row that the ledger does not say. */
  readonly extra: string;
}

interface Difference {
  readonly id: number;
  readonly subject: string;
  readonly isMissing: number;
}

/** Where the list and the ledger do not agree. */
export function compareTable(
  database: SqliteDatabase,
  { table, columns, fromLedger, ofWhat, extra }: TableProjection,
): ChainProblem[] {
  const differences = `
WITH said AS MATERIALIZED (SELECT ${columns} FROM (${fromLedger}))
SELECT id, subject, 1 AS isMissing FROM (SELECT ${columns} FROM said EXCEPT SELECT ${columns} FROM ${table})
UNION ALL
SELECT id, subject, 0 AS isMissing FROM (SELECT ${columns} FROM ${table} EXCEPT SELECT ${columns} FROM said)
ORDER BY id, isMissing`;
  const entryOf = prepareOnce(database, 'SELECT seq, kind FROM ledger WHERE id = ?');
  return (prepareOnce(database, differences).all() as Difference[]).map(({ id, subject, isMissing }) => {
    const { seq, kind } = (entryOf.get(id) as { seq: number; kind: string } | undefined) ?? {
      seq: 0,
      kind: '',
    };
    const wrong = isMissing === 1 ? 'leaves it out' : `has it, and ${extra}`;
    const explanation = `the list of ${ofWhat} ${wrong}`;
    return { subject, seq, kind, problem: 'projection', explanation };
  });
}

/** Makes the list anew from the ledger; says how many places differed. */
export function rebuildTable(database: SqliteDatabase, projection: TableProjection): number {
  const { length } = compareTable(database, projection);
  if (length > 0) fillTable(database, projection);
  return length;
}

/** Makes the list of the ledger, whatever was in it before. */
export function fillTable(database: SqliteDatabase, { table, columns, fromLedger }: TableProjection): void {
  database.exec(
    `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${fromLedger});`,
  );
}
