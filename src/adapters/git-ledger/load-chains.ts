/**
 * Fills an empty ledger with all entries that were appended elsewhere: the same checks as for one entry after another, and
 * indexes, lists and states once for all of them, which takes a third of the time.
 */
import { type ChainHead, type ChainRow, isNextOf, signHead } from '../../domain/ledger/chain.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { canChangeState, emptySubjectState } from '../../domain/ledger/subject-state.ts';
import { prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';
import { listProjections } from '../sqlite/list-projections.ts';
import { toEntry } from '../sqlite/read-entry.ts';
import type { FoldedState, SubjectStates } from '../sqlite/subject-states.ts';
import { fillTable } from '../sqlite/table-projection.ts';

interface Index {
  readonly name: string;
  readonly sql: string;
}

/** Indexes that are made of all rows at once; that of the primary key and of `UNIQUE` in the table stay. */
function withoutIndexes(database: SqliteDatabase, work: () => void): void {
  const indexes = prepareOnce(
    database,
    `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ledger' AND sql IS NOT NULL`,
  ).all() as Index[];
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  work();
  for (const { sql } of indexes) database.exec(sql);
}

function insertRows(database: SqliteDatabase, rows: readonly ChainRow[]): ChainRow | null {
  const ends = new Map<string, ChainRow>();
  const insert = prepareOnce(
    database,
    `INSERT INTO ledger (id, subject, seq, at, kind, run, actor, key, data, previous, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [index, row] of rows.entries()) {
    if (row.id !== index + 1 || !isNextOf(ends.get(row.subject) ?? { seq: 0, hash: '' }, row)) return row;
    const { id, subject, seq, at, kind, run, actor, key, data, previous, hash } = row;
    insert.run(id, subject, seq, at, kind, run, actor, key, data, previous, hash);
    ends.set(subject, row);
  }
  return null;
}

function foldStates(rows: readonly ChainRow[], states: SubjectStates): Map<Subject, FoldedState> {
  const all = new Map<Subject, FoldedState>();
  for (const row of rows) {
    const { subject, seq, hash } = row;
    const before = all.get(subject) ?? { state: emptySubjectState, seq: 0, hash: '' };
    all.set(
      subject,
      canChangeState(row) ? states.fold(before, toEntry(row)) : { state: before.state, seq, hash },
    );
  }
  return all;
}

/**
 * Called within a transaction, which is to be undone when a row is returned: it does not follow the one before it.
 * @param rows from the first one on, in their order
 */
export function loadChains(
  database: SqliteDatabase,
  signingKey: string,
  states: SubjectStates,
  rows: readonly ChainRow[],
): { readonly broken: ChainRow } | { readonly ends: Map<Subject, ChainHead> } {
  let broken: ChainRow | null = null;
  withoutIndexes(database, () => {
    broken = insertRows(database, rows);
  });
  if (broken !== null) return { broken };
  for (const projection of listProjections) fillTable(database, projection);
  const ends = new Map<Subject, ChainHead>();
  const sign = prepareOnce(
    database,
    'INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES (@subject, @seq, @hash, @signature)',
  );
  for (const [subject, folded] of foldStates(rows, states)) {
    const { seq, hash } = folded;
    const head = { seq, hash, signature: signHead(signingKey, subject, { seq, hash }) };
    sign.run({ subject, ...head });
    states.write(subject, folded);
    ends.set(subject, head);
  }
  return { ends };
}
