/** The runs of some agents and workflows that wait for a model. */
import { type WorkerName, type WorkflowName, workflowNames } from '../../domain/fleet/agent-names.ts';
import type { RunSummary } from '../../domain/ledger/run.ts';
import type { FleetTools } from '../../runs/house.ts';

/** Who works in a run of the fleet; null of a run that the fleet does not drive. */
function workerOf({ request }: Pick<RunSummary, 'request'>): WorkerName | WorkflowName | null {
  if (request.workflow === 'agent') return request.agent;
  return workflowNames.find((name) => name === request.workflow) ?? null;
}

function isWaiting({ status, reason, request, isDismissed }: RunSummary): boolean {
  return status === 'waiting' && reason?.code === 'waits-for-model' && !request.dryRun && !isDismissed;
}

/** Oldest first. */
export async function listWaitingRuns(
  { views, repositoryName }: Pick<FleetTools, 'views' | 'repositoryName'>,
  agents: readonly (WorkerName | WorkflowName)[],
): Promise<RunSummary[]> {
  const runs = await views.listRuns({ repository: repositoryName, doneSince: 'never' });
  return runs
    .filter((run) => {
      const worker = workerOf(run);
      return isWaiting(run) && worker !== null && agents.includes(worker);
    })
    .reverse();
}
