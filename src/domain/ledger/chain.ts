/**
 * The chain of a subject: each entry holds the hash of the one before it, and its end is signed, so that verification
 * notices every entry that was changed, removed, inserted or cut off. Pure, and independent of where the entries are
 * kept.
 */
import { isSignatureValid, type Sha256, signText } from './hash.ts';
import {
  type ChainProblem,
  chainStart,
  type HashedFields,
  hashEntry,
  type NewEntry,
  serialiseData,
} from './ledger-entry.ts';
import type { Subject } from './subject.ts';

/** An entry as it is kept. */
export interface ChainRow extends HashedFields {
  /** Grows with every entry of any chain. */
  readonly id: number;
  readonly hash: Sha256;
}

/** The end of a chain, as it was signed. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: Sha256;
  readonly signature: string;
}

/** Where a chain is before the next entry; `seq` is 0 before the first one. */
interface ChainEnd {
  readonly seq: number;
  readonly hash: Sha256;
}

/** What an entry becomes when it is the next one of its chain. */
export function linkEntry(
  entry: NewEntry,
  at: string,
  end: ChainEnd,
): HashedFields & { readonly hash: Sha256 } {
  const { subject, kind, run, actor, key = null } = entry;
  const previous = end.seq === 0 ? chainStart : end.hash;
  const data = serialiseData(entry.data);
  const fields = { subject, seq: end.seq + 1, at, kind, run, actor, key, data, previous };
  return { ...fields, hash: hashEntry(fields) };
}

/** Whether a row that was made elsewhere is the next one of its chain. */
export function isNextOf(end: ChainEnd, row: ChainRow): boolean {
  const previous = end.seq === 0 ? chainStart : end.hash;
  return row.seq === end.seq + 1 && row.previous === previous && hashEntry(row) === row.hash;
}

function headText(subject: Subject, head: ChainEnd): string {
  return `ledger-head\n${subject}\n${head.seq}\n${head.hash}`;
}

export function signHead(key: string, subject: Subject, head: ChainEnd): string {
  return signText(key, headText(subject, head));
}

/** What is wrong with the end of a chain. */
function findHeadProblem(
  key: string,
  subject: Subject,
  last: Pick<ChainRow, 'seq' | 'kind' | 'hash'> | undefined,
  head: ChainHead | undefined,
): ChainProblem | null {
  if (head === undefined) {
    if (last === undefined) return null;
    const { seq, kind } = last;
    return { subject, seq, kind, problem: 'head', explanation: 'the signed end of the chain is missing' };
  }
  if (last === undefined || head.seq > last.seq) {
    const seq = (last?.seq ?? 0) + 1;
    const explanation = `entries ${seq} to ${head.seq} were cut off the end`;
    return { subject, seq, kind: '', problem: 'removed', explanation };
  }
  if (head.hash === last.hash && isSignatureValid(key, headText(subject, head), head.signature)) return null;
  const { seq, kind } = last;
  return {
    subject,
    seq,
    kind,
    problem: 'head',
    explanation: 'the signed end of the chain does not match it',
  };
}

/** Whether something may be appended: a new signature would vouch for what was tampered with. */
export function isSoundEnd(
  key: string,
  subject: Subject,
  last: ChainRow | undefined,
  head: ChainHead | undefined,
): boolean {
  if (findHeadProblem(key, subject, last, head) !== null) return false;
  return last === undefined || hashEntry(last) === last.hash;
}

/** Looks at the entries of one chain in their order, one after another, and keeps none of them. */
export class ChainVerifier {
  readonly #subject: Subject;
  readonly #key: string;
  readonly #problems: ChainProblem[] = [];
  #previous = chainStart;
  #expectedSeq = 1;
  #last: Pick<ChainRow, 'id' | 'seq' | 'kind' | 'hash'> | undefined;

  constructor(key: string, subject: Subject) {
    this.#key = key;
    this.#subject = subject;
  }

  next(row: ChainRow): void {
    const { id, seq, kind, hash, previous } = row;
    const at = { subject: this.#subject, seq, kind };
    if (hashEntry(row) !== hash)
      this.#note({ ...at, problem: 'changed', explanation: 'its content no longer matches its hash' });
    if (seq !== this.#expectedSeq) {
      const missing = seq - this.#expectedSeq;
      const explanation = missing === 1 ? 'the entry is missing' : `${missing} entries are missing from here`;
      this.#note({ ...at, seq: this.#expectedSeq, kind: '', problem: 'removed', explanation });
    } else if (previous !== this.#previous || id < (this.#last?.id ?? 0))
      this.#note({ ...at, problem: 'reordered', explanation: 'it does not follow the entry before it' });
    this.#previous = hash;
    this.#expectedSeq = seq + 1;
    this.#last = { id, seq, kind, hash };
  }

  #note(problem: ChainProblem): void {
    this.#problems.push(problem);
  }

  /** All that is wrong, now that there are no more entries. */
  end(head: ChainHead | undefined): ChainProblem[] {
    const problem = findHeadProblem(this.#key, this.#subject, this.#last, head);
    return problem === null ? this.#problems : [...this.#problems, problem];
  }
}
