/** Resuming and giving up a run of an agent or of a workflow, whichever it is. */
import { isAgentRun, type RunSummary, workflowOf } from '../domain/ledger/run.ts';
import { issueSubject, type Subject } from '../domain/ledger/subject.ts';
import type { FleetTools } from '../runs/house.ts';
import type { WorkflowOutcome } from '../workflows/workflow.ts';
import { loadWorkflow } from '../workflows/workflows.ts';
import { giveUpRun } from './give-up-run.ts';
import { resumeOrdered } from './resume-ordered.ts';
import type { AgentOutcome, FleetSession } from './run-agent.ts';
import { sessionOfWorkflow } from './workflows/run-workflow.ts';

/** What the run works on, as events name it; null when the fleet does not resume such runs. */
export function subjectOfWork(run: RunSummary): Subject | null {
  if (isAgentRun(run)) return run.subject;
  if (workflowOf(run.request) === null || !('number' in run.request) || run.request.number === null)
    return null;
  return issueSubject(run.request.repository, run.request.number);
}

/** Null when the run is not resumed by itself. @param isAsked whether a person asks for it here */
export async function resumeAny(
  house: FleetTools,
  run: RunSummary,
  session: FleetSession,
  isAsked = false,
): Promise<AgentOutcome | WorkflowOutcome | null> {
  if (isAgentRun(run)) return resumeOrdered(house, run, session);
  const name = workflowOf(run.request);
  if (name === null) return null;
  const outcome = await (await loadWorkflow(name)).resume(house, run, sessionOfWorkflow(session), isAsked);
  if (outcome !== null) session.onEnd?.(outcome);
  return outcome;
}

export async function giveUp(
  house: FleetTools,
  run: RunSummary,
  times: number,
  session: FleetSession,
): Promise<void> {
  if (isAgentRun(run)) return giveUpRun(house, run, times, session);
  const name = workflowOf(run.request);
  if (name !== null) await (await loadWorkflow(name)).giveUp(house, run, times, sessionOfWorkflow(session));
}
