/** Recomputes the chains on the ref from its files alone; nothing that was kept of them elsewhere is believed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signHead } from '../../domain/ledger/chain.ts';
import type { ChainProblem } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { VerifyReport } from '../../ports/ledger.ts';
import { openDatabase, prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';
import { SqliteLedger } from '../sqlite/sqlite-ledger.ts';
import { readThread } from './checkpoint-files.ts';
import { checkFormat, type NamedHead, readHead, readRows } from './ledger-files.ts';
import { nothingOurs } from './ledger-mirror.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { type ChangedFile, listFiles, readObjects } from './read-commit.ts';

const problemOf = (explanation: string): ChainProblem => ({
  ...{ subject: '', seq: 0, kind: '', problem: 'changed' },
  explanation,
});

/** What cannot be read stands for itself: the chain that it belonged to is not known. */
export function unreadable(error: unknown): ChainProblem {
  if (!isGatewrightError(error, 'ledger-broken')) throw error;
  return problemOf(error.message);
}

/** Whether any chain is; also when there is none. */
function isSignedWith(signingKey: string, database: SqliteDatabase): boolean {
  const heads = prepareOnce(database, 'SELECT * FROM ledger_heads').all() as NamedHead[];
  return (
    heads.length === 0 || heads.some((head) => head.signature === signHead(signingKey, head.subject, head))
  );
}

/** As it is, sound or not. */
function put(database: SqliteDatabase, { file, path }: ChangedFile, text: string, signingKey: string): void {
  const insert = (sql: string, row: object): void => void prepareOnce(database, sql).run(row);
  if (file.kind === 'text')
    insert('INSERT INTO texts (hash, text) VALUES (@hash, @text)', { hash: file.hash, text });
  else if (file.kind === 'format') checkFormat(text);
  else if (file.kind === 'checkpoint') readThread(text, path, signingKey);
  else if (file.kind === 'head')
    insert(
      'INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES (@subject, @seq, @hash, @signature)',
      readHead(text, path),
    );
  else if (file.kind === 'entries')
    for (const row of readRows(text, file))
      insert(
        `INSERT OR IGNORE INTO ledger (id, subject, seq, at, kind, run, actor, key, data, previous, hash)
           VALUES (@id, @subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)`,
        row,
      );
}

async function copy(
  place: LedgerPlace,
  tip: string,
  { database, signingKey }: { readonly database: SqliteDatabase; readonly signingKey: string },
): Promise<{ readonly problems: ChainProblem[]; readonly beside: ChainProblem[] }> {
  const problems: ChainProblem[] = [];
  // What is wrong with checkpoints says nothing about the entries.
  const beside: ChainProblem[] = [];
  const files = (await listFiles(place, tip, { withTexts: true })).filter(
    ({ file }) => file.kind !== 'lease',
  );
  let index = 0;
  for await (const texts of readObjects(
    place,
    files.map(({ object }) => object ?? ''),
  )) {
    const write = database.transaction(() => {
      for (const text of texts) {
        const file = files[index];
        index += 1;
        try {
          if (file !== undefined) put(database, file, text, signingKey);
        } catch (error) {
          (file?.file.kind === 'checkpoint' ? beside : problems).push(unreadable(error));
        }
      }
    });
    write();
  }
  return { problems, beside };
}

/** @param known the commit that was seen last: without it, the history since then would not be here, and never come */
export async function verifyRef(
  { place, known }: { readonly place: LedgerPlace; readonly known: string | null },
  signingKey: string,
  subject: Subject | undefined,
): Promise<VerifyReport> {
  const tip = await place.fetch(known);
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-verify-'));
  const database = openDatabase(join(folder, 'ref.db'));
  try {
    database.pragma('synchronous = OFF');
    let problems: ChainProblem[] = [];
    let beside: ChainProblem[] = [];
    try {
      if (tip !== null) ({ problems, beside } = await copy(place, tip, { database, signingKey }));
    } catch (error) {
      problems = [unreadable(error)];
    }
    const ledger = new SqliteLedger(database, { now: () => new Date() }, signingKey);
    if (problems.length === 0) await ledger.rebuildProjections();
    if (!isSignedWith(signingKey, database))
      problems.push(problemOf(`Probably another key: ${nothingOurs}.`));
    const report = await ledger.verify(subject);
    return { ...report, problems: [...problems, ...beside, ...report.problems] };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
