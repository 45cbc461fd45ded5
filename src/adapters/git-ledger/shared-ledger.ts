/**
 * A ledger that several machines share through a git ref. What one of them writes is tried out in its mirror, made a
 * commit on top of the newest one, and pushed; it counts when the ref has moved from exactly there. If another was first,
 * its entries are taken over and the same is tried again, so that a key, a lease and a chain are decided by one order.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ChainRow } from '../../domain/ledger/chain.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  checkFormat,
  format,
  formatFile,
  headFile,
  leaseFile,
  readHead,
  readLease,
  readPath,
  readRows,
  segmentFile,
  textFile,
  writeHead,
  writeLease,
  writeRows,
} from './ledger-files.ts';
import { broken, type LedgerMirror, type News } from './ledger-mirror.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { planSegments } from './plan-segments.ts';
import {
  type ChangedFile,
  findPaths,
  listChanged,
  listFiles,
  readObjects,
  readPaths,
} from './read-commit.ts';
import { WaitingCheckpoints } from './waiting-checkpoints.ts';
import { type FileChanges, writeCommit } from './write-commit.ts';

/** So often another may be first; with the pauses in between that is minutes. */
const mostAttempts = 60;
const longestPause = 2_000;

/** Undoes a transaction that was only tried out. */
class TriedOut extends Error {}

interface Change {
  readonly texts?: ReadonlyMap<Sha256, string>;
  /** Whose lease may be changed. */
  readonly lease?: Subject;
}

interface Trial<T> {
  readonly result: T;
  readonly news: Omit<News, 'tip'>;
  readonly texts: ReadonlyMap<Sha256, string>;
  readonly files: FileChanges;
  readonly message: string;
}

export interface SharedLedgerOptions {
  readonly place: LedgerPlace;
  readonly mirror: LedgerMirror;
  readonly clock: Pick<Clock, 'now'>;
  /** In milliseconds: what was fetched so long ago is new enough to be read. Writing never depends on it. */
  readonly freshFor: number;
}

export class SharedLedger {
  readonly place: LedgerPlace;
  readonly mirror: LedgerMirror;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #freshFor: number;
  /** Those of this process; they go with the next commit. */
  readonly checkpoints: WaitingCheckpoints;
  /** Of the leases that this process took. */
  readonly #tokens = new Map<Subject, number>();
  /** Texts that no entry names yet. */
  #unwritten: () => ReadonlyMap<Sha256, string> = () => new Map();
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ place, mirror, clock, freshFor }: SharedLedgerOptions) {
    this.place = place;
    this.mirror = mirror;
    this.#clock = clock;
    this.#freshFor = freshFor;
    this.checkpoints = new WaitingCheckpoints(mirror, (subject) => this.#tokens.get(subject));
  }

  /** @param unwritten what checkpoints may name by its hash and no entry does yet */
  knowTexts(unwritten: () => ReadonlyMap<Sha256, string>): void {
    this.#unwritten = unwritten;
  }

  /** Says which lease this process has. What waited under an earlier one was lost with it. */
  hold(subject: Subject, token: number): void {
    this.checkpoints.forget(subject);
    this.#tokens.set(subject, token);
  }

  /** One after another: two that fetch and push at once would only get into each other's way. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Makes the mirror new enough to be read. */
  async freshen(): Promise<void> {
    if (performance.now() - this.#fetchedAt < this.#freshFor) return;
    await this.#inTurn(async () => {
      if (performance.now() - this.#fetchedAt >= this.#freshFor) await this.#fetch();
    });
  }

  /**
   * Makes a change final. @param begin says what there is to do now; `run` is one transaction on the mirror, which is tried
   * out, and tried out again after another was first. Nothing is changed when it throws.
   */
  change<T>(begin: () => Change & { readonly run: () => T; readonly done?: () => void }): Promise<T> {
    return this.#inTurn(async () => {
      const { run, done, ...change } = begin();
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        // A lease that was given back meanwhile is free: what was fetched before does not say so.
        const isFresh = attempt > 1 || change.lease !== undefined || this.mirror.tip === null;
        if (isFresh) await this.#fetch();
        const since = this.mirror.tip;
        const trial = await this.#withoutKnownTexts(this.#tryOut(change, run, isFresh));
        // What is refused, and what changes nothing, is not pushed: only what is new shows whether it still holds.
        if (trial === null || (trial.files.size === 0 && !isFresh)) continue;
        if (trial.files.size === 0 || (await this.#publish(since, trial))) {
          done?.();
          return trial.result;
        }
        await wait(Math.random() * Math.min(longestPause, 20 * 2 ** Math.min(attempt, 10)));
      }
      throw new GatewrightError('git-busy', 'The ledger on the git ref changed too often meanwhile.');
    });
  }

  async #publish<T>(since: string | null, { files, message, news, texts }: Trial<T>): Promise<boolean> {
    const all = since === null ? new Map([[formatFile, format], ...files]) : files;
    const at = this.#clock.now().getTime();
    const commit = await writeCommit(this.place, since, { changes: all, message, at });
    if (!(await this.place.push(since, commit))) return this.#isIn(commit);
    this.mirror.addTexts(texts);
    // Another process with the same mirror may have taken it over already.
    this.mirror.take(since, { ...news, tip: commit });
    this.checkpoints.sent(news.checkpoints);
    return true;
  }

  /**
   * A text that the ref has and the mirror does not have yet. Those that are named near it come along, so that a job asks
   * the server a few times and not for each.
   */
  async findText(hash: Sha256): Promise<string | null> {
    const { tip } = this.mirror;
    if (tip === null) return null;
    // It came along with another one after a copy of the mirror was made, and the copy is what is read.
    const known = this.mirror.textOf(hash);
    if (known !== null) return known;
    const files = new Map(this.mirror.listTextsNear(hash).map((one) => [textFile(one), one]));
    const found = await readPaths(this.place, tip, [...files.keys()]);
    this.mirror.addTexts(new Map([...found].map(([path, text]) => [files.get(path) ?? '', text])));
    return found.get(textFile(hash)) ?? null;
  }

  /** The mirror does not know all texts of the ref. What is there already makes no commit of its own. */
  async #withoutKnownTexts<T>(trial: Trial<T> | null): Promise<Trial<T> | null> {
    const { tip } = this.mirror;
    if (trial === null || tip === null || trial.texts.size === 0 || trial.news.rows.length > 0) return trial;
    const there = await findPaths(this.place, tip, [...trial.texts.keys()].map(textFile));
    return {
      ...trial,
      texts: new Map([...trial.texts].filter(([hash]) => !there.has(textFile(hash)))),
      files: new Map(
        [...trial.files].filter(([path]) => !there.has(path) || readPath(path)?.kind !== 'text'),
      ),
    };
  }

  /** Whether a commit is part of the ledger although pushing it seemed to fail, and others came after it. */
  async #isIn(commit: string): Promise<boolean> {
    const tip = await this.place.fetch(commit);
    if (tip === null) return false;
    if ((await this.place.follows(tip, commit)) !== true) return false;
    await this.#fetch();
    return true;
  }

  /** Runs a transaction on the mirror, looks at what it changed, and undoes it. Null when it has to be looked at anew. */
  #tryOut<T>({ texts = new Map(), lease }: Change, run: () => T, isFresh: boolean): Trial<T> | null {
    const { mirror } = this;
    const last = mirror.lastId;
    const leaseBefore = lease === undefined ? undefined : mirror.leaseOf(lease);
    const isNew = ([hash]: [Sha256, string]): boolean => !mirror.hasText(hash);
    const newTexts = [...texts].filter(isNew);
    const otherTexts = [...this.#unwritten()].filter(isNew);
    let trial: Trial<T> | undefined;
    const attempt = mirror.database.transaction(() => {
      const result = run();
      const rows = mirror.readRows({ first: last + 1, last: mirror.lastId });
      const heads = [...new Set(rows.map(({ subject }) => subject))].flatMap(
        (one) => mirror.headOf(one) ?? [],
      );
      const leaseNow = lease === undefined ? undefined : mirror.leaseOf(lease);
      const isSame = JSON.stringify(leaseBefore) === JSON.stringify(leaseNow);
      const leases = leaseNow === undefined || isSame ? [] : [leaseNow];
      const { removed, written } = planSegments(mirror.listSegments(), mirror.lastId);
      const segments = rows.length === 0 ? { removed: [], added: [] } : { removed, added: [written] };
      const checkpoints = this.checkpoints.filesWith(rows);
      // A checkpoint names texts by their hash.
      const kept = new Map(checkpoints.size === 0 ? newTexts : [...newTexts, ...otherTexts]);
      const files = new Map<string, string | null>([
        ...[...kept].map(([hash, text]): [string, string] => [textFile(hash), text]),
        ...segments.removed.map((segment): [string, null] => [segmentFile(segment), null]),
        ...segments.added.map((one): [string, string] => [segmentFile(one), writeRows(mirror.readRows(one))]),
        ...heads.map((head): [string, string] => [headFile(head.subject), writeHead(head)]),
        ...leases.map((one): [string, string] => [leaseFile(one.subject), writeLease(one)]),
        ...checkpoints,
      ]);
      const news = { rows, heads, leases, checkpoints, segments };
      trial = { result, news, texts: kept, files, message: describe(rows, lease) };
      throw new TriedOut();
    });
    try {
      attempt.immediate();
    } catch (error) {
      if (error instanceof TriedOut) return trial ?? null;
      if (isFresh) throw error;
    }
    return null;
  }

  async #fetch(): Promise<void> {
    for (;;) {
      const at = performance.now();
      const since = this.mirror.tip;
      const tip = await this.place.fetch(since);
      // False means that another process moved the mirror on, so that there is less to do each time.
      if (tip !== since && !(await this.#takeOver(since, tip))) continue;
      this.#fetchedAt = at;
      return;
    }
  }

  /** False when another process changed the mirror meanwhile. */
  async #takeOver(since: string | null, tip: string | null): Promise<boolean> {
    if (tip === null) throw broken('it was there and is gone');
    if (since !== null) {
      const follows = await this.place.follows(tip, since);
      // The commits of this machine were removed, so what was made of them is made anew. Only then: an account
      // that moves the ref could make machines forget what was there.
      if (follows === null) {
        this.mirror.clear();
        return false;
      }
      if (!follows) throw broken('it was set back or written anew');
    }
    const changed = await (since === null
      ? listFiles(this.place, tip, { withTexts: false })
      : listChanged(this.place, since, tip));
    const news = await this.#read(changed);
    return this.mirror.take(since, { ...news, tip });
  }

  async #read(changed: readonly ChangedFile[]): Promise<Omit<News, 'tip'>> {
    const { lastId } = this.mirror;
    const removed = changed.flatMap(({ file, object }) =>
      file.kind === 'entries' && object === null ? [file] : [],
    );
    const added = changed.flatMap(({ file, object }) =>
      file.kind === 'entries' && object !== null ? [file] : [],
    );
    // A file that several others became holds entries that are here already.
    const wanted = changed
      .filter(({ file, object }) => object !== null && (file.kind !== 'entries' || file.last > lastId))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const rows: ChainRow[] = [];
    const heads: News['heads'][number][] = [];
    const leases: News['leases'][number][] = [];
    const checkpoints = new Map<string, string | null>(
      changed.flatMap(({ file, path, object }): [string, null][] =>
        file.kind === 'checkpoint' && object === null ? [[path, null]] : [],
      ),
    );
    let index = 0;
    for await (const texts of readObjects(
      this.place,
      wanted.map(({ object }) => object ?? ''),
    )) {
      const kept = new Map<Sha256, string>();
      for (const text of texts) {
        const { file, path } = wanted[index++] ?? { file: { kind: 'format' as const }, path: '' };
        if (file.kind === 'text') kept.set(file.hash, text);
        else if (file.kind === 'format') checkFormat(text);
        else if (file.kind === 'head') heads.push(readHead(text, path));
        else if (file.kind === 'checkpoint') checkpoints.set(path, text);
        else if (file.kind === 'lease') leases.push(readLease(text, path));
        else if (file.kind === 'entries') rows.push(...readRows(text, file).filter(({ id }) => id > lastId));
      }
      this.mirror.addTexts(kept);
    }
    return { rows, heads, leases, checkpoints, segments: { removed, added } };
  }
}

/** What the log of the ref says. */
function describe(rows: readonly ChainRow[], lease: Subject | undefined): string {
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const about = subjects.length === 1 ? ` of ${escapeForLine(subjects[0] ?? '', 200)}` : '';
  if (rows.length > 0) return `Append ${countOf(rows.length, 'entry', 'entries')}${about}`;
  return lease === undefined ? 'Keep texts' : `Change the lease of ${escapeForLine(lease, 200)}`;
}
