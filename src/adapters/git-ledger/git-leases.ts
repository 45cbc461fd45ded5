/** Leases on a git ref: the machine that moves the ref first has the subject. */
import { readFileSync, readlinkSync } from 'node:fs';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lease, LeaseHolder, Leases } from '../../ports/leases.ts';
import { SqliteLeases } from '../sqlite/sqlite-leases.ts';
import type { SharedLedger } from './shared-ledger.ts';

/**
 * Each sign of life is a push. So a lease lasts longer than one in a database, and is prolonged when half of it is over;
 * whether it was lost is looked for each time.
 */
const refLeaseMilliseconds = 120_000;

/**
 * Names of machines repeat, those of runners all the time. A number of a process means something only within one boot and
 * one namespace of processes; null where the system does not tell them.
 */
function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return sha256(`${boot} ${readlinkSync('/proc/self/ns/pid')}`).slice(0, 16);
  } catch {
    return null;
  }
}

interface RefLeaseSettings {
  readonly milliseconds?: number;
  /** Of this machine as it runs now. */
  readonly machine?: string | null;
}

export class GitLeases implements Leases {
  readonly #shared: SharedLedger;
  readonly #mirrored: SqliteLeases;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #milliseconds: number;

  constructor(
    shared: SharedLedger,
    clock: Pick<Clock, 'now'>,
    actor: string,
    { milliseconds = refLeaseMilliseconds, machine = readMachine() }: RefLeaseSettings = {},
  ) {
    this.#shared = shared;
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#mirrored = new SqliteLeases(shared.mirror.database, clock, actor, {
      finalise: (lease, run) => shared.change(() => ({ lease, run })),
      ...{ milliseconds, machine },
    });
  }

  #begin(lease: Lease): Lease {
    this.#shared.hold(lease.subject, lease.token);
    return {
      ...lease,
      renew: async () => {
        await this.#shared.freshen();
        const now = this.#shared.mirror.leaseOf(lease.subject);
        const left = (now?.expires ?? 0) - this.#clock.now().getTime();
        return (now?.token === lease.token && left > this.#milliseconds / 2) || lease.renew();
      },
    };
  }

  async acquire(subject: Subject): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }> {
    const got = await this.#mirrored.acquire(subject);
    return 'lease' in got ? { lease: this.#begin(got.lease) } : got;
  }

  async seize(subject: Subject): Promise<Lease> {
    return this.#begin(await this.#mirrored.seize(subject));
  }

  async holderOf(subject: Subject): Promise<LeaseHolder | null> {
    await this.#shared.freshen();
    return this.#mirrored.holderOf(subject);
  }
}
