/** The workflow file of each agent in GitHub Actions mode, in `.github/workflows`. Others are called like their agent. */
import { labelNames } from '../forge/labels.ts';
import type { AgentName } from './agent-names.ts';

const named: Readonly<Partial<Record<AgentName, string>>> = {
  implementer: 'claude',
  reviewer: 'claude-review',
  // Its reports have a label of the same name.
  'health-report': labelNames.healthReport,
  'stale-gardener': 'stale-issue-gardener',
  'doc-drift': 'doc-drift-detector',
};

export function workflowFileOf(agent: AgentName): string {
  return `${named[agent] ?? agent}.yml`;
}
