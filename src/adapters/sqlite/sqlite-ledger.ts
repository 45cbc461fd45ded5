/** The ledger on SQLite. */
import type { Usage } from '../../domain/budget.ts';
import { type Sha256, sha256 } from '../../domain/hash.ts';
import { type ChainHead, type ChainRow, isSoundEnd, signHead } from '../../domain/ledger/chain.ts';
import {
  chainStart,
  type EntryKind,
  type EntryOf,
  hashEntry,
  type LedgerEntry,
  type NewEntry,
  serialiseData,
} from '../../domain/ledger-entry.ts';
import type { Subject } from '../../domain/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fence, Ledger, VerifyReport } from '../../ports/ledger.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { foldOpenEvents, rebuildOpenEvents } from './open-events.ts';
import { sumUsage } from './sum-usage.ts';
import { verifyLedger } from './verify-ledger.ts';

function toEntry(row: ChainRow): LedgerEntry {
  const { id: _, key, data, ...fields } = row;
  // The chain vouches for the row: whoever reads what may have been tampered with asks `verify`.
  try {
    return { ...fields, ...(key === null ? {} : { key }), data: JSON.parse(data) } as LedgerEntry;
  } catch (cause) {
    throw new GatewrightError('ledger-broken', `Entry ${row.seq} of ${row.subject} cannot be read.`, {
      cause,
    });
  }
}

/** In the form of the index: whatever is told twice is one event, also when two processes are told at once. */
const findHappening = `SELECT 1 FROM ledger
  WHERE kind = 'event-received' AND json_extract(data, '$.happening') = ?`;

export class SqliteLedger implements Ledger {
  readonly #database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #signingKey: string;
  /**
   * Texts that no entry names yet. They go to disk in the same transaction as the entry that does: never later than
   * it, and without a wait for the disk of their own.
   */
  readonly #unwritten = new Map<Sha256, string>();
  readonly #deferred: { readonly entry: NewEntry; readonly fence: Fence }[] = [];

  constructor(database: SqliteDatabase, clock: Pick<Clock, 'now'>, signingKey: string) {
    this.#database = database;
    this.#clock = clock;
    this.#signingKey = signingKey;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof GatewrightError) throw error;
      return explainDatabaseError(error, this.#database.name);
    }
  }

  append(entries: readonly NewEntry[], fence?: Fence): Promise<LedgerEntry[]> {
    return this.#write(fence, () => entries.map((entry) => this.#appendOne(entry)));
  }

  appendNew(entries: readonly NewEntry[], fence?: Fence): Promise<(LedgerEntry | null)[]> {
    return this.#write(fence, () =>
      entries.map((entry) => (this.#exists(entry) ? null : this.#appendOne(entry))),
    );
  }

  async areKnown(entries: readonly NewEntry[]): Promise<boolean[]> {
    return this.#guard(() => entries.map((entry) => this.#exists(entry)));
  }

  /** One transaction, with what was put aside for it. */
  async #write<T>(fence: Fence | undefined, work: () => T): Promise<T> {
    const write = this.#database.transaction(() => {
      if (fence !== undefined && !this.#isCurrent(fence)) {
        throw new GatewrightError(
          'lease-lost',
          `Another process took over ${fence.subject}; this one stops.`,
        );
      }
      this.#writeTexts();
      for (const { entry, fence: own } of this.#deferred) {
        // The process that put it aside has lost the subject meanwhile, and may not write it any more.
        if (this.#isCurrent(own) && !this.#exists(entry)) this.#appendOne(entry);
      }
      return work();
    });
    const written = this.#guard(() => write.immediate());
    this.#unwritten.clear();
    this.#deferred.length = 0;
    return written;
  }

  defer(entry: NewEntry, fence: Fence): void {
    this.#deferred.push({ entry, fence });
  }

  #exists(entry: NewEntry): boolean {
    if (entry.key === undefined) return false;
    if (entry.kind === 'event-received' && entry.data.happening !== undefined) {
      const told = prepareOnce(this.#database, findHappening).get(entry.data.happening);
      if (told !== undefined) return true;
    }
    const found = prepareOnce(this.#database, 'SELECT 1 FROM ledger WHERE kind = ? AND key = ?').get(
      entry.kind,
      entry.key,
    );
    return found !== undefined;
  }

  #writeTexts(): void {
    const keep = prepareOnce(this.#database, 'INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)');
    for (const [hash, text] of this.#unwritten) keep.run(hash, text);
  }

  #isCurrent(fence: Fence): boolean {
    const token = prepareOnce(this.#database, 'SELECT token FROM leases WHERE subject = ?')
      .pluck()
      .get(fence.subject);
    return token === fence.token;
  }

  #appendOne(entry: NewEntry): LedgerEntry {
    const key = entry.key ?? null;
    if (this.#exists(entry)) {
      throw new GatewrightError(
        'ledger-conflict',
        `The ledger already has a "${entry.kind}" entry for ${key}.`,
      );
    }
    const head = this.#soundHead(entry.subject);
    const fields = {
      subject: entry.subject,
      seq: (head?.seq ?? 0) + 1,
      at: this.#clock.now().toISOString(),
      kind: entry.kind,
      run: entry.run,
      actor: entry.actor,
      key,
      data: serialiseData(entry.data),
      previous: head?.hash ?? chainStart,
    };
    const hash = hashEntry(fields);
    const { lastInsertRowid } = prepareOnce(
      this.#database,
      `INSERT INTO ledger (subject, seq, at, kind, run, actor, key, data, previous, hash)
         VALUES (@subject, @seq, @at, @kind, @run, @actor, @key, @data, @previous, @hash)`,
    ).run({ ...fields, hash });
    prepareOnce(
      this.#database,
      `INSERT INTO ledger_heads (subject, seq, hash, signature) VALUES (@subject, @seq, @hash, @signature)
         ON CONFLICT (subject) DO UPDATE SET seq = @seq, hash = @hash, signature = @signature`,
    ).run({
      subject: entry.subject,
      seq: fields.seq,
      hash,
      signature: signHead(this.#signingKey, entry.subject, { seq: fields.seq, hash }),
    });
    const written = {
      ...entry,
      seq: fields.seq,
      at: fields.at,
      previous: fields.previous,
      hash,
    } as LedgerEntry;
    foldOpenEvents(this.#database, written, lastInsertRowid);
    return written;
  }

  /** The end of a chain to build on. What was tampered with is not built on: a new signature would vouch for it. */
  #soundHead(subject: Subject): ChainHead | undefined {
    const head = prepareOnce(this.#database, 'SELECT * FROM ledger_heads WHERE subject = ?').get(subject) as
      | ChainHead
      | undefined;
    const last = prepareOnce(
      this.#database,
      'SELECT * FROM ledger WHERE subject = ? ORDER BY seq DESC LIMIT 1',
    ).get(subject) as ChainRow | undefined;
    if (isSoundEnd(this.#signingKey, subject, last, head)) return head;
    throw new GatewrightError(
      'ledger-broken',
      `The ledger of ${subject} was changed by something else; nothing is added to it.`,
      { hint: `See what is wrong with: gatewright ledger verify` },
    );
  }

  async find<K extends EntryKind>(kind: K, key: string): Promise<EntryOf<K> | null> {
    return this.#guard(() => {
      const row = prepareOnce(this.#database, 'SELECT * FROM ledger WHERE kind = ? AND key = ?').get(
        kind,
        key,
      ) as ChainRow | undefined;
      return row === undefined ? null : (toEntry(row) as EntryOf<K>);
    });
  }

  #readRows(where: string, value: string): ChainRow[] {
    return this.#guard(
      () =>
        prepareOnce(this.#database, `SELECT * FROM ledger WHERE ${where} ORDER BY id`).all(
          value,
        ) as ChainRow[],
    );
  }

  async readRun(run: string): Promise<LedgerEntry[]> {
    return this.#readRows('run = ?', run).map(toEntry);
  }

  async readSubject(subject: Subject): Promise<LedgerEntry[]> {
    return this.#readRows('subject = ?', subject).map(toEntry);
  }

  async listSubjects(): Promise<Subject[]> {
    return this.#guard(
      () =>
        prepareOnce(this.#database, 'SELECT subject FROM ledger GROUP BY subject ORDER BY max(id) DESC')
          .pluck()
          .all() as Subject[],
    );
  }

  async verify(subject?: Subject): Promise<VerifyReport> {
    const read = this.#database.transaction(() => verifyLedger(this.#database, this.#signingKey, subject));
    return this.#guard(() => read());
  }

  async rebuildProjections(): Promise<number> {
    const rebuild = this.#database.transaction(() => rebuildOpenEvents(this.#database));
    return this.#guard(() => rebuild.immediate());
  }

  async putText(text: string): Promise<Sha256> {
    const hash = sha256(text);
    this.#unwritten.set(hash, text);
    return hash;
  }

  async getText(hash: Sha256): Promise<string> {
    return this.#guard(() => {
      const text =
        this.#unwritten.get(hash) ??
        prepareOnce(this.#database, 'SELECT text FROM texts WHERE hash = ?').pluck().get(hash);
      if (typeof text !== 'string')
        throw new GatewrightError('ledger-broken', `No text is kept under the hash ${hash}.`);
      if (sha256(text) !== hash) {
        throw new GatewrightError('ledger-broken', `The text kept under the hash ${hash} was changed.`);
      }
      return text;
    });
  }

  async readUsage(
    run: string,
    subject: Subject,
    since: string,
  ): Promise<Record<'run' | 'issue' | 'day', Usage>> {
    return this.#guard(() => sumUsage(this.#database, run, subject, since));
  }
}
