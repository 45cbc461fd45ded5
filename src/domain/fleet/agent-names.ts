/**
 * What the agents are called. Their manifests are in `src/agents`; the names are here because settings, events and the
 * ledger hold them. A new agent has its name in one of the two lists: in the first if a schedule starts it.
 */

/** Agents that a schedule starts. A schedule has the name of its agent. */
export const scheduleNames = [
  'daily-digest',
  'health-report',
  'stale-gardener',
  'doc-drift',
  'template-sync',
] as const;
export type ScheduleName = (typeof scheduleNames)[number];

export const agentNames = [
  'implementer',
  'reviewer',
  'auto-merge',
  'ci-doctor',
  'pr-size-guardian',
  ...scheduleNames,
] as const;
export type AgentName = (typeof agentNames)[number];

/** Besides the agents that people use there is one that only keeps labels correct. It cannot be switched off. */
export type WorkerName = AgentName | 'label-keeper';

/** Workflows that events start and continue. Their manifests are in `src/workflows`. */
export const workflowNames = ['loop', 'pipeline'] as const;
export type WorkflowName = (typeof workflowNames)[number];
