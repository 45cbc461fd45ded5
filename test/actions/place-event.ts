/** Where a run of a workflow takes place: which commit has its file, and what `github` says of ref and commit. */
import { branchTip } from '../support/github-git.ts';
import type { StoredRepository } from '../support/github-state.ts';
import type { WorkflowEvent } from './match-event.ts';

export interface EventPlace {
  readonly ref: string;
  readonly sha: string;
  /** The commit that has the workflow file. */
  readonly workflowSha: string;
  readonly headRef: string;
  readonly baseRef: string;
  /** Whether a pull request of a fork caused it, so that there is no secret and nothing to write. */
  readonly isFork: boolean;
}

export interface ToldPull {
  readonly number: number;
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    readonly repo: { readonly full_name: string } | null;
  };
  readonly base: { readonly ref: string };
}

/** The commit that would be the merge, at `refs/pull/N/merge`; null where there is a conflict. */
function mergeRef({ git }: StoredRepository, { number, head, base }: ToldPull): string | null {
  const tip = branchTip(git, base.ref);
  if (tip === null) return null;
  try {
    const tree = git.run('merge-tree', '--write-tree', tip, head.sha).split('\n')[0] ?? '';
    const message = `Merge ${head.sha} into ${tip}`;
    const commit = git.run('commit-tree', tree, '-p', tip, '-p', head.sha, '-m', message);
    git.run('update-ref', `refs/pull/${number}/merge`, commit);
    return commit;
  } catch {
    return null;
  }
}

/** Null where GitHub starts nothing: the pull request has a conflict, or the ref is not there. */
export function placeEvent(
  repository: StoredRepository,
  { name, payload }: WorkflowEvent,
  dispatchedRef: string | null,
): EventPlace | null {
  const pull = payload.pull_request as ToldPull | undefined;
  const sides = { headRef: pull?.head.ref ?? '', baseRef: pull?.base.ref ?? '' };
  const main = branchTip(repository.git, 'main');
  if (main === null) return null;
  if (pull !== undefined && name !== 'pull_request_target') {
    const sha = mergeRef(repository, pull);
    if (sha === null) return null;
    const isFork = pull.head.repo?.full_name !== repository.name;
    return { ref: `refs/pull/${pull.number}/merge`, sha, workflowSha: sha, ...sides, isFork };
  }
  if (name === 'pull_request_target') {
    const ref = `refs/heads/${sides.baseRef}`;
    return {
      ref,
      sha: branchTip(repository.git, sides.baseRef) ?? main,
      workflowSha: main,
      ...sides,
      isFork: false,
    };
  }
  const branch = (dispatchedRef ?? 'main').replace(/^refs\/heads\//u, '');
  const sha = branchTip(repository.git, branch);
  if (sha === null) return null;
  return { ref: `refs/heads/${branch}`, sha, workflowSha: sha, ...sides, isFork: false };
}

const folder = '.github/workflows';

/** The files of workflows at a commit, by their paths. */
export function listWorkflowFiles({ git }: StoredRepository, sha: string): Record<string, string> {
  const paths = git
    .recall('ls-tree', '--name-only', sha, `${folder}/`)
    .split('\n')
    .filter((path) => /\.ya?ml$/u.test(path));
  return Object.fromEntries(paths.map((path) => [path, git.recall('show', `${sha}:${path}`)]));
}
