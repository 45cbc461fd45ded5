/** What a person does to a run that they do not want to go on with: give it up, or put it aside. */
import { isAgentRun, type RunSummary } from '../domain/ledger/run.ts';
import { GatewrightError } from '../errors.ts';
import type { Leases } from '../ports/leases.ts';
import type { Records } from './house.ts';

/** Who cancelled a run; null when no person did. */
export function cancelledBy({ status, reason }: RunSummary): string | null {
  if (status !== 'done' || reason?.code !== 'cancelled') return null;
  return /^cancelled by (.+)$/su.exec(reason.message)?.[1] ?? 'a person';
}

/** Why a run cannot go on: of one that a person gave up, who did it and when. */
export function describeEnd({ id, reason, changedAt }: RunSummary): string {
  const why = reason?.message ?? 'it is done';
  return reason?.code === 'cancelled'
    ? `The run ${id} was ${why} at ${changedAt}; it cannot be resumed.`
    : `The run ${id} is over: ${why}.`;
}

function requireOpen(run: RunSummary): void {
  if (run.status !== 'done') return;
  throw new GatewrightError('run-finished', describeEnd(run), {
    hint: `See what it did with: gatewright runs show ${run.id}`,
  });
}

/**
 * Gives a run up: it is over, its gates are closed, and it cannot be resumed. A process that works on it loses its lease,
 * can write nothing more, and ends within seconds.
 * @param tidyUp undoes what only the run itself would have undone; called while the lease is held. It returns the name by
 * which people call the agent, if it learned it.
 */
export async function cancelRun(
  { ledger, leases, views, actor }: Pick<Records, 'ledger' | 'views' | 'actor'> & { readonly leases: Leases },
  run: RunSummary,
  tidyUp: (fence: {
    readonly subject: string;
    readonly token: number;
  }) => Promise<string | null> = async () => null,
): Promise<void> {
  requireOpen(run);
  const lease = await leases.seize(run.subject);
  try {
    // It may have ended in the moment before.
    const now = await views.findRun(run.id);
    if (now !== null) requireOpen(now);
    const handle = await tidyUp(lease);
    const reason = {
      code: 'cancelled',
      message: `cancelled by ${actor}`,
      owner: 'nobody',
      resume: '',
    } as const;
    const entry = { subject: run.subject, run: run.id, actor };
    const data = { reason, result: null, ...(handle === null ? {} : { handle }) };
    await ledger.append([{ ...entry, kind: 'run-ended', data }], lease);
  } finally {
    await lease.release();
  }
}

/**
 * Puts a stopped run aside: lists of what waits leave it out, and it is not resumed by itself. A person can resume it. One
 * that a person cancelled can be put aside too: its work then waits for no person.
 */
export async function dismissRun(
  { ledger, leases, actor }: Pick<Records, 'ledger' | 'actor'> & { readonly leases: Leases },
  run: RunSummary,
): Promise<void> {
  if (cancelledBy(run) === null || !isAgentRun(run)) requireOpen(run);
  if (run.isDismissed) return;
  const got = await leases.acquire(run.subject);
  // A run that works now would be in no list any more, and would still spend money.
  if (!('lease' in got))
    throw new GatewrightError('lease-held', `The run ${run.id} is working now.`, {
      hint: `Wait until it stops, or end it with: gatewright runs cancel ${run.id}`,
    });
  try {
    const entry = { subject: run.subject, run: run.id, actor };
    await ledger.append([{ ...entry, kind: 'run-dismissed', data: { by: actor } }], got.lease);
  } finally {
    await got.lease.release();
  }
}
