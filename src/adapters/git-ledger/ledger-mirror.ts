/**
 * What is on the ref, in a database: so that it is looked up, listed and added up as everywhere else. It only repeats what
 * the ref says and can be removed at any time. What comes from the ref is checked before it gets here: each entry follows
 * the one before it, and the end of each chain is signed.
 */
import { join } from 'node:path';
import type { ChainHead, ChainRow } from '../../domain/ledger/chain.ts';
import { type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { textsOfEntry } from '../../domain/ledger/texts-of-entry.ts';
import { GatewrightError } from '../../errors.ts';
import { ChainWriter } from '../sqlite/chain-writer.ts';
import { prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';
import { listProjections } from '../sqlite/list-projections.ts';
import type { LeaseRow } from '../sqlite/sqlite-leases.ts';
import { SubjectStates } from '../sqlite/subject-states.ts';
import { damaged, type NamedHead, type Segment, textFile } from './ledger-files.ts';
import { loadChains } from './load-chains.ts';

/** Where all mirrors are. */
export function mirrorsIn(dataFolder: string): string {
  return join(dataFolder, 'ledgers');
}

export interface News {
  readonly tip: string;
  readonly rows: readonly ChainRow[];
  readonly heads: readonly NamedHead[];
  readonly leases: readonly LeaseRow[];
  /** By their file; null for those that are gone. */
  readonly checkpoints: ReadonlyMap<string, string | null>;
  readonly segments: { readonly removed: readonly Segment[]; readonly added: readonly Segment[] };
}

/** How much is brought together with one text. */
const [nearSubjects, nearEntries, nearTexts] = [3, 500, 500];

const schema = `
CREATE TABLE IF NOT EXISTS mirrored (one INTEGER PRIMARY KEY CHECK (one = 1), tip TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS mirrored_segments (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS mirrored_checkpoints (path TEXT PRIMARY KEY, text TEXT NOT NULL);`;

export class LedgerMirror {
  readonly database: SqliteDatabase;
  readonly signingKey: string;
  readonly #states: SubjectStates;

  constructor(database: SqliteDatabase, signingKey: string) {
    this.database = database;
    this.signingKey = signingKey;
    this.#states = new SubjectStates(database, signingKey);
    database.exec(schema);
  }

  #all<T>(sql: string, ...values: (string | number)[]): T[] {
    return prepareOnce(this.database, sql).all(...values) as T[];
  }

  get tip(): string | null {
    return this.#all<{ tip: string }>('SELECT tip FROM mirrored')[0]?.tip ?? null;
  }

  get lastId(): number {
    return this.#all<{ id: number | null }>('SELECT max(id) AS id FROM ledger')[0]?.id ?? 0;
  }

  listSegments(): Segment[] {
    return this.#all<Segment>('SELECT first, last FROM mirrored_segments ORDER BY first');
  }

  /** From the first to the last number. */
  readRows({ first, last }: Segment): ChainRow[] {
    return this.#all<ChainRow>('SELECT * FROM ledger WHERE id BETWEEN ? AND ? ORDER BY id', first, last);
  }

  headOf(subject: Subject): NamedHead | undefined {
    return this.#all<NamedHead>('SELECT * FROM ledger_heads WHERE subject = ?', subject)[0];
  }

  leaseOf(subject: Subject): LeaseRow | undefined {
    return this.#all<LeaseRow>('SELECT * FROM leases WHERE subject = ?', subject)[0];
  }

  /** Of a run, as the ref has it: signed, and looked at when it is used. */
  checkpointsAt(path: string): string | null {
    const sql = 'SELECT text FROM mirrored_checkpoints WHERE path = ?';
    return this.#all<{ text: string }>(sql, path)[0]?.text ?? null;
  }

  runOf(run: string): { readonly subject: Subject; readonly isEnded: boolean } | undefined {
    const sql = 'SELECT subject, state FROM runs WHERE run = ?';
    const [found] = this.#all<{ subject: Subject; state: string }>(sql, run);
    if (found === undefined) return undefined;
    return { subject: found.subject, isEnded: found.state === 'done' || found.state === 'dropped' };
  }

  hasText(hash: Sha256): boolean {
    return prepareOnce(this.database, 'SELECT 1 FROM texts WHERE hash = ?').get(hash) !== undefined;
  }

  textOf(hash: Sha256): string | null {
    return this.#all<{ text: string }>('SELECT text FROM texts WHERE hash = ?', hash)[0]?.text ?? null;
  }

  /** A text, and what the newest entries of the subjects name whose entries name it; only what is not here. */
  listTextsNear(hash: Sha256): Sha256[] {
    const naming = 'SELECT DISTINCT subject FROM ledger WHERE instr(data, ?) > 0 LIMIT ?';
    const newest = 'SELECT kind, data FROM ledger WHERE subject = ? ORDER BY seq DESC LIMIT ?';
    const rows = this.#all<{ subject: Subject }>(naming, hash, nearSubjects).flatMap(({ subject }) =>
      this.#all<Pick<ChainRow, 'kind' | 'data'>>(newest, subject, nearEntries),
    );
    const named = rows.flatMap(({ kind, data }) => textsOfEntry(kind, JSON.parse(data)));
    return [...new Set([hash, ...named])].filter((one) => !this.hasText(one)).slice(0, nearTexts);
  }

  /** Texts say themselves whether they are what they should be; one more than an entry names does no harm. */
  addTexts(texts: ReadonlyMap<Sha256, string>): void {
    const add = prepareOnce(this.database, 'INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)');
    this.database.transaction(() => {
      for (const [hash, text] of texts) {
        if (sha256(text) !== hash) throw damaged(textFile(hash), 'it is another text than that of its hash');
        add.run(hash, text);
      }
    })();
  }

  /** Takes over what is new since a commit; false when another process has done so meanwhile. */
  take(since: string | null, news: News): boolean {
    return this.database
      .transaction((): boolean => {
        if (this.tip !== since) return false;
        this.#takeRows(news);
        const { removed, added } = news.segments;
        const remove = prepareOnce(
          this.database,
          'DELETE FROM mirrored_segments WHERE first = ? AND last = ?',
        );
        for (const { first, last } of removed) remove.run(first, last);
        const add = prepareOnce(this.database, 'INSERT INTO mirrored_segments (first, last) VALUES (?, ?)');
        const known = new Set(this.listSegments().map(({ first }) => first));
        for (const { first, last } of added) {
          if (known.has(first)) throw broken(`a file with the entries from ${first} on was changed`);
          add.run(first, last);
        }
        this.#checkSegments();
        const put = prepareOnce(
          this.database,
          `INSERT OR REPLACE INTO leases (subject, token, actor, host, process, process_start, since, expires)
             VALUES (@subject, @token, @actor, @host, @process, @process_start, @since, @expires)`,
        );
        for (const lease of news.leases) put.run(lease);
        this.#takeCheckpoints(news.checkpoints);
        prepareOnce(this.database, 'INSERT OR REPLACE INTO mirrored (one, tip) VALUES (1, ?)').run(news.tip);
        return true;
      })
      .immediate();
  }

  /** Forgets everything; the ref has it. */
  clear(): void {
    const tables = ['ledger', 'ledger_heads', 'subject_states', 'leases'];
    const own = ['mirrored', 'mirrored_segments', 'mirrored_checkpoints'];
    const all = [...tables, ...own, ...listProjections.map(({ table }) => table)];
    this.database.transaction(() => {
      for (const table of all) this.database.exec(`DELETE FROM ${table}`);
      this.database.exec("DELETE FROM sqlite_sequence WHERE name = 'ledger'");
    })();
  }

  #takeCheckpoints(checkpoints: News['checkpoints']): void {
    const keep = 'INSERT OR REPLACE INTO mirrored_checkpoints (path, text) VALUES (?, ?)';
    const remove = 'DELETE FROM mirrored_checkpoints WHERE path = ?';
    for (const [path, text] of checkpoints)
      if (text === null) prepareOnce(this.database, remove).run(path);
      else prepareOnce(this.database, keep).run(path, text);
  }

  /** Where the chains end with the new rows. */
  #appendRows(rows: readonly ChainRow[]): ReadonlyMap<Subject, ChainHead> {
    if (this.lastId === 0) {
      const loaded = loadChains(this.database, this.signingKey, this.#states, rows);
      if ('ends' in loaded) return loaded.ends;
      throw doesNotFollow(loaded.broken);
    }
    const writer = new ChainWriter(this.database, this.signingKey, this.#states);
    for (const row of rows) if (row.id !== this.lastId + 1 || !writer.take(row)) throw doesNotFollow(row);
    return writer.end();
  }

  #takeRows({ rows, heads }: News): void {
    const isFirst = this.lastId === 0;
    const ends = this.#appendRows(rows);
    const signed = new Map(heads.map((head) => [head.subject, head]));
    const isOurs = ({ subject, signature }: NamedHead): boolean =>
      ends.get(subject as Subject)?.signature === signature;
    if (isFirst && heads.length > 0 && !heads.some(isOurs)) throw signedOtherwise();
    for (const [subject, { seq, hash, signature }] of ends) {
      const head = signed.get(subject);
      if (head?.seq !== seq || head.hash !== hash || head.signature !== signature)
        throw broken(`the signed end of ${subject} does not match its entries`);
      signed.delete(subject);
    }
    for (const { subject, seq, hash } of signed.values()) {
      const known = this.headOf(subject);
      if (known?.seq !== seq || known.hash !== hash) throw broken(`the end of ${subject} has no entries`);
    }
  }

  /** All entries from the first to the last one, in one file each. */
  #checkSegments(): void {
    let next = 1;
    for (const { first, last } of this.listSegments()) {
      if (first !== next) throw broken(`the entries from ${next} on are missing`);
      next = last + 1;
    }
    if (next !== this.lastId + 1) throw broken(`the entries from ${next} on are missing`);
  }
}

function doesNotFollow({ id, seq, subject }: ChainRow): GatewrightError {
  return broken(`entry ${seq} of ${subject} (number ${id}) does not follow the one before it`);
}

export const nothingOurs = 'nothing on the git ref is signed with the key of this machine';

/** Also what a ref looks like on which every signature was changed. */
function signedOtherwise(): GatewrightError {
  return new GatewrightError('ledger-broken', `The ledger cannot be used here: ${nothingOurs}.`, {
    hint: 'Set GATEWRIGHT_LEDGER_KEY to the key that the ledger was begun with: on GitHub it is a secret of the repository or organisation, and cannot be read there. If the key is lost, see "On a git ref" in docs/ledger.md.',
  });
}

export function broken(what: string): GatewrightError {
  return new GatewrightError(
    'ledger-broken',
    `The ledger on the git ref was changed by something else: ${what}.`,
    {
      hint: 'See what is wrong with: gatewright ledger verify',
    },
  );
}
