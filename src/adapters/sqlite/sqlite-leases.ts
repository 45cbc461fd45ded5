/** Leases on SQLite. A holder on this machine whose process is gone loses it at once; one elsewhere when it lapses. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lease, LeaseHolder, Leases } from '../../ports/leases.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from './database.ts';
import { withoutSync } from './without-sync.ts';

const usualMilliseconds = 30_000;

export interface LeaseRow {
  readonly subject: string;
  readonly token: number;
  readonly actor: string;
  readonly host: string;
  readonly process: number;
  readonly process_start: string;
  readonly since: string;
  readonly expires: number;
}

/** When a process started, so that a new process with a dead one's number is not taken for it. Linux only. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Between the start of a holder's process and the machine that it runs on. */
const machineMark = '@';

/** Whether a process of this machine still has the lease. */
function isAlive(row: Pick<LeaseRow, 'process' | 'process_start'>): boolean {
  try {
    process.kill(row.process, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const start = processStart(row.process);
  return start === '' || row.process_start === '' || start === row.process_start;
}

interface LeaseSettings {
  /** Where a commit to the database is not all that it takes. */
  readonly finalise?: FinaliseLease;
  /** How long a lease lasts on another machine without a sign of life. */
  readonly milliseconds?: number;
  /**
   * What tells this machine, as it runs now, from others of the same name that ask for these leases; null when nothing does:
   * then no holder is taken for dead before its lease lapses. Left out where only this machine can ask.
   */
  readonly machine?: string | null;
}

/** Makes a change to the lease of a subject final. @param run one transaction */
type FinaliseLease = <T>(subject: Subject, run: () => T) => Promise<T>;

export class SqliteLeases implements Leases {
  readonly #database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #actor: string;
  readonly #finalise: FinaliseLease;
  readonly #milliseconds: number;
  readonly #machine: string | null | undefined;

  constructor(
    database: SqliteDatabase,
    clock: Pick<Clock, 'now'>,
    actor: string,
    { finalise, milliseconds = usualMilliseconds, machine }: LeaseSettings = {},
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#actor = actor;
    this.#milliseconds = milliseconds;
    this.#machine = machine;
    this.#finalise = finalise ?? (async (_, run) => withoutSync(database, run));
  }

  #read(subject: Subject): LeaseRow | undefined {
    try {
      const row = prepareOnce(this.#database, 'SELECT * FROM leases WHERE subject = ?').get(subject);
      return row as LeaseRow | undefined;
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }

  #isHeld(row: LeaseRow): boolean {
    if (row.expires <= this.#clock.now().getTime()) return false;
    const start = this.#startHere(row);
    return start === null || isAlive({ process: row.process, process_start: start });
  }

  /** When the holder's process started, if it is one of this machine; else null. */
  #startHere({ host, process_start: start }: LeaseRow): string | null {
    if (host !== hostname()) return null;
    if (this.#machine === undefined) return start;
    const [time = '', machine] = start.split(machineMark);
    return machine !== undefined && machine === this.#machine ? time : null;
  }

  #ownStart(): string {
    const start = processStart(process.pid);
    // Beside the name of the host, which is shown to people.
    return typeof this.#machine === 'string' ? `${start}${machineMark}${this.#machine}` : start;
  }

  async holderOf(subject: Subject): Promise<LeaseHolder | null> {
    const row = this.#read(subject);
    return row !== undefined && this.#isHeld(row) ? toHolder(row) : null;
  }

  /**
   * A lease has to outlive its process, but not the machine, since no holder does either. What is appended under it and
   * waited for is on disk after it.
   */
  async acquire(subject: Subject): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }> {
    return this.#take(subject, (row) => this.#isHeld(row));
  }

  async seize(subject: Subject): Promise<Lease> {
    const taken = await this.#take(subject, () => false);
    if ('lease' in taken) return taken.lease;
    throw new TypeError(`the lease of ${subject} was not given`);
  }

  async #take(
    subject: Subject,
    isKept: (row: LeaseRow) => boolean,
  ): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }> {
    const take = this.#database.transaction((): LeaseRow | { heldBy: LeaseHolder } => {
      const current = this.#read(subject);
      if (current !== undefined && isKept(current)) return { heldBy: toHolder(current) };
      const now = this.#clock.now();
      const row: LeaseRow = {
        subject,
        token: (current?.token ?? 0) + 1,
        actor: this.#actor,
        host: hostname(),
        process: process.pid,
        process_start: this.#ownStart(),
        since: now.toISOString(),
        expires: now.getTime() + this.#milliseconds,
      };
      prepareOnce(
        this.#database,
        `INSERT OR REPLACE INTO leases (subject, token, actor, host, process, process_start, since, expires)
           VALUES (@subject, @token, @actor, @host, @process, @process_start, @since, @expires)`,
      ).run(row);
      return row;
    });
    try {
      const taken = await this.#finalise(subject, () => take.immediate());
      return 'heldBy' in taken ? taken : { lease: this.#toLease(taken) };
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }

  #toLease(row: LeaseRow): Lease {
    const extend = (expires: number): Promise<boolean> =>
      this.#finalise(
        row.subject,
        () =>
          prepareOnce(
            this.#database,
            'UPDATE leases SET expires = ? WHERE subject = ? AND token = ? AND expires > 0',
          ).run(expires, row.subject, row.token).changes === 1,
      );
    return {
      subject: row.subject,
      token: row.token,
      holder: toHolder(row),
      renew: async () => extend(this.#clock.now().getTime() + this.#milliseconds),
      release: async () => {
        await extend(0);
      },
    };
  }
}

function toHolder(row: LeaseRow): LeaseHolder {
  return { actor: row.actor, host: row.host, process: row.process, since: row.since };
}
