/** Recomputes the chains and the texts of a ledger from what is on disk, a page at a time, so that its size does not matter. */

import { type ChainHead, type ChainRow, ChainVerifier } from '../../domain/ledger/chain.ts';
import { type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import type { ChainProblem } from '../../domain/ledger/ledger-entry.ts';
import { SortedHashes } from '../../domain/ledger/sorted-hashes.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { textsOfEntry } from '../../domain/ledger/texts-of-entry.ts';
import type { VerifyReport } from '../../ports/ledger.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { listProjections } from './list-projections.ts';
import { SubjectStates } from './subject-states.ts';
import { compareTable } from './table-projection.ts';

const usualPageLength = 1_000;

/** Numbers begin with 1; what was put in before that is looked at as well. */
const beforeAll = Number.MIN_SAFE_INTEGER;

/** Another text than that of its hash says something else than the entries that name it. */
interface TextCheck {
  /** False when all texts were checked and none was changed. */
  readonly mayBeChanged: boolean;
  isThere(hash: Sha256): boolean;
  isChanged(hash: Sha256): boolean;
}

function* readPages<T>(pageLength: number, read: (last: T | undefined) => T[]): Generator<T> {
  for (let last: T | undefined; ; ) {
    const page = read(last);
    yield* page;
    last = page.at(-1);
    if (page.length < pageLength) return;
  }
}

function* readTexts(
  database: SqliteDatabase,
  pageLength: number,
): Generator<{ hash: Sha256; text: unknown }> {
  const page = prepareOnce(database, 'SELECT hash, text FROM texts WHERE hash > ? ORDER BY hash LIMIT ?');
  yield* readPages<{ hash: Sha256; text: unknown }>(
    pageLength,
    (last) => page.all(last?.hash ?? '', pageLength) as { hash: Sha256; text: unknown }[],
  );
}

function* readRows(
  database: SqliteDatabase,
  subject: Subject | undefined,
  pageLength: number,
): Generator<ChainRow> {
  if (subject !== undefined) {
    const page = prepareOnce(
      database,
      'SELECT * FROM ledger WHERE subject = ? AND seq > ? ORDER BY seq LIMIT ?',
    );
    yield* readPages<ChainRow>(
      pageLength,
      (last) => page.all(subject, last?.seq ?? beforeAll, pageLength) as ChainRow[],
    );
    return;
  }
  const page = prepareOnce(
    database,
    'SELECT * FROM ledger WHERE (subject, seq) > (?, ?) ORDER BY subject, seq LIMIT ?',
  );
  yield* readPages<ChainRow>(
    pageLength,
    (last) => page.all(last?.subject ?? '', last?.seq ?? beforeAll, pageLength) as ChainRow[],
  );
}

/** Each text is looked at once: all of them first, or those that the entries of one chain name. */
function checkTexts(database: SqliteDatabase, isAll: boolean, pageLength: number): TextCheck {
  if (!isAll) {
    const find = prepareOnce(database, 'SELECT text FROM texts WHERE hash = ?').pluck();
    return {
      mayBeChanged: true,
      isThere: (hash) => typeof find.get(hash) === 'string',
      isChanged: (hash) => {
        const text = find.get(hash);
        return typeof text === 'string' && sha256(text) !== hash;
      },
    };
  }
  const changed = new Set<Sha256>();
  // Looked up in memory: in the database, each is in another place on the disk.
  const present = new SortedHashes();
  for (const { hash, text } of readTexts(database, pageLength)) {
    if (typeof text !== 'string') continue;
    present.add(hash);
    if (sha256(text) !== hash) changed.add(hash);
  }
  return {
    isThere: (hash) => present.has(hash),
    mayBeChanged: changed.size > 0,
    isChanged: (hash) => changed.has(hash),
  };
}

/** Undefined when it cannot be parsed; the hash of the entry then shows the damage. */
function parseData(row: ChainRow): unknown {
  try {
    return JSON.parse(String(row.data));
  } catch {
    return undefined;
  }
}

/** The texts that entries name by their hash are part of what they say. */
function findTextProblems(row: ChainRow, data: unknown, texts: TextCheck): ChainProblem[] {
  const problems: ChainProblem[] = [];
  const at = { subject: row.subject, seq: row.seq, kind: row.kind };
  for (const [hash] of texts.mayBeChanged ? String(row.data).matchAll(/\b[0-9a-f]{64}\b/gu) : [])
    if (texts.isChanged(hash))
      problems.push({
        ...at,
        problem: 'changed',
        explanation: `the text kept under ${hash} is another one now`,
      });
  for (const hash of new Set(textsOfEntry(row.kind, data)))
    if (!texts.isThere(hash))
      problems.push({ ...at, problem: 'removed', explanation: `the text kept under ${hash} is gone` });
  return problems;
}

interface OneChain {
  readonly of: Subject;
  readonly verifier: ChainVerifier;
  readonly texts: ChainProblem[];
  readonly state: ReturnType<SubjectStates['compare']>;
}

/**
 * Called within one transaction, so that entries that others append meanwhile are not looked at by halves.
 * @param pageLength how many rows are read at once; it makes no difference to what is found
 */
export function verifyLedger(
  database: SqliteDatabase,
  signingKey: string,
  subject: Subject | undefined,
  pageLength = usualPageLength,
): VerifyReport {
  const readHead = prepareOnce(database, 'SELECT * FROM ledger_heads WHERE subject = ?');
  const headOf = (one: Subject): ChainHead | undefined => readHead.get(one) as ChainHead | undefined;
  const texts = checkTexts(database, subject === undefined, pageLength);
  const problems: ChainProblem[] = [];
  let [entries, subjects] = [0, 0];
  let chain: OneChain | null = null;
  const states = new SubjectStates(database, signingKey);
  const projections: ChainProblem[] = [];
  const end = ({ of, verifier, texts: wrong, state }: OneChain): void => {
    problems.push(...verifier.end(headOf(of)), ...wrong);
    projections.push(...state.end());
  };
  for (const row of readRows(database, subject, pageLength)) {
    if (chain === null || chain.of !== row.subject) {
      if (chain !== null) end(chain);
      const verifier = new ChainVerifier(signingKey, row.subject);
      chain = { of: row.subject, verifier, texts: [], state: states.compare(row.subject) };
      subjects += 1;
    }
    chain.verifier.next(row);
    const data = parseData(row);
    chain.texts.push(...findTextProblems(row, data, texts));
    chain.state.next(row, data);
    entries += 1;
  }
  if (chain !== null) end(chain);
  for (const one of listEmptyChains(database, subject)) {
    problems.push(...new ChainVerifier(signingKey, one).end(headOf(one)));
    subjects += 1;
  }
  // What follows from entries says something only once the entries can be trusted.
  if (problems.length === 0)
    problems.push(
      ...projections,
      ...[...listProjections.flatMap((one) => compareTable(database, one)), ...states.findStray()].filter(
        (one) => subject === undefined || one.subject === subject,
      ),
    );
  return { subjects, entries, problems };
}

/** Chains of which only the signed end is left; a chain that the caller names counts even if nothing of it is left. */
function listEmptyChains(database: SqliteDatabase, subject: Subject | undefined): Subject[] {
  if (subject !== undefined) {
    const isThere = prepareOnce(database, 'SELECT 1 FROM ledger WHERE subject = ?').get(subject);
    return isThere === undefined ? [subject] : [];
  }
  return prepareOnce(
    database,
    'SELECT subject FROM ledger_heads WHERE subject NOT IN (SELECT subject FROM ledger)',
  )
    .pluck()
    .all() as Subject[];
}
