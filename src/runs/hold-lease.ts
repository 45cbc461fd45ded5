/**
 * Keeps a lease while work goes on under it. A process can be suspended for longer than a lease lasts, and then another
 * process takes the work over. The signal then ends what still runs here, because it costs money and none of it can be
 * written to the ledger.
 */
import { GatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';

/** How often the lease is renewed; it lasts 30 seconds. */
const renewEvery = 8_000;

/** @param outer stops the work for another reason, such as Ctrl-C */
export async function holdLease<T>(
  lease: Lease,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  renewMilliseconds = renewEvery,
): Promise<T> {
  const lost = new AbortController();
  const signal = outer === undefined ? lost.signal : AbortSignal.any([outer, lost.signal]);
  const renew = async (): Promise<void> => {
    // A busy database does not show who holds the lease; the next renewal does.
    if (!(await lease.renew().catch(() => true))) lost.abort();
  };
  const timer = setInterval(() => void renew(), renewMilliseconds);
  try {
    return await work(signal);
  } catch (error) {
    if (!lost.signal.aborted) throw error;
    // The result of the work means nothing any more: we ended it.
    throw new GatewrightError('lease-lost', `${lease.subject}: another process took over.`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}
