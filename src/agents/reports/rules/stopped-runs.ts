/** Runs of agents that wait for a person, in words that may be published. Pure: from the list that the ledger gives. */
import { type AgentRun, isAgentRun, type RunSummary, resumeCommandOf } from '../../../domain/ledger/run.ts';

/** Those of agents in one repository that were meant. */
export function agentRunsIn(runs: readonly RunSummary[], repository: string): AgentRun[] {
  return runs
    .filter(isAgentRun)
    .filter(({ request }) => request.repository === repository && !request.dryRun);
}

/** The last run of each agent on each subject, if it waits for a person. Newest first, in the order of the given list. */
export function listStuck(runs: readonly AgentRun[]): AgentRun[] {
  const known = new Set<string>();
  return runs.filter((run) => {
    const key = `${run.request.agent} ${run.subject}`;
    if (known.has(key)) return false;
    known.add(key);
    return run.status !== 'done' && run.status !== 'running' && run.reason?.owner === 'person';
  });
}

/**
 * Messages of errors may contain paths and foreign texts, so only the code is shown: codes are ours and are documented.
 */
export function explainStuck({ id, request, reason }: AgentRun): string {
  return `${request.agent} stopped (\`${reason?.code ?? 'internal'}\`); \`${resumeCommandOf(request, id)}\` continues it`;
}
