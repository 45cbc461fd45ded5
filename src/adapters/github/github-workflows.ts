/** Starts workflows on GitHub: the one event that a job's own token may make that starts a workflow run. */
import { checkBranchName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { WorkflowStarter } from '../../ports/forge/workflow-starter.ts';
import { type GithubCalls, placeOf, repositoryRoute } from './client/github-calls.ts';

export class GithubWorkflows implements WorkflowStarter {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async start(repository: string, file: string, branch: string): Promise<void> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.ya?ml$/u.test(file))
      throw new GatewrightError('internal', 'That is no name of a workflow file.');
    await this.#calls.explained(`workflow ${file} of ${repository}`, async () => {
      await this.#calls.client.write(`POST ${repositoryRoute}/actions/workflows/{workflow_id}/dispatches`, {
        ...placeOf(repository),
        workflow_id: file,
        ref: checkBranchName(branch),
      });
    });
  }
}
