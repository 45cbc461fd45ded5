/** What the ten agents are called. Apart from their table, because events name them too. */

export const agentNames = [
  'implementer',
  'reviewer',
  'auto-merge',
  'ci-doctor',
  'pr-size-guardian',
  'daily-digest',
  'health-report',
  'stale-gardener',
  'doc-drift',
  'template-sync',
] as const;
export type AgentName = (typeof agentNames)[number];

/** Beside the ten, which people meet, there is one that only keeps labels honest. It cannot be switched off. */
export type WorkerName = AgentName | 'label-keeper';
