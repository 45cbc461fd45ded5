/** The ledger on SQLite. */
import type { Usage } from '../../domain/budget.ts';
import { isSignatureValid, type Sha256, sha256, signText } from '../../domain/hash.ts';
import {
  type ChainProblem,
  chainStart,
  type EntryKind,
  type EntryOf,
  type HashedFields,
  hashEntry,
  type LedgerEntry,
  type NewEntry,
  serialiseData,
} from '../../domain/ledger-entry.ts';
import type { Subject } from '../../domain/subject.ts';
import { textsOfEntry } from '../../domain/texts-of-entry.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fence, Ledger, VerifyReport } from '../../ports/ledger.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { sumUsage } from './sum-usage.ts';

interface Row extends HashedFields {
  readonly id: number;
  readonly hash: string;
}

interface Head {
  readonly seq: number;
  readonly hash: string;
  readonly signature: string;
}

function toEntry(row: Row): LedgerEntry {
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

/** The texts that an entry names; none when it cannot be read, which its hash tells. */
function textsOfRow(row: Row): Sha256[] {
  try {
    return textsOfEntry(row.kind, JSON.parse(String(row.data)));
  } catch {
    return [];
  }
}

function headText(subject: Subject, head: { seq: number; hash: string }): string {
  return `ledger-head\n${subject}\n${head.seq}\n${head.hash}`;
}

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

  async append(entries: readonly NewEntry[], fence?: Fence): Promise<LedgerEntry[]> {
    const write = this.#database.transaction(() => {
      if (fence !== undefined && !this.#isCurrent(fence)) {
        throw new GatewrightError(
          'lease-lost',
          `Another process took over ${fence.subject}; this one stops.`,
        );
      }
      this.#writeTexts();
      for (const { entry, fence: own } of this.#deferred) {
        // Whoever put it aside has lost the subject meanwhile: it is not theirs to write any more.
        if (this.#isCurrent(own) && !this.#exists(entry)) this.#appendOne(entry);
      }
      return entries.map((entry) => this.#appendOne(entry));
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
    prepareOnce(
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
      signature: signText(this.#signingKey, headText(entry.subject, { seq: fields.seq, hash })),
    });
    return { ...entry, seq: fields.seq, at: fields.at, previous: fields.previous, hash };
  }

  /** The end of a chain to build on. What was tampered with is not built on: a new signature would vouch for it. */
  #soundHead(subject: Subject): Head | undefined {
    const head = prepareOnce(this.#database, 'SELECT * FROM ledger_heads WHERE subject = ?').get(subject) as
      | Head
      | undefined;
    const last = prepareOnce(
      this.#database,
      'SELECT * FROM ledger WHERE subject = ? ORDER BY seq DESC LIMIT 1',
    ).get(subject) as Row | undefined;
    if (
      this.#verifyHead(subject, last, head).length > 0 ||
      (last !== undefined && hashEntry(last) !== last.hash)
    ) {
      throw new GatewrightError(
        'ledger-broken',
        `The ledger of ${subject} was changed by something else; nothing is added to it.`,
        {
          hint: `See what is wrong with: gatewright ledger verify`,
        },
      );
    }
    return head;
  }

  async find<K extends EntryKind>(kind: K, key: string): Promise<EntryOf<K> | null> {
    return this.#guard(() => {
      const row = prepareOnce(this.#database, 'SELECT * FROM ledger WHERE kind = ? AND key = ?').get(
        kind,
        key,
      ) as Row | undefined;
      return row === undefined ? null : (toEntry(row) as EntryOf<K>);
    });
  }

  #readRows(where: string, value: string): Row[] {
    return this.#guard(
      () =>
        prepareOnce(this.#database, `SELECT * FROM ledger WHERE ${where} ORDER BY id`).all(value) as Row[],
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
    return this.#guard(() => {
      const subjects = (
        subject === undefined
          ? prepareOnce(this.#database, 'SELECT subject FROM ledger UNION SELECT subject FROM ledger_heads')
              .pluck()
              .all()
          : [subject]
      ) as Subject[];
      const problems: ChainProblem[] = [];
      let entries = 0;
      for (const one of subjects) {
        const rows = prepareOnce(this.#database, 'SELECT * FROM ledger WHERE subject = ? ORDER BY seq').all(
          one,
        ) as Row[];
        const head = prepareOnce(this.#database, 'SELECT * FROM ledger_heads WHERE subject = ?').get(one) as
          | Head
          | undefined;
        entries += rows.length;
        problems.push(...this.#verifyChain(one, rows, head), ...this.#verifyTexts(one, rows));
      }
      return { subjects: subjects.length, entries, problems };
    });
  }

  #verifyChain(subject: Subject, rows: readonly Row[], head: Head | undefined): ChainProblem[] {
    const problems: ChainProblem[] = [];
    let previous = chainStart;
    let expectedSeq = 1;
    let lastId = 0;
    for (const row of rows) {
      const at = { subject, seq: row.seq, kind: row.kind };
      const isSound = hashEntry(row) === row.hash;
      if (!isSound) {
        problems.push({ ...at, problem: 'changed', explanation: 'its content no longer matches its hash' });
      }
      if (row.seq !== expectedSeq) {
        const missing = row.seq - expectedSeq;
        problems.push({
          subject,
          seq: expectedSeq,
          kind: '',
          problem: 'removed',
          explanation: missing === 1 ? 'the entry is missing' : `${missing} entries are missing from here`,
        });
      } else if (row.previous !== previous || row.id < lastId) {
        problems.push({ ...at, problem: 'reordered', explanation: 'it does not follow the entry before it' });
      }
      previous = row.hash;
      expectedSeq = row.seq + 1;
      lastId = row.id;
    }
    return [...problems, ...this.#verifyHead(subject, rows.at(-1), head)];
  }

  /** The texts that entries name by their hash are part of what they say. */
  #verifyTexts(subject: Subject, rows: readonly Row[]): ChainProblem[] {
    const read = prepareOnce(this.#database, 'SELECT text FROM texts WHERE hash = ?').pluck();
    const problems: ChainProblem[] = [];
    const sound = new Set<string>();
    for (const row of rows) {
      const at = { subject, seq: row.seq, kind: row.kind };
      const named = new Set(textsOfRow(row));
      for (const [hash] of String(row.data).matchAll(/\b[0-9a-f]{64}\b/gu)) {
        const text = sound.has(hash) ? undefined : read.get(hash);
        if (typeof text !== 'string') continue;
        if (sha256(text) === hash) sound.add(hash);
        else {
          const explanation = `the text kept under ${hash} is another one now`;
          problems.push({ ...at, problem: 'changed', explanation });
        }
        named.delete(hash);
      }
      for (const hash of named) {
        if (sound.has(hash)) continue;
        problems.push({ ...at, problem: 'removed', explanation: `the text kept under ${hash} is gone` });
      }
    }
    return problems;
  }

  #verifyHead(subject: Subject, last: Row | undefined, head: Head | undefined): ChainProblem[] {
    if (head === undefined) {
      return last === undefined
        ? []
        : [
            {
              subject,
              seq: last.seq,
              kind: last.kind,
              problem: 'head',
              explanation: 'the signed end of the chain is missing',
            },
          ];
    }
    if (last === undefined || head.seq > last.seq) {
      const from = (last?.seq ?? 0) + 1;
      return [
        {
          subject,
          seq: from,
          kind: '',
          problem: 'removed',
          explanation: `entries ${from} to ${head.seq} were cut off the end`,
        },
      ];
    }
    if (
      head.hash !== last.hash ||
      !isSignatureValid(this.#signingKey, headText(subject, head), head.signature)
    ) {
      return [
        {
          subject,
          seq: last.seq,
          kind: last.kind,
          problem: 'head',
          explanation: 'the signed end of the chain does not match it',
        },
      ];
    }
    return [];
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
