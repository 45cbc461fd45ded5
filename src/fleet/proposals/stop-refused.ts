/**
 * A run that waits for a model and may not go on: the person who gave the order has lost the permission since, or another
 * run has done the work. It waits for a person from here on; as long as it waited for a model, each workflow run would
 * start another one for it.
 */
import { isAgentRun, type RunSummary, type StopReason } from '../../domain/ledger/run.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { FleetTools } from '../../runs/house.ts';
import { refusalKey } from '../resume-ordered.ts';
import { tidyUpCancelled } from '../tidy-up-cancelled.ts';

export async function stopRefused(house: FleetTools, run: RunSummary): Promise<void> {
  const { ledger, actor, views } = house;
  const refused = isAgentRun(run) ? await ledger.find('event-refused', refusalKey(run)) : null;
  const lease = await acquireLease(house, run.subject);
  try {
    const now = await views.findRun(run.id);
    if (now?.status !== 'waiting' || now.reason === null) return;
    const why = refused?.data.detail ?? 'nothing resumes it by itself';
    const message = `It waited for a model, and is not gone on with: ${why}.`;
    const reason: StopReason = { ...now.reason, message, owner: 'person' };
    const data = { status: 'blocked', reason } as const;
    await ledger.append([{ subject: run.subject, run: run.id, actor, kind: 'run-stopped', data }], lease);
    // The run that has overtaken it may work on the same issue.
    if (refused?.data.because !== 'overtaken') await tidyUpCancelled(house, run, lease);
  } finally {
    await lease.release();
  }
}
