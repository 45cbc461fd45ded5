/**
 * Appends to chains within one transaction. The end of a chain is looked at once, and signed once when all is appended,
 * together with what the chain comes to then.
 */
import {
  type ChainHead,
  type ChainRow,
  isNextOf,
  isSoundEnd,
  linkEntry,
  signHead,
} from '../../domain/ledger/chain.ts';
import type { LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { foldLists } from './list-projections.ts';
import { toEntry } from './read-entry.ts';
import type { FoldedState, SubjectStates } from './subject-states.ts';

export class ChainWriter {
  readonly #database: SqliteDatabase;
  readonly #signingKey: string;
  readonly #states: SubjectStates;
  /** The chains that were added to, each with its end and what it comes to. */
  readonly #chains = new Map<Subject, FoldedState>();

  constructor(database: SqliteDatabase, signingKey: string, states: SubjectStates) {
    this.#database = database;
    this.#signingKey = signingKey;
    this.#states = states;
  }

  /** Whether one of the same kind and key exists is asked before. */
  append(entry: NewEntry, at: string): LedgerEntry {
    const chain = this.#chains.get(entry.subject) ?? this.#readSound(entry.subject);
    const { seq, previous, hash, ...fields } = linkEntry(entry, at, chain);
    const written = { ...entry, seq, at, previous, hash } as LedgerEntry;
    this.#add(chain, { ...fields, seq, previous, hash, id: null }, written);
    return written;
  }

  /** Takes over a row that was appended elsewhere; false when it is not the next one of its chain. */
  take(row: ChainRow): boolean {
    const chain = this.#chains.get(row.subject) ?? this.#readSound(row.subject);
    if (!isNextOf(chain, row)) return false;
    this.#add(chain, row, toEntry(row));
    return true;
  }

  #add(
    chain: FoldedState,
    row: Omit<ChainRow, 'id'> & { readonly id: number | null },
    entry: LedgerEntry,
  ): void {
    const { lastInsertRowid } = prepareOnce(
      this.#database,
      `INSERT INTO ledger (id, subject, seq, at, kind, run, actor, key, data, previous, hash)
         VALUES (@id, @subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)`,
    ).run(row);
    foldLists(this.#database, entry, lastInsertRowid);
    this.#chains.set(entry.subject, this.#states.fold(chain, entry));
  }

  /** Nothing may be appended after it. Says where the chains are now. */
  end(): ReadonlyMap<Subject, ChainHead> {
    const heads = new Map<Subject, ChainHead>();
    const sign = prepareOnce(
      this.#database,
      `INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES (@subject, @seq, @hash, @signature)
         ON CONFLICT (subject) DO UPDATE SET seq = @seq, hash = @hash, signature = @signature`,
    );
    for (const [subject, folded] of this.#chains) {
      const { seq, hash } = folded;
      const head = { seq, hash, signature: signHead(this.#signingKey, subject, { seq, hash }) };
      sign.run({ subject, ...head });
      this.#states.write(subject, folded);
      heads.set(subject, head);
    }
    return heads;
  }

  /** A chain that was tampered with gets no new entries: a new signature would vouch for the tampering. */
  #readSound(subject: Subject): FoldedState {
    const head = prepareOnce(this.#database, 'SELECT * FROM ledger_heads WHERE subject = ?').get(subject) as
      | ChainHead
      | undefined;
    const last = prepareOnce(
      this.#database,
      'SELECT * FROM ledger WHERE subject = ? ORDER BY seq DESC LIMIT 1',
    ).get(subject) as ChainRow | undefined;
    if (isSoundEnd(this.#signingKey, subject, last, head)) return this.#states.read(subject);
    throw new GatewrightError(
      'ledger-broken',
      `The ledger of ${subject} was changed by something else; nothing is added to it.`,
      { hint: `See what is wrong with: gatewright ledger verify` },
    );
  }
}
