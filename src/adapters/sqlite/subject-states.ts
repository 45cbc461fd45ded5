/**
 * What each chain comes to (`domain/ledger/subject-state.ts`), kept beside it. A row names the entry that it was folded up to
 * and is signed, so that it is used only where it is ours and belongs to that very chain: whatever is missing in it is
 * folded from there, and whatever cannot be used is folded from the beginning. The chain is always what counts.
 */

import type { ChainRow } from '../../domain/ledger/chain.ts';
import { isSignatureValid, type Sha256, signText } from '../../domain/ledger/hash.ts';
import type { ChainProblem, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import {
  canChangeState,
  emptySubjectState,
  foldEntry,
  type SubjectState,
  subjectStateVersion,
  type WokenBy,
  wakingDelivery,
} from '../../domain/ledger/subject-state.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { toEntry } from './read-entry.ts';

const pageLength = 1_000;

/** A state, and the entry that it was folded up to. */
export interface FoldedState {
  readonly state: SubjectState;
  readonly seq: number;
  readonly hash: Sha256;
}

interface StateRow {
  readonly version: number;
  readonly seq: number;
  readonly hash: Sha256;
  readonly state: string;
  readonly signature: string;
}

const nothingFolded: FoldedState = { state: emptySubjectState, seq: 0, hash: '' };

function signedText(subject: Subject, { version, seq, hash, state }: Omit<StateRow, 'signature'>): string {
  return `subject-state\n${subject}\n${version}\n${seq}\n${hash}\n${state}`;
}

interface Comparison {
  /** @param data of the row, read */
  next(row: ChainRow, data: unknown): void;
  end(): ChainProblem[];
}

export class SubjectStates {
  readonly #database: SqliteDatabase;
  readonly #signingKey: string;

  constructor(database: SqliteDatabase, signingKey: string) {
    this.#database = database;
    this.#signingKey = signingKey;
  }

  /** What the chain comes to now. */
  read(subject: Subject): FoldedState {
    return this.#catchUp(subject, this.#readKept(subject) ?? nothingFolded);
  }

  /** Takes one more entry into account. */
  fold(before: FoldedState, entry: LedgerEntry): FoldedState {
    const delivery = wakingDelivery(entry);
    const wokenBy = delivery === null ? null : this.#findReceived(entry.subject, delivery);
    return { state: foldEntry(before.state, entry, wokenBy), seq: entry.seq, hash: entry.hash };
  }

  write(subject: Subject, { state, seq, hash }: FoldedState): void {
    const row = { version: subjectStateVersion, seq, hash, state: JSON.stringify(state) };
    const signature = signText(this.#signingKey, signedText(subject, row));
    prepareOnce(
      this.#database,
      `INSERT INTO subject_states (subject, version, seq, hash, state, signature)
         VALUES (@subject, @version, @seq, @hash, @state, @signature)
         ON CONFLICT (subject) DO UPDATE SET version = @version, seq = @seq, hash = @hash, state = @state, signature = @signature`,
    ).run({ ...row, subject, signature });
  }

  /** Looks at the entries of one chain in their order, and says in the end whether the row is what they come to. */
  compare(subject: Subject): Comparison {
    const kept = this.#readRow(subject);
    if (kept === undefined) return { next: () => undefined, end: () => [] };
    let folded = nothingFolded;
    let isSame = false;
    let isReadable = true;
    return {
      next: (row, data) => {
        if (!isReadable) return;
        try {
          folded = canChangeState(row)
            ? this.fold(folded, { ...row, key: row.key ?? undefined, data } as LedgerEntry)
            : { state: folded.state, seq: row.seq, hash: row.hash };
        } catch {
          // An entry in a form that no version wrote; what is wrong with it is said of the chain.
          isReadable = false;
        }
        if (row.seq === kept.seq)
          isSame = JSON.stringify(folded.state) === kept.state && folded.hash === kept.hash;
      },
      end: () => (isSame && this.#isOurs(subject, kept) ? [] : [differenceAt(subject, kept.seq)]),
    };
  }

  /** Rows about subjects that have no entries. */
  findStray(): ChainProblem[] {
    const rows = prepareOnce(
      this.#database,
      'SELECT subject, seq FROM subject_states WHERE subject NOT IN (SELECT subject FROM ledger_heads)',
    ).all() as { readonly subject: Subject; readonly seq: number }[];
    return rows.map(({ subject, seq }) => differenceAt(subject, seq));
  }

  /** How many there were. */
  removeStray(): number {
    return prepareOnce(
      this.#database,
      'DELETE FROM subject_states WHERE subject NOT IN (SELECT subject FROM ledger_heads)',
    ).run().changes;
  }

  /** Folds a whole chain anew; true when there was a row that said something else. */
  rebuild(subject: Subject): boolean {
    const kept = this.#readRow(subject);
    const comparison = this.compare(subject);
    let folded = nothingFolded;
    for (const row of this.#rowsAfter(subject, 0)) {
      const entry = toEntry(row);
      comparison.next(row, entry.data);
      folded = this.fold(folded, entry);
    }
    const isWrong = comparison.end().length > 0;
    if (isWrong || kept?.seq !== folded.seq) this.write(subject, folded);
    return isWrong;
  }

  #catchUp(subject: Subject, kept: FoldedState): FoldedState {
    let folded = kept;
    for (const row of this.#rowsAfter(subject, kept.seq)) folded = this.fold(folded, toEntry(row));
    return folded;
  }

  *#rowsAfter(subject: Subject, seq: number): Generator<ChainRow> {
    const page = prepareOnce(
      this.#database,
      'SELECT * FROM ledger WHERE subject = ? AND seq > ? ORDER BY seq LIMIT ?',
    );
    for (let last = seq; ; ) {
      const rows = page.all(subject, last, pageLength) as ChainRow[];
      yield* rows;
      last = rows.at(-1)?.seq ?? last;
      if (rows.length < pageLength) return;
    }
  }

  /** The row, if it was folded by this version; a row of another version counts as missing. */
  #readRow(subject: Subject): StateRow | undefined {
    const row = prepareOnce(
      this.#database,
      'SELECT version, seq, hash, state, signature FROM subject_states WHERE subject = ?',
    ).get(subject) as StateRow | undefined;
    return row?.version === subjectStateVersion ? row : undefined;
  }

  #isOurs(subject: Subject, row: StateRow): boolean {
    return isSignatureValid(this.#signingKey, signedText(subject, row), String(row.signature));
  }

  #readKept(subject: Subject): FoldedState | null {
    const row = this.#readRow(subject);
    if (row === undefined || !this.#isOurs(subject, row)) return null;
    const hash = prepareOnce(this.#database, 'SELECT hash FROM ledger WHERE subject = ? AND seq = ?')
      .pluck()
      .get(subject, row.seq);
    if (hash !== row.hash) return null;
    return { state: JSON.parse(row.state) as SubjectState, seq: row.seq, hash: row.hash };
  }

  #findReceived(subject: Subject, delivery: string): WokenBy | null {
    const row = prepareOnce(
      this.#database,
      `SELECT * FROM ledger WHERE kind = 'event-received' AND key = ? AND subject = ?`,
    ).get(delivery, subject) as ChainRow | undefined;
    if (row === undefined) return null;
    const entry = toEntry(row);
    return entry.kind === 'event-received' ? entry.data : null;
  }
}

function differenceAt(subject: Subject, seq: number): ChainProblem {
  return {
    subject,
    seq,
    kind: '',
    problem: 'projection',
    explanation: 'what is kept about the subject up to here is not what its entries come to',
  };
}
