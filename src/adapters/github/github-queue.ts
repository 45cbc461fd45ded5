/** GitHub's own merge queue: it tests pull requests together and merges them itself. REST cannot hand it anything. */
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { CodeForge } from '../../ports/forge/forge.ts';
import { hasStatus } from './client/explain-github-error.ts';
import type { GithubCalls } from './client/github-calls.ts';
import { pullOf, readPull } from './github-pulls.ts';

export class GithubQueue implements Pick<CodeForge, 'enqueuePullRequest'> {
  readonly #calls: GithubCalls;
  readonly #rules: Pick<CodeForge, 'readMergeRules'>;

  constructor(calls: GithubCalls, rules: Pick<CodeForge, 'readMergeRules'>) {
    this.#calls = calls;
    this.#rules = rules;
  }

  async enqueuePullRequest(
    repository: string,
    number: number,
    head: string,
  ): Promise<{ readonly queued: boolean }> {
    const parameters = pullOf(repository, number);
    const expectedHeadOid = checkCommitName(head);
    const name = `${repository}#${number}`;
    const what = `handing ${name} to the merge queue`;
    const requireHead = async () => {
      const pull = await readPull(this.#calls, parameters);
      if (pull.state === 'closed') throw new GatewrightError('merge-refused', `${name} is closed.`);
      if (pull.head.sha !== head)
        throw new GatewrightError('head-moved', `${name} is at ${pull.head.sha}, not at ${head}.`);
      return pull;
    };
    return this.#calls.explained(what, async () => {
      const { node_id: pullRequestId } = await requireHead();
      try {
        await this.#calls.client.mutate(
          'enqueuePullRequest',
          'EnqueuePullRequestInput',
          { pullRequestId, expectedHeadOid },
          'mergeQueueEntry { position }',
        );
      } catch (error) {
        if (!hasStatus(error, 403, 404, 422)) throw error;
        await requireHead();
        const { queue } = await this.#rules.readMergeRules(repository, number);
        if (queue?.isQueued === true) return { queued: true };
        throw new GatewrightError('merge-refused', this.#calls.client.explain(error, what).message);
      }
      return { queued: true };
    });
  }
}
