/** The workflow file of each agent in GitHub Actions mode, in `.github/workflows`. Others are named after their agent. */
import { labelNames } from '../forge/labels.ts';
import { type AgentName, type WorkerName, type WorkflowName, workflowNames } from './agent-names.ts';

const named: Readonly<Partial<Record<AgentName | WorkflowName, string>>> = {
  implementer: 'claude',
  // They are ordered in the same ways, and change code with the same rights.
  loop: 'claude',
  pipeline: 'claude',
  reviewer: 'claude-review',
  // Its reports have a label of the same name.
  'health-report': labelNames.healthReport,
  'stale-gardener': 'stale-issue-gardener',
  'doc-drift': 'doc-drift-detector',
};

export function workflowFileOf(worker: AgentName | WorkflowName): string {
  return `${named[worker] ?? worker}.yml`;
}

/** Those that work in the file of an agent. */
export function workersBeside(agent: AgentName): (AgentName | WorkflowName)[] {
  return [agent, ...workflowNames.filter((one) => workflowFileOf(one) === workflowFileOf(agent))];
}

/** Null for the keeper of labels, who works in several files and has none of its own. */
export function workflowFileOfWorker(worker: WorkerName | WorkflowName): string | null {
  return worker === 'label-keeper' ? null : workflowFileOf(worker);
}
