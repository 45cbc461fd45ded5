/** Takes the lease of a subject for a run, or says who holds it. */
import { GatewrightError } from '../errors.ts';
import type { Lease, LeaseHolder, Leases } from '../ports/leases.ts';

export function describeHolder(holder: LeaseHolder): string {
  return `${holder.actor} has been working on it since ${holder.since} (process ${holder.process} on ${holder.host})`;
}

export async function acquireLease(
  { leases }: { readonly leases: Pick<Leases, 'acquire'> },
  subject: string,
): Promise<Lease> {
  const got = await leases.acquire(subject);
  if ('lease' in got) return got.lease;
  throw new GatewrightError('lease-held', `${subject}: ${describeHolder(got.heldBy)}.`);
}
