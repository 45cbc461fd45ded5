/** Lets a workflow handle an event, and shows what it does as the work of agents is shown. */
import type { WorkflowName } from '../../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { isGatewrightError } from '../../errors.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { WorkflowOutcome, WorkflowSession } from '../../workflows/workflow.ts';
import { loadWorkflow } from '../../workflows/workflows.ts';
import type { FleetSession } from '../run-agent.ts';

/** The part of a session that workflows get. */
export function sessionOfWorkflow({ own, signal, onStart, progressOf }: FleetSession): WorkflowSession {
  return {
    own,
    ...(signal === undefined ? {} : { signal }),
    ...(onStart === undefined ? {} : { onStart }),
    ...(progressOf === undefined ? {} : { progressOf }),
  };
}

/** Null when nothing follows from the event. */
export async function runWorkflow(
  house: FleetTools,
  name: WorkflowName,
  event: FleetEvent,
  session: FleetSession,
): Promise<WorkflowOutcome | null> {
  const workflow = await loadWorkflow(name);
  try {
    const outcome = await workflow.handle(house, event, sessionOfWorkflow(session));
    if (outcome !== null) session.onEnd?.(outcome);
    return outcome;
  } catch (error) {
    // What the event is about was deleted or moved: there is nothing to work on.
    if (isGatewrightError(error, 'forge-not-found', 'forge-gone', 'forge-moved')) return null;
    throw error;
  }
}
