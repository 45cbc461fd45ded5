/**
 * Appends to chains within one transaction. The end of a chain is looked at once, and signed once when all is appended,
 * together with what the chain comes to then.
 */
import { type ChainHead, type ChainRow, isSoundEnd, signHead } from '../../domain/ledger/chain.ts';
import {
  chainStart,
  hashEntry,
  type LedgerEntry,
  type NewEntry,
  serialiseData,
} from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { foldLists } from './list-projections.ts';
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
    const { subject, kind, run, actor } = entry;
    const chain = this.#chains.get(subject) ?? this.#readSound(subject);
    const data = serialiseData(entry.data);
    const previous = chain.seq === 0 ? chainStart : chain.hash;
    const fields = {
      subject,
      seq: chain.seq + 1,
      at,
      kind,
      run,
      actor,
      key: entry.key ?? null,
      data,
      previous,
    };
    const hash = hashEntry(fields);
    const { lastInsertRowid } = prepareOnce(
      this.#database,
      `INSERT INTO ledger (subject, seq, at, kind, run, actor, key, data, previous, hash)
         VALUES (@subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)`,
    ).run({ ...fields, hash });
    const written = { ...entry, seq: fields.seq, at, previous, hash } as LedgerEntry;
    foldLists(this.#database, written, lastInsertRowid);
    this.#chains.set(subject, this.#states.fold(chain, written));
    return written;
  }

  /** Nothing may be appended after it. */
  end(): void {
    const sign = prepareOnce(
      this.#database,
      `INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES (@subject, @seq, @hash, @signature)
         ON CONFLICT (subject) DO UPDATE SET seq = @seq, hash = @hash, signature = @signature`,
    );
    for (const [subject, folded] of this.#chains) {
      const { seq, hash } = folded;
      sign.run({ subject, seq, hash, signature: signHead(this.#signingKey, subject, { seq, hash }) });
      this.#states.write(subject, folded);
    }
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
