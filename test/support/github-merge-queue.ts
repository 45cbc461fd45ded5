/** What the merge queue of the small GitHub does with what is in it: it merges it, or takes it out again. */
import { squash } from './github-git.ts';
import { findPull, landPull } from './github-pull-routes.ts';
import type { GithubState, StoredRepository } from './github-state.ts';

/** Whom GitHub names as who merged it. */
const queueLogin = 'github-merge-queue[bot]';

/** The rule of a branch that has one. */
const mergeQueueRule = {
  type: 'merge_queue',
  parameters: {
    ...{ check_response_timeout_minutes: 60, grouping_strategy: 'ALLGREEN', merge_method: 'SQUASH' },
    ...{ max_entries_to_build: 5, max_entries_to_merge: 5, min_entries_to_merge: 1 },
    min_entries_to_merge_wait_minutes: 5,
  },
};

export function setUpQueue({ rules }: StoredRepository, branch = 'main'): void {
  rules.rulesets.push({ id: 7, branch, bypass: 'never', rules: [mergeQueueRule] });
}

/** @param reason in GitHub's words, such as `CI_FAILURE`, or `MANUAL` when a person did it */
export function dequeue(
  state: GithubState,
  repository: StoredRepository,
  number: number,
  reason: string,
  by = queueLogin,
): void {
  const { queue, removed } = repository.rules;
  const index = queue.findIndex((one) => one.number === number);
  if (index !== -1) queue.splice(index, 1);
  const issue = findPull(repository, number);
  removed.push({ number, reason, at: state.now() });
  state.addEvent(issue, 'removed_from_merge_queue', by, { reason, sha: issue.pull.headSha });
}

/** It was tested together with its base, and is merged. */
export function mergeQueued(state: GithubState, repository: StoredRepository, number: number): void {
  const issue = findPull(repository, number);
  dequeue(state, repository, number, 'MERGE');
  landPull(state, repository, issue, queueLogin, () =>
    squash(repository, issue.pull, `${issue.title} (#${number})`),
  );
}
