/** The workflow file of each agent in GitHub Actions mode, in `.github/workflows`. Others are called like their agent. */
import type { AgentName } from './agent-names.ts';

const named: Readonly<Partial<Record<AgentName, string>>> = {
  implementer: 'claude',
  reviewer: 'claude-review',
  'health-report': 'agent-health-report',
  'stale-gardener': 'stale-issue-gardener',
  'doc-drift': 'doc-drift-detector',
};

export function workflowFileOf(agent: AgentName): string {
  return `${named[agent] ?? agent}.yml`;
}
