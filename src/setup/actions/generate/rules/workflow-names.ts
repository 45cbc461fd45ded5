/**
 * What the workflow of each agent is called on GitHub. Other workflows wait for it by this name. One that is not listed is
 * called like its agent, so that a new agent needs no line here.
 */
import { type AgentName, agentNames } from '../../../../domain/fleet/agent-names.ts';

const names: Readonly<Partial<Record<AgentName, string>>> = {
  implementer: 'Claude Code',
  reviewer: 'Claude Code Review',
  'ci-doctor': 'CI Doctor',
  'pr-size-guardian': 'PR Size Guardian',
  'health-report': 'Agent Health Report',
  'stale-gardener': 'Stale Issue Gardener',
  'doc-drift': 'Doc Drift Detector',
};

export function workflowNameOf(agent: AgentName): string {
  return (
    names[agent] ??
    agent.replaceAll(/(^|-)([a-z])/gu, (_, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`)
  );
}

/** Those whose end starts another workflow: a merge waits for reviews and builds, and each that failed is looked at. */
export function namesWatchedBy(
  agent: AgentName,
  agents: readonly AgentName[],
  builds: readonly string[],
): string[] {
  const own = agent === 'ci-doctor' ? agentNames.filter((one) => one !== agent) : (['reviewer'] as const);
  return [...own.filter((one) => agents.includes(one)).map(workflowNameOf), ...builds];
}
