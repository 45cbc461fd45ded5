/** One worker per subject. A lease carries a token that only ever grows, so a worker that lost it cannot write. */
import type { Subject } from '../domain/ledger/subject.ts';
import type { Fence } from './ledger.ts';

/** Who holds a lease, as messages name the holder. */
export interface LeaseHolder {
  readonly actor: string;
  readonly host: string;
  readonly process: number;
  readonly since: string;
}

export interface Lease extends Fence {
  readonly holder: LeaseHolder;
  /** Prolongs it; false when it was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Leases {
  /** Takes the lease of a subject, or returns its holder. A holder that died or let its lease lapse counts as gone. */
  acquire(subject: Subject): Promise<{ readonly lease: Lease } | { readonly heldBy: LeaseHolder }>;
  /**
   * Takes it from the process that holds it. That process may write nothing more, and ends what it does when it next renews its
   * lease. Only for what a person has decided.
   */
  seize(subject: Subject): Promise<Lease>;
  /** Who holds it now, or null. */
  holderOf(subject: Subject): Promise<LeaseHolder | null>;
}
