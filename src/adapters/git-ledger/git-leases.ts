/** Leases on a git ref: the machine that moves the ref first has the subject. */
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lease, LeaseHolder, Leases } from '../../ports/leases.ts';
import { SqliteLeases } from '../sqlite/sqlite-leases.ts';
import type { SharedLedger } from './shared-ledger.ts';

export class GitLeases implements Leases {
  readonly #shared: SharedLedger;
  readonly #mirrored: SqliteLeases;

  constructor(shared: SharedLedger, clock: Pick<Clock, 'now'>, actor: string) {
    this.#shared = shared;
    this.#mirrored = new SqliteLeases(shared.mirror.database, clock, actor, (lease, run) =>
      shared.change(() => ({ lease, run })),
    );
  }

  async acquire(subject: Subject): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }> {
    const got = await this.#mirrored.acquire(subject);
    if ('lease' in got) this.#shared.hold(subject, got.lease.token);
    return got;
  }

  async seize(subject: Subject): Promise<Lease> {
    const lease = await this.#mirrored.seize(subject);
    this.#shared.hold(subject, lease.token);
    return lease;
  }

  async holderOf(subject: Subject): Promise<LeaseHolder | null> {
    await this.#shared.freshen();
    return this.#mirrored.holderOf(subject);
  }
}
