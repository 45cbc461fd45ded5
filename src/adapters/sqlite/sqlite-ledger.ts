/** The ledger on SQLite. */

import type { ChainRow } from '../../domain/ledger/chain.ts';
import { type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import type { EntryKind, EntryOf, LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import { mayWaitForDisk } from '../../domain/ledger/may-wait-for-disk.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { SubjectState } from '../../domain/ledger/subject-state.ts';
import type { Usage } from '../../domain/models/budget.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fence, Ledger, News, ToldKind, VerifyReport } from '../../ports/ledger.ts';
import { ChainWriter } from './chain-writer.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { listProjections } from './list-projections.ts';
import { inRepository, toEntry } from './read-entry.ts';
import { SubjectStates } from './subject-states.ts';
import { sumUsage } from './sum-usage.ts';
import { rebuildTable } from './table-projection.ts';
import { verifyLedger } from './verify-ledger.ts';
import { withoutSync } from './without-sync.ts';

/** In the form of the index: whatever is told twice is one event, also when two processes are told at once. */
const findHappening = `SELECT 1 FROM ledger
  WHERE kind = 'event-received' AND json_extract(data, '$.happening') = ?`;

/** One transaction that is to be made final. */
export interface Writing<T> {
  /** Makes all changes, in one transaction; nothing when it throws. */
  readonly run: () => T;
  readonly kinds: readonly EntryKind[];
  /** What goes with it. */
  readonly texts: ReadonlyMap<Sha256, string>;
  /** Called once it is final, before the next one begins. */
  readonly done: () => void;
}

/** Makes transactions final, one at a time. @param begin looks at what there is to write now */
export type Finalise = <T>(begin: () => Writing<T>) => Promise<T>;

/** Where the database is not all that there is of a ledger. */
interface Elsewhere {
  /** Where a commit to the database is not all that it takes. */
  readonly finalise?: Finalise;
  /** Looks for a text that the database does not have. */
  readonly findText?: (hash: Sha256) => Promise<string | null>;
}

export class SqliteLedger implements Ledger {
  readonly #database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #signingKey: string;
  readonly #states: SubjectStates;
  /**
   * Texts that no entry names yet. They go to disk in the same transaction as the entry that does: never later than
   * it, and without a wait for the disk of their own.
   */
  readonly #unwritten = new Map<Sha256, string>();
  readonly #deferred: { readonly entry: NewEntry; readonly fence: Fence }[] = [];
  readonly #finalise: Finalise;
  readonly #findText: (hash: Sha256) => Promise<string | null>;

  constructor(
    database: SqliteDatabase,
    clock: Pick<Clock, 'now'>,
    signingKey: string,
    { finalise, findText }: Elsewhere = {},
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#signingKey = signingKey;
    this.#states = new SubjectStates(database, signingKey);
    this.#finalise = finalise ?? ((begin) => this.#commit(begin()));
    this.#findText = findText ?? (async () => null);
  }

  async #commit<T>({ run, kinds, done }: Writing<T>): Promise<T> {
    const written = mayWaitForDisk(kinds) ? withoutSync(this.#database, run) : run();
    done();
    return written;
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
    return this.#write(entries, fence, (writer) =>
      entries.map((entry) => {
        if (!this.#exists(entry)) return this.#appendOne(writer, entry);
        throw new GatewrightError(
          'ledger-conflict',
          `The ledger already has a "${entry.kind}" entry for ${entry.key}.`,
        );
      }),
    );
  }

  appendNew(entries: readonly NewEntry[], fence?: Fence): Promise<(LedgerEntry | null)[]> {
    return this.#write(entries, fence, (writer) =>
      entries.map((entry) => (this.#exists(entry) ? null : this.#appendOne(writer, entry))),
    );
  }

  async areKnown(entries: readonly NewEntry[]): Promise<boolean[]> {
    return this.#guard(() => entries.map((entry) => this.#exists(entry)));
  }

  /** One transaction, together with the texts and entries that were deferred until it. */
  #write<T>(
    entries: readonly NewEntry[],
    fence: Fence | undefined,
    work: (writer: ChainWriter) => T,
  ): Promise<T> {
    return this.#finalise(() => {
      const deferred = [...this.#deferred];
      const texts = new Map(this.#unwritten);
      const write = this.#database.transaction(() => {
        if (fence !== undefined && !this.#isCurrent(fence)) {
          throw new GatewrightError(
            'lease-lost',
            `Another process took over ${fence.subject}; this one stops.`,
          );
        }
        this.#writeTexts(texts);
        const writer = new ChainWriter(this.#database, this.#signingKey, this.#states);
        for (const { entry, fence: own } of deferred) {
          // The run that deferred this entry has lost its lease meanwhile, so the entry must not be written.
          if (this.#isCurrent(own) && !this.#exists(entry)) this.#appendOne(writer, entry);
        }
        const written = work(writer);
        writer.end();
        return written;
      });
      return {
        run: () => this.#guard(() => write.immediate()),
        kinds: [...deferred.map(({ entry }) => entry), ...entries].map(({ kind }) => kind),
        texts,
        done: () => {
          for (const hash of texts.keys()) this.#unwritten.delete(hash);
          this.#deferred.splice(0, deferred.length);
        },
      };
    });
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

  #writeTexts(texts: ReadonlyMap<Sha256, string>): void {
    const keep = prepareOnce(this.#database, 'INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)');
    for (const [hash, text] of texts) keep.run(hash, text);
  }

  #isCurrent(fence: Fence): boolean {
    const token = prepareOnce(this.#database, 'SELECT token FROM leases WHERE subject = ?')
      .pluck()
      .get(fence.subject);
    return token === fence.token;
  }

  #appendOne(writer: ChainWriter, entry: NewEntry): LedgerEntry {
    return writer.append(entry, this.#clock.now().toISOString());
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

  #readAll(sql: string, ...values: (string | number)[]): LedgerEntry[] {
    return this.#guard(() => (prepareOnce(this.#database, sql).all(...values) as ChainRow[]).map(toEntry));
  }

  async readRun(run: string): Promise<LedgerEntry[]> {
    return this.#readRows('run = ?', run).map(toEntry);
  }

  async readSubject(subject: Subject): Promise<LedgerEntry[]> {
    return this.#readRows('subject = ?', subject).map(toEntry);
  }

  async readPart(subject: Subject, after: number, limit: number): Promise<LedgerEntry[]> {
    return this.#readAll(
      'SELECT * FROM ledger WHERE subject = ? AND seq > ? ORDER BY seq LIMIT ?',
      ...[subject, after, Math.max(0, limit)],
    );
  }

  async readNews(repository: string, after: number, limit: number): Promise<News[]> {
    return this.#guard(() => {
      const sql = `SELECT * FROM ledger WHERE id > @after AND ${inRepository('subject')} ORDER BY id LIMIT @limit`;
      const rows = prepareOnce(this.#database, sql).all({ repository, after, limit: Math.max(0, limit) });
      return (rows as ChainRow[]).map((row) => ({ position: row.id, entry: toEntry(row) }));
    });
  }

  async readPosition(): Promise<number> {
    const sql = 'SELECT coalesce(max(id), 0) FROM ledger';
    return this.#guard(() => prepareOnce(this.#database, sql).pluck().get() as number);
  }

  async readRefusals(subject: Subject, limit: number): Promise<EntryOf<'event-refused'>[]> {
    const sql = `SELECT * FROM ledger WHERE subject = ? AND kind = 'event-refused' ORDER BY id DESC LIMIT ?`;
    return this.#readAll(sql, subject, limit) as EntryOf<'event-refused'>[];
  }

  async readTold(subject: Subject, kind: ToldKind): Promise<EntryOf<'event-received'>[]> {
    // With the same words as the index, or SQLite does not use it.
    const sql = `SELECT * FROM ledger WHERE subject = ? AND kind = 'event-received'
       AND json_extract(data, '$.kind') IN ('labeled', 'pull-request-dequeued')
       AND json_extract(data, '$.kind') = ? ORDER BY id`;
    return this.#readAll(sql, subject, kind) as EntryOf<'event-received'>[];
  }

  async readWork(subject: Subject): Promise<LedgerEntry[]> {
    return this.#readRows("run <> '' AND subject = ?", subject).map(toEntry);
  }

  async readState(subject: Subject): Promise<SubjectState> {
    const read = this.#database.transaction(() => this.#states.read(subject).state);
    return this.#guard(() => read());
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
    const lists = this.#database.transaction(() =>
      listProjections.reduce(
        (count, one) => count + rebuildTable(this.#database, one),
        this.#states.removeStray(),
      ),
    );
    const state = this.#database.transaction((subject: Subject) => this.#states.rebuild(subject));
    let count = this.#guard(() => lists.immediate());
    // One transaction for each subject: another process that writes meanwhile waits for one of them at most.
    for (const subject of await this.listSubjects())
      if (this.#guard(() => state.immediate(subject))) count += 1;
    return count;
  }

  async putText(text: string): Promise<Sha256> {
    const hash = sha256(text);
    this.#unwritten.set(hash, text);
    return hash;
  }

  /** Texts that no entry names yet. */
  get unwritten(): ReadonlyMap<Sha256, string> {
    return this.#unwritten;
  }

  /** For what names a text by its hash outside the ledger: without it, a text waits for the next entry. */
  keepTexts(): void {
    this.#writeTexts(this.#unwritten);
  }

  async getText(hash: Sha256): Promise<string> {
    const kept = this.#guard(
      () =>
        this.#unwritten.get(hash) ??
        prepareOnce(this.#database, 'SELECT text FROM texts WHERE hash = ?').pluck().get(hash),
    );
    const text = typeof kept === 'string' ? kept : await this.#findText(hash);
    if (text === null) throw new GatewrightError('ledger-broken', `No text is kept under the hash ${hash}.`);
    if (sha256(text) !== hash)
      throw new GatewrightError('ledger-broken', `The text kept under the hash ${hash} was changed.`);
    return text;
  }

  async readUsage(
    run: string,
    subject: Subject,
    since: string,
  ): Promise<Record<'run' | 'issue' | 'day', Usage>> {
    return this.#guard(() => sumUsage(this.#database, run, subject, since));
  }
}
