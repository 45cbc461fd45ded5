/** Branches, commits, statuses, checks, commit comments and workflow runs of the small GitHub. */

import { isAtLeast } from '../../src/domain/permission.ts';
import {
  type Answer,
  type Call,
  created,
  invalid,
  listed,
  notFound,
  ok,
  Refusal,
  type Route,
  requireRole,
  textOf,
} from './github-answer.ts';
import type { Documented } from './github-documented.ts';
import { branchTip, countCommits, findCommit } from './github-git.ts';
import { apiUrl, showUser, webUrl } from './github-shapes.ts';
import type { StoredCommitComment, StoredJob, StoredRepository, StoredRun } from './github-state.ts';

const shortDate = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/u, 'Z');

function showRef(repository: StoredRepository, name: string, sha: string): unknown {
  return {
    ref: `refs/heads/${name}`,
    node_id: `REF_${name}`,
    url: `${apiUrl(repository)}/git/refs/heads/${name}`,
    object: { sha, type: 'commit', url: `${apiUrl(repository)}/git/commits/${sha}` },
  } satisfies Documented['ref'];
}

function routeGit(call: Call): Answer {
  const { repository, body } = call;
  const { git } = repository;
  const [, kind, name = ''] = call.path;
  if (kind === 'ref') {
    const branch = name.replace(/^heads\//u, '');
    const sha = branchTip(git, branch);
    if (sha === null) throw notFound();
    return ok(showRef(repository, branch, sha));
  }
  if (kind === 'commits') {
    const sha = findCommit(git, name);
    if (sha === null) throw notFound();
    return ok({ sha, node_id: `C_${sha}`, message: git.run('log', '-1', '--format=%B', sha) });
  }
  if (kind !== 'refs' || call.method !== 'POST') throw notFound();
  if (!isAtLeast(call.role, 'write')) throw notFound();
  const branch = textOf(body.ref).replace(/^refs\/heads\//u, '');
  if (findCommit(git, textOf(body.sha)) === null) throw new Refusal(422, 'Object does not exist');
  if (branchTip(git, branch) !== null) throw new Refusal(422, 'Reference already exists');
  git.run('update-ref', `refs/heads/${branch}`, textOf(body.sha), '0'.repeat(40));
  return created(showRef(repository, branch, textOf(body.sha)));
}

function listBranches({ repository }: Call): Answer {
  const lines = repository.git.run(
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=2)',
    'refs/heads',
  );
  return listed(
    lines.split('\n').map((line): Documented['branch'] => ({
      name: line.slice(41),
      commit: { sha: line.slice(0, 40), url: `${apiUrl(repository)}/commits/${line.slice(0, 40)}` },
      protected: false,
    })),
  );
}

function listCommits({ repository, query }: Call): Answer {
  const { git } = repository;
  const from = query.get('sha') ?? 'main';
  const start = findCommit(git, from) ?? branchTip(git, from);
  if (start === null) throw new Refusal(from.length === 40 ? 422 : 404, `No commit found for SHA: ${from}`);
  const since = query.get('since');
  const format = '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%cI%x00%B%x1e';
  const text = git.run('log', format, ...(since === null ? [] : [`--since=${since}`]), start);
  const commits = text
    .split('\x1e')
    .map((part) => part.replace(/^\n/u, '').split('\0'))
    .filter((fields) => fields.length === 8)
    .map(
      ([
        sha = '',
        parents = '',
        name = '',
        email = '',
        written = '',
        committer = '',
        at = '',
        message = '',
      ]): Documented['commit'] => ({
        sha,
        node_id: `C_${sha}`,
        commit: {
          author: { name, email, date: shortDate(Date.parse(written)) },
          committer: { name: committer, email, date: shortDate(Date.parse(at)) },
          message: message.trimEnd(),
          comment_count: 0,
        },
        author: null,
        committer: null,
        parents: parents
          .split(' ')
          .filter((parent) => parent !== '')
          .map((parent) => ({ sha: parent, url: `${apiUrl(repository)}/commits/${parent}` })),
        html_url: `${webUrl(repository)}/commit/${sha}`,
      }),
    );
  return listed(commits);
}

function showCommitComment(repository: StoredRepository, comment: StoredCommitComment): unknown {
  return {
    id: comment.id,
    user: showUser(comment.author),
    body: comment.body,
    commit_id: comment.sha,
    path: null,
    line: null,
    created_at: comment.at,
    updated_at: comment.updatedAt,
    html_url: `${webUrl(repository)}/commit/${comment.sha}#commitcomment-${comment.id}`,
  } satisfies Documented['commitComment'];
}

function routeCommit(call: Call): Answer {
  const { repository, state } = call;
  const [, name = '', part] = call.path;
  const sha = findCommit(repository.git, name);
  if (sha === null) throw new Refusal(422, `No commit found for SHA: ${name}`);
  if (part === 'comments') {
    if (call.method === 'GET')
      return listed(
        repository.commitComments
          .filter((one) => one.sha === sha)
          .map((one) => showCommitComment(repository, one)),
      );
    const comment = { ...state.makeComment(call.login, textOf(call.body.body)), sha };
    repository.commitComments.push(comment);
    return created(showCommitComment(repository, comment));
  }
  if (part === 'statuses')
    return listed(
      repository.statuses
        .filter((one) => one.sha === sha)
        .map(({ sha: _, at, author, ...one }): Documented['status'] => ({
          ...one,
          created_at: at,
          creator: showUser(author),
        }))
        .reverse(),
    );
  if (part !== 'check-runs') throw notFound();
  const runs = repository.checkRuns.filter((one) => one.sha === sha);
  const latest = runs.filter(
    (one, index) => runs.findLastIndex((other) => other.name === one.name) === index,
  );
  return {
    status: 200,
    listName: 'check_runs',
    list: (call.query.get('filter') === 'all' ? runs : latest).map((one): Documented['checkRun'] => ({
      id: one.id,
      name: one.name,
      head_sha: sha,
      status: one.conclusion === null ? 'in_progress' : 'completed',
      conclusion: one.conclusion,
      started_at: one.at,
      completed_at: one.conclusion === null ? null : one.at,
      html_url: `${webUrl(repository)}/runs/${one.id}`,
      details_url: one.url,
      output: { title: one.title, summary: null, text: null, annotations_count: 0 },
    })),
  };
}

function addStatus(call: Call): Answer {
  const { repository, state, body } = call;
  requireRole(call, 'write');
  const sha = findCommit(repository.git, call.path[1] ?? '');
  if (sha === null) throw new Refusal(422, `No commit found for SHA: ${call.path[1]}`);
  if (textOf(body.description).length > 140) throw invalid('Status', 'description', 'invalid');
  const status = {
    id: state.nextId(),
    sha,
    context: textOf(body.context) || 'default',
    state: textOf(body.state),
    description: textOf(body.description) || null,
    target_url: textOf(body.target_url) || null,
    at: state.now(),
    author: call.login,
  };
  repository.statuses.push(status);
  return created(status);
}

function compare({ repository, path }: Call): Answer {
  const { git } = repository;
  const [from = '', to = ''] = (path[1] ?? '')
    .split('...')
    .map((one) => branchTip(git, one) ?? findCommit(git, one));
  if (from === null || to === null) throw notFound();
  const [ahead, behind] = [countCommits(git, from, to), countCommits(git, to, from)];
  const status = behind === 0 ? (ahead === 0 ? 'identical' : 'ahead') : ahead === 0 ? 'behind' : 'diverged';
  const counts = { status, ahead_by: ahead, behind_by: behind, total_commits: ahead };
  return ok({ ...counts, commits: [], files: [] } satisfies Documented['comparison']);
}

export function showRun(repository: StoredRepository, run: StoredRun): unknown {
  return {
    id: run.id,
    name: run.name,
    head_branch: run.branch,
    head_sha: run.sha,
    run_number: 1,
    run_attempt: 1,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    created_at: run.at,
    updated_at: run.at,
    html_url: `${webUrl(repository)}/actions/runs/${run.id}`,
  } satisfies Documented['run'];
}

/** Steps take ten seconds each, so that their logs can be told apart. */
export const stepSeconds = 10;

function showJob(job: StoredJob): unknown {
  return {
    id: job.id,
    name: job.name,
    status: 'completed',
    conclusion: job.conclusion,
    steps: job.steps.map((step, index) => ({
      name: step.name,
      number: index + 1,
      status: 'completed',
      conclusion: step.conclusion,
      started_at: shortDate(job.startedAt + index * stepSeconds * 1000),
      completed_at: shortDate(job.startedAt + (index * stepSeconds + stepSeconds - 2) * 1000),
    })),
  } satisfies Documented['job'];
}

function routeActions(call: Call, storageUrl: string): Answer {
  const { repository, query } = call;
  const [, kind, id = '', part] = call.path;
  if (kind === 'runs' && id === '') {
    const [branch, sha] = [query.get('branch'), query.get('head_sha')];
    const runs = repository.runs.filter(
      (run) => (branch === null || run.branch === branch) && (sha === null || run.sha === sha),
    );
    const list = runs.map((run) => showRun(repository, run)).reverse();
    return { status: 200, listName: 'workflow_runs', list };
  }
  if (kind === 'runs' && part === 'jobs') {
    const run = repository.runs.find((one) => String(one.id) === id);
    if (run === undefined) throw notFound();
    return { status: 200, listName: 'jobs', list: run.jobs.map(showJob) };
  }
  if (kind === 'jobs' && part === 'logs') {
    const isThere = repository.runs.some((run) => run.jobs.some((job) => String(job.id) === id));
    if (!isThere) throw notFound();
    return { status: 302, headers: { location: `${storageUrl}/logs/${id}?sig=opens-it` } };
  }
  throw notFound();
}

export const makeCodeRoute =
  (storageUrl: () => string): Route =>
  (call) => {
    const [first] = call.path;
    if (first === 'git') return routeGit(call);
    if (first === 'branches') return listBranches(call);
    if (first === 'commits') return call.path.length === 1 ? listCommits(call) : routeCommit(call);
    if (first === 'statuses') return addStatus(call);
    if (first === 'compare') return compare(call);
    return first === 'actions' ? routeActions(call, storageUrl()) : null;
  };
