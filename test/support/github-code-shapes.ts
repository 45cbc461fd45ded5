/** How the small GitHub shows branches, commits, statuses, checks, builds and what was said of a commit. */

import type { GitStore } from './git-store.ts';
import type { StoredJob, StoredRun } from './github-actions-settings.ts';
import type { Documented } from './github-documented.ts';
import {
  apiUrl,
  longAgo,
  nodeId,
  numberOf,
  showRepositoryPart,
  showUser,
  webUrl,
} from './github-repository-shape.ts';
import { associationOf } from './github-shapes.ts';
import type { StoredCheckRun, StoredCommitComment, StoredRepository, StoredStatus } from './github-state.ts';

const shortDate = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/u, 'Z');

export function showRef(repository: StoredRepository, name: string, sha: string) {
  return {
    ref: `refs/heads/${name}`,
    node_id: `REF_${name}`,
    url: `${apiUrl(repository)}/git/refs/heads/${encodeURIComponent(name)}`,
    object: { sha, type: 'commit', url: `${apiUrl(repository)}/git/commits/${sha}` },
  } satisfies Documented['ref'];
}

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

interface ReadCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly committer: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
}

const format = '--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x1e';

export function readCommits(git: GitStore, ...words: readonly string[]): ReadCommit[] {
  return git
    .run('log', format, ...words)
    .split('\x1e')
    .map((part) => part.replace(/^\n/u, '').split('\0'))
    .filter((fields) => fields.length === 10)
    .map((fields) => {
      const [sha = '', tree = '', parents = '', name = '', email = '', written = ''] = fields;
      const [committer = '', address = '', at = '', message = ''] = fields.slice(6);
      return {
        ...{ sha, tree, parents: parents.split(' ').filter((one) => one !== '') },
        author: { name, email, date: shortDate(Date.parse(written)) },
        committer: { name: committer, email: address, date: shortDate(Date.parse(at)) },
        message: message.trimEnd(),
      };
    });
}

/** As git has it. */
export function showGitCommit(repository: StoredRepository, commit: ReadCommit) {
  const { sha, tree, parents, author, committer, message } = commit;
  const url = (kind: string, name: string) => `${apiUrl(repository)}/git/${kind}/${name}`;
  return {
    ...{
      sha,
      node_id: `C_${sha}`,
      url: url('commits', sha),
      html_url: `${webUrl(repository)}/commit/${sha}`,
    },
    ...{ author, committer, message },
    tree: { sha: tree, url: url('trees', tree) },
    parents: parents.map((one) => ({
      ...{ sha: one, url: url('commits', one), html_url: `${webUrl(repository)}/commit/${one}` },
    })),
    verification: unsigned,
  } satisfies Documented['gitCommit'];
}

/** As GitHub has it: with the people, if it knows them. */
export function showCommit(repository: StoredRepository, commit: ReadCommit) {
  const { sha, tree, parents, author, committer, message } = commit;
  const url = (name: string) => `${apiUrl(repository)}/commits/${name}`;
  return {
    ...{ sha, node_id: `C_${sha}`, url: url(sha), html_url: `${webUrl(repository)}/commit/${sha}` },
    comments_url: `${url(sha)}/comments`,
    commit: {
      ...{ author, committer, message, comment_count: 0, verification: unsigned },
      url: `${apiUrl(repository)}/git/commits/${sha}`,
      tree: { sha: tree, url: `${apiUrl(repository)}/git/trees/${tree}` },
    },
    author: null,
    committer: null,
    parents: parents.map((one) => ({
      ...{ sha: one, url: url(one), html_url: `${webUrl(repository)}/commit/${one}` },
    })),
  } satisfies Documented['commit'];
}

export function showCommitComment(repository: StoredRepository, comment: StoredCommitComment) {
  return {
    id: comment.id,
    node_id: `CC_${comment.id}`,
    url: `${apiUrl(repository)}/comments/${comment.id}`,
    user: showUser(comment.author),
    author_association: associationOf(repository, comment.author),
    body: comment.body,
    commit_id: comment.sha,
    ...{ path: null, line: null, position: null },
    created_at: comment.at,
    updated_at: comment.updatedAt,
    html_url: `${webUrl(repository)}/commit/${comment.sha}#commitcomment-${comment.id}`,
  } satisfies Documented['commitComment'];
}

export function showStatus(repository: StoredRepository, status: StoredStatus) {
  const { sha, at, author, ...one } = status;
  return {
    ...one,
    node_id: `SC_${status.id}`,
    url: `${apiUrl(repository)}/statuses/${sha}`,
    avatar_url: showUser(author).avatar_url,
    created_at: at,
    updated_at: at,
    creator: showUser(author),
  } satisfies Documented['status'];
}

function showApp(id: number) {
  return {
    ...{ id, slug: `app-${id}`, node_id: `A_${id}`, name: `App ${id}`, description: null },
    ...{
      owner: showUser('github'),
      external_url: 'https://example.com',
      html_url: `https://github.com/apps/app-${id}`,
    },
    ...{ created_at: longAgo, updated_at: longAgo, permissions: {}, events: [] },
  };
}

export function showCheckRun(repository: StoredRepository, one: StoredCheckRun) {
  const url = `${apiUrl(repository)}/check-runs/${one.id}`;
  return {
    id: one.id,
    node_id: `CR_${one.id}`,
    external_id: '',
    url,
    name: one.name,
    head_sha: one.sha,
    status: one.conclusion === null ? 'in_progress' : 'completed',
    conclusion: one.conclusion,
    started_at: one.at,
    completed_at: one.conclusion === null ? null : one.at,
    html_url: `${webUrl(repository)}/runs/${one.id}`,
    details_url: one.url,
    output: {
      ...{ title: one.title, summary: null, text: null },
      ...{ annotations_count: 0, annotations_url: `${url}/annotations` },
    },
    check_suite: { id: 1 },
    app: one.app === undefined ? null : showApp(one.app),
    pull_requests: [],
  } satisfies Documented['checkRun'];
}

const pathOfRun = ({ path }: Pick<StoredRun, 'path'>): string => path ?? '.github/workflows/ci.yml';

/** GitHub numbers workflows; here the number follows from the path. */
export const workflowId = (path: string): number => numberOf(path);

function showHeadRepository(repository: StoredRepository, fork: string | undefined) {
  const part = showRepositoryPart(repository);
  if (fork === undefined) return part;
  const [owner = '', name = ''] = fork.split('/');
  return { ...part, name, full_name: fork, owner: showUser(owner), fork: true };
}

export function showRun(repository: StoredRepository, run: StoredRun) {
  const url = `${apiUrl(repository)}/actions/runs/${run.id}`;
  const author = { name: 'Alice', email: 'alice@example.com' };
  return {
    id: run.id,
    node_id: nodeId('WFR', repository, run.id),
    name: run.name,
    display_title: run.name,
    head_branch: run.branch,
    head_sha: run.sha,
    path: pathOfRun(run),
    ...{ run_number: 1, run_attempt: 1, workflow_id: workflowId(pathOfRun(run)) },
    ...{ check_suite_id: 1, check_suite_node_id: 'CS_1' },
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    ...{ created_at: run.at, updated_at: run.at, run_started_at: run.at },
    actor: showUser(run.actor ?? 'alice'),
    triggering_actor: showUser(run.actor ?? 'alice'),
    pull_requests: [],
    ...{ url, html_url: `${webUrl(repository)}/actions/runs/${run.id}` },
    ...{ jobs_url: `${url}/jobs`, logs_url: `${url}/logs`, artifacts_url: `${url}/artifacts` },
    ...{ cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun`, previous_attempt_url: null },
    check_suite_url: `${apiUrl(repository)}/check-suites/1`,
    workflow_url: `${apiUrl(repository)}/actions/workflows/${workflowId(pathOfRun(run))}`,
    head_commit: { id: run.sha, tree_id: run.sha, message: '', timestamp: run.at, author, committer: author },
    repository: showRepositoryPart(repository),
    head_repository: showHeadRepository(repository, run.fork),
  } satisfies Documented['run'];
}

export function showWorkflow(repository: StoredRepository, run: Pick<StoredRun, 'name' | 'path'>) {
  const path = pathOfRun(run);
  const id = workflowId(path);
  return {
    ...{
      id,
      node_id: 'W_1',
      name: run.name,
      path,
      state: 'active',
      created_at: longAgo,
      updated_at: longAgo,
    },
    url: `${apiUrl(repository)}/actions/workflows/${id}`,
    html_url: `${webUrl(repository)}/blob/main/${path}`,
    badge_url: `${webUrl(repository)}/workflows/${encodeURIComponent(run.name)}/badge.svg`,
  };
}

/** Steps take ten seconds each, so that their logs can be told apart. */
export const stepSeconds = 10;

export function showJob(repository: StoredRepository, run: StoredRun, job: StoredJob) {
  const at = (seconds: number) => shortDate(job.startedAt + seconds * 1000);
  return {
    id: job.id,
    node_id: `CR_${job.id}`,
    run_id: run.id,
    run_url: `${apiUrl(repository)}/actions/runs/${run.id}`,
    run_attempt: 1,
    ...{ head_sha: run.sha, head_branch: run.branch, workflow_name: run.name },
    url: `${apiUrl(repository)}/actions/jobs/${job.id}`,
    html_url: `${webUrl(repository)}/actions/runs/${run.id}/job/${job.id}`,
    check_run_url: `${apiUrl(repository)}/check-runs/${job.id}`,
    name: job.name,
    status: 'completed',
    conclusion: job.conclusion,
    ...{ created_at: longAgo, started_at: at(0), completed_at: at(job.steps.length * stepSeconds) },
    labels: ['ubuntu-latest'],
    ...{
      runner_id: 1,
      runner_name: 'GitHub Actions 1',
      runner_group_id: 1,
      runner_group_name: 'GitHub Actions',
    },
    steps: job.steps.map((step, index) => ({
      ...{ name: step.name, number: index + 1, status: 'completed', conclusion: step.conclusion },
      started_at: at(index * stepSeconds),
      completed_at: at(index * stepSeconds + stepSeconds - 2),
    })),
  } satisfies Documented['job'];
}
