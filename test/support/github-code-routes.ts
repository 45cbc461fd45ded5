/** Branches, commits, statuses, checks, commit comments and workflow runs of the small GitHub. */

import { isAtLeast } from '../../src/domain/forge/permission.ts';
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
import {
  readCommits,
  showCheckRun,
  showCommit,
  showCommitComment,
  showGitCommit,
  showJob,
  showRef,
  showRun,
  showStatus,
} from './github-code-shapes.ts';
import type { Documented } from './github-documented.ts';
import { branchTip, countCommits, findCommit } from './github-git.ts';
import { apiUrl, webUrl } from './github-repository-shape.ts';

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
    const [commit] = readCommits(git, '-1', sha);
    if (commit === undefined) throw notFound();
    return ok(showGitCommit(repository, commit));
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
  if (start === null) throw notFound();
  const since = query.get('since');
  const commits = readCommits(git, ...(since === null ? [] : [`--since=${since}`]), start);
  return listed(commits.map((one) => showCommit(repository, one)));
}

function routeCommit(call: Call): Answer {
  const { repository, state } = call;
  const [, name = '', part] = call.path;
  const sha = findCommit(repository.git, name) ?? branchTip(repository.git, name);
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
        .map((one) => showStatus(repository, one))
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
    list: (call.query.get('filter') === 'all' ? runs : latest).map((one) => showCheckRun(repository, one)),
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
  return created(showStatus(repository, status));
}

function compare({ repository, path }: Call): Answer {
  const { git } = repository;
  const [from = '', to = ''] = (path[1] ?? '')
    .split('...')
    .map((one) => branchTip(git, one) ?? findCommit(git, one));
  if (from === null || to === null) throw notFound();
  const [ahead, behind] = [countCommits(git, from, to), countCommits(git, to, from)];
  const status = behind === 0 ? (ahead === 0 ? 'identical' : 'ahead') : ahead === 0 ? 'behind' : 'diverged';
  const [base, head, common] = [from, to, git.run('merge-base', from, to)].map(
    (one) => readCommits(git, '-1', one)[0],
  );
  if (base === undefined || head === undefined || common === undefined) throw notFound();
  const url = `${apiUrl(repository)}/compare/${from}...${to}`;
  const page = `${webUrl(repository)}/compare/${from}...${to}`;
  return ok({
    ...{ url, html_url: page, permalink_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` },
    base_commit: showCommit(repository, base),
    merge_base_commit: showCommit(repository, common),
    ...{ status, ahead_by: ahead, behind_by: behind, total_commits: ahead, commits: [], files: [] },
  } satisfies Documented['comparison']);
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
    return { status: 200, listName: 'jobs', list: run.jobs.map((job) => showJob(repository, run, job)) };
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
