/** Every workflow that events start and continue: what it says of itself, and how its code is loaded when it is to run. */
import type { WorkflowName } from '../domain/fleet/agent-names.ts';
import { loopManifest } from './loop/manifest.ts';
import { pipelineManifest } from './pipeline/manifest.ts';
import type { Workflow, WorkflowManifest } from './workflow.ts';

interface ListedWorkflow<N extends WorkflowName> {
  readonly manifest: WorkflowManifest<N>;
  readonly load: () => Promise<Workflow>;
}

const workflows: { readonly [N in WorkflowName]: ListedWorkflow<N> } = {
  loop: { manifest: loopManifest, load: async () => (await import('./loop/loop.ts')).loop },
  pipeline: {
    manifest: pipelineManifest,
    load: async () => (await import('./pipeline/pipeline.ts')).pipeline,
  },
};

export const workflowManifests: readonly WorkflowManifest[] = Object.values(workflows).map(
  ({ manifest }) => manifest,
);

export function loadWorkflow(name: WorkflowName): Promise<Workflow> {
  return workflows[name].load();
}
