/** The ledger on a git ref: read from its mirror, written by moving the ref. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { EntryKind, EntryOf, LedgerEntry, NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { SubjectState } from '../../domain/ledger/subject-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fence, Ledger, News, ToldKind, VerifyReport } from '../../ports/ledger.ts';
import { SqliteLedger } from '../sqlite/sqlite-ledger.ts';
import type { SharedLedger } from './shared-ledger.ts';
import { unreadable, verifyRef } from './verify-ref.ts';

interface GitLedgerOptions {
  readonly shared: SharedLedger;
  readonly clock: Pick<Clock, 'now'>;
  readonly signingKey: string;
}

export class GitLedger implements Ledger {
  readonly #shared: SharedLedger;
  readonly #mirrored: SqliteLedger;
  readonly #signingKey: string;

  constructor({ shared, clock, signingKey }: GitLedgerOptions) {
    this.#shared = shared;
    this.#signingKey = signingKey;
    this.#mirrored = new SqliteLedger(shared.mirror.database, clock, signingKey, {
      finalise: (begin) => shared.change(begin),
      findText: (hash) => shared.findText(hash),
    });
    shared.knowTexts(() => this.#mirrored.unwritten);
  }

  async #read<T>(read: (ledger: SqliteLedger) => Promise<T>): Promise<T> {
    await this.#shared.freshen();
    return read(this.#mirrored);
  }

  append(entries: readonly NewEntry[], fence?: Fence): Promise<LedgerEntry[]> {
    return this.#mirrored.append(entries, fence);
  }

  appendNew(entries: readonly NewEntry[], fence?: Fence): Promise<(LedgerEntry | null)[]> {
    return this.#mirrored.appendNew(entries, fence);
  }

  areKnown(entries: readonly NewEntry[]): Promise<boolean[]> {
    return this.#read((ledger) => ledger.areKnown(entries));
  }

  defer(entry: NewEntry, fence: Fence): void {
    this.#mirrored.defer(entry, fence);
  }

  find<K extends EntryKind>(kind: K, key: string): Promise<EntryOf<K> | null> {
    return this.#read((ledger) => ledger.find(kind, key));
  }

  readRun(run: string): Promise<LedgerEntry[]> {
    return this.#read((ledger) => ledger.readRun(run));
  }

  readSubject(subject: Subject): Promise<LedgerEntry[]> {
    return this.#read((ledger) => ledger.readSubject(subject));
  }

  readPart(subject: Subject, after: number, limit: number): Promise<LedgerEntry[]> {
    return this.#read((ledger) => ledger.readPart(subject, after, limit));
  }

  readNews(repository: string, after: number, limit: number): Promise<News[]> {
    return this.#read((ledger) => ledger.readNews(repository, after, limit));
  }

  readPosition(): Promise<number> {
    return this.#read((ledger) => ledger.readPosition());
  }

  readWork(subject: Subject): Promise<LedgerEntry[]> {
    return this.#read((ledger) => ledger.readWork(subject));
  }

  readRefusals(subject: Subject, limit: number): Promise<EntryOf<'event-refused'>[]> {
    return this.#read((ledger) => ledger.readRefusals(subject, limit));
  }

  readTold(subject: Subject, kind: ToldKind): Promise<EntryOf<'event-received'>[]> {
    return this.#read((ledger) => ledger.readTold(subject, kind));
  }

  readState(subject: Subject): Promise<SubjectState> {
    return this.#read((ledger) => ledger.readState(subject));
  }

  /** What is on the ref, not what is in the mirror. That only says whether the ref still follows what it was before. */
  async verify(subject?: Subject): Promise<VerifyReport> {
    const { place, mirror } = this.#shared;
    const report = await verifyRef({ place, known: mirror.tip }, this.#signingKey, subject);
    if (report.problems.length > 0) return report;
    try {
      await this.#shared.freshen();
      return report;
    } catch (error) {
      return { ...report, problems: [unreadable(error)] };
    }
  }

  rebuildProjections(): Promise<number> {
    return this.#read((ledger) => ledger.rebuildProjections());
  }

  listSubjects(): Promise<Subject[]> {
    return this.#read((ledger) => ledger.listSubjects());
  }

  putText(text: string): Promise<Sha256> {
    return this.#mirrored.putText(text);
  }

  /** A text never changes: what is here needs no look at the ref. */
  async getText(hash: Sha256): Promise<string> {
    try {
      return await this.#mirrored.getText(hash);
    } catch {
      return this.#read((ledger) => ledger.getText(hash));
    }
  }

  readUsage(...asked: Parameters<Ledger['readUsage']>): ReturnType<Ledger['readUsage']> {
    return this.#read((ledger) => ledger.readUsage(...asked));
  }
}
