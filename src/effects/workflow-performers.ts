/** Starting a workflow on the forge's runners. */
import { GatewrightError } from '../errors.ts';
import type { WorkflowStarter } from '../ports/forge/workflow-starter.ts';
import type { Performer } from './performer.ts';

export function makeWorkflowPerformers(workflows: WorkflowStarter | undefined): {
  readonly 'start-workflow': Performer<'start-workflow'>;
} {
  return {
    'start-workflow': {
      perform: async ({ effect: { repository, file, branch } }) => {
        if (workflows === undefined)
          throw new GatewrightError('internal', 'This forge runs no workflows, so none can be started.');
        await workflows.start(repository, file, branch);
        return { started: true };
      },
      // The forge does not say which file a run is of before it has begun. A second start finds nothing to do.
      find: async () => null,
      pretend: () => ({ started: true }),
    },
  };
}
