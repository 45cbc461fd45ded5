/** Pull requests of the small GitHub, over real git. */

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
import type { Documented } from './github-documented.ts';
import {
  branchTip,
  canMerge,
  countCommits,
  diffFiles,
  findCommit,
  makeUpdate,
  mergeWith,
  squash,
} from './github-git.ts';
import { changeIssue, routeReactions } from './github-issue-routes.ts';
import { apiUrl, nodeId, numberOf, showRepositoryPart, showUser, webUrl } from './github-repository-shape.ts';
import { routeReviewComments, routeReviews } from './github-review-routes.ts';
import { requireRules, violationOf } from './github-rules.ts';
import { associationOf, showLabels } from './github-shapes.ts';
import type {
  GithubState,
  StoredIssue,
  StoredPull,
  StoredPullRequest,
  StoredRepository,
} from './github-state.ts';

export function findPull(repository: StoredRepository, number: number): StoredPullRequest {
  const issue = repository.issues.find((one) => one.number === number);
  if (issue === undefined || issue.pull === null) throw notFound();
  return issue as StoredPullRequest;
}

/** The tip of its head, whose commits are brought here when they are in a fork. */
function headTip(state: GithubState, { git }: StoredRepository, head: string, fork?: string): string | null {
  if (fork === undefined) return branchTip(git, head);
  const there = state.repositories.get(fork)?.git;
  const tip = there === undefined ? null : branchTip(there, head);
  if (there !== undefined && tip !== null && findCommit(git, tip) === null)
    git.run('fetch', '--quiet', '--no-write-fetch-head', there.folder, tip);
  return tip;
}

/** Open pull requests follow their branches, and are closed with them. */
export function followBranches(state: GithubState, repository: StoredRepository): void {
  for (const issue of repository.issues) {
    if (issue.pull === null || issue.state === 'closed') continue;
    const tip = headTip(state, repository, issue.pull.head, issue.pull.fork);
    if (tip === null) state.setState(issue, 'closed', issue.author);
    else if (tip !== issue.pull.headSha) {
      issue.pull.headSha = tip;
      state.addEvent(issue, 'synchronized', issue.author, { sha: tip });
    }
  }
}

function forkOf(repository: StoredRepository, { fork }: StoredPull): StoredRepository {
  return fork === undefined ? repository : { ...repository, name: fork, id: numberOf(fork) };
}

function showPull(repository: StoredRepository, issue: StoredPullRequest) {
  const { pull } = issue;
  const [owner = ''] = repository.name.split('/');
  const repo = showRepositoryPart(repository);
  const side = (ref: string, sha: string, of = owner) => ({
    label: `${of}:${ref}`,
    ref,
    sha,
    user: showUser(of),
    repo: of === owner ? repo : { ...showRepositoryPart(forkOf(repository, pull)), fork: true },
  });
  const url = `${apiUrl(repository)}/pulls/${issue.number}`;
  const page = `${webUrl(repository)}/pull/${issue.number}`;
  const issueUrl = `${apiUrl(repository)}/issues/${issue.number}`;
  const addresses = {
    comments_url: `${issueUrl}/comments`,
    commits_url: `${url}/commits`,
    review_comment_url: `${apiUrl(repository)}/pulls/comments{/number}`,
    review_comments_url: `${url}/comments`,
    statuses_url: `${apiUrl(repository)}/statuses/${pull.headSha}`,
  };
  return {
    url,
    id: repository.id * 1000 + 500 + issue.number,
    node_id: nodeId('PR', repository, issue.number),
    number: issue.number,
    state: issue.state,
    locked: false,
    title: issue.title,
    body: issue.body === '' ? null : issue.body,
    user: showUser(issue.author),
    author_association: associationOf(repository, issue.author),
    labels: showLabels(repository, issue),
    assignee: issue.assignees[0] === undefined ? null : showUser(issue.assignees[0]),
    assignees: issue.assignees.map(showUser),
    ...{ requested_reviewers: [], requested_teams: [], milestone: null, auto_merge: null },
    active_lock_reason: null,
    draft: pull.isDraft,
    head: side(pull.head, pull.headSha, pull.fork?.split('/')[0]),
    base: side(pull.base, pull.baseSha),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: pull.mergedAt,
    // Before the merge this is a commit that it is tried with.
    merge_commit_sha: pull.mergeCommit ?? pull.headSha,
    ...{ html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch`, issue_url: issueUrl },
    ...addresses,
    _links: {
      ...{ self: { href: url }, html: { href: page }, issue: { href: issueUrl } },
      comments: { href: addresses.comments_url },
      commits: { href: addresses.commits_url },
      review_comment: { href: addresses.review_comment_url },
      review_comments: { href: addresses.review_comments_url },
      statuses: { href: addresses.statuses_url },
    },
  } satisfies Documented['pull'];
}

/** Whether it can be merged is worked out after somebody has asked. */
function mergeableNow(repository: StoredRepository, issue: StoredPullRequest): boolean | null {
  const { pull } = issue;
  if (issue.state === 'closed') return null;
  const pair = `${pull.headSha} ${branchTip(repository.git, pull.base)}`;
  if (pull.settledFor === pair) return canMerge(repository, pull);
  pull.settledFor = pair;
  return null;
}

function stateOf(repository: StoredRepository, issue: StoredPullRequest, mergeable: boolean | null): string {
  if (mergeable === null) return 'unknown';
  if (!mergeable) return 'dirty';
  return violationOf(repository, issue) === null ? 'clean' : 'blocked';
}

function detailsOf(repository: StoredRepository, issue: StoredPullRequest, mergeable: boolean | null) {
  const files = diffFiles(repository, issue.pull, issue.state === 'open');
  const sum = (key: 'additions' | 'deletions') => files.reduce((total, file) => total + file[key], 0);
  return {
    ...showPull(repository, issue),
    merged: issue.pull.mergedAt !== null,
    merged_by: null,
    maintainer_can_modify: false,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: stateOf(repository, issue, mergeable),
    comments: issue.comments.length,
    review_comments: issue.pull.reviewComments.length,
    commits: 1,
    additions: sum('additions'),
    deletions: sum('deletions'),
    changed_files: files.length,
  } satisfies Documented['pull'];
}

function showDetail(repository: StoredRepository, issue: StoredPullRequest) {
  return detailsOf(repository, issue, mergeableNow(repository, issue));
}

/** As a webhook is told of it: whether it can be merged is not worked out for that. */
export function showToldPull(repository: StoredRepository, issue: StoredPullRequest) {
  return detailsOf(repository, issue, null);
}

function listPulls({ repository, query }: Call): Answer {
  const [owner = ''] = repository.name.split('/');
  const state = query.get('state') ?? 'open';
  const [head, base] = [query.get('head'), query.get('base')];
  const pulls = repository.issues.filter(
    (issue): issue is StoredPullRequest =>
      issue.pull !== null &&
      (state === 'all' || issue.state === state) &&
      (head === null || `${issue.pull.fork?.split('/')[0] ?? owner}:${issue.pull.head}` === head) &&
      (base === null || issue.pull.base === base),
  );
  const key = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  pulls.sort((a, b) => b[key].localeCompare(a[key]) || b.number - a.number);
  return listed(pulls.map((issue) => showPull(repository, issue)));
}

function openPull(call: Call): Answer {
  const { repository, body, state } = call;
  const { git } = repository;
  const [owner, name] = repository.name.split('/');
  const [title, base] = [textOf(body.title), textOf(body.base)];
  const [, from = owner, head = ''] = /^(?:([^:]+):)?(.*)$/su.exec(textOf(body.head)) ?? [];
  const fork = from === owner ? {} : { fork: `${from}/${name}` };
  if (title.trim() === '') throw invalid('PullRequest', 'title', 'missing_field');
  const [headSha, baseSha] = [headTip(state, repository, head, fork.fork), branchTip(git, base)];
  if (headSha === null) throw invalid('PullRequest', 'head', 'invalid');
  if (baseSha === null) throw invalid('PullRequest', 'base', 'invalid');
  const isSame = (one: StoredIssue) =>
    one.state === 'open' && one.pull?.head === head && one.pull.fork === fork.fork && one.pull.base === base;
  const refuse = (message: string) =>
    new Refusal(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);
  if (repository.issues.some(isSame)) throw refuse(`A pull request already exists for ${owner}:${head}.`);
  if (countCommits(git, baseSha, headSha) === 0) throw refuse(`No commits between ${base} and ${head}`);
  const issue = state.addIssue(repository, call.login, title.trim(), textOf(body.body), [], {
    head,
    ...fork,
    headSha,
    base,
    baseSha,
    isDraft: body.draft === true,
    mergedAt: null,
    mergeCommit: null,
    reviews: [],
    reviewComments: [],
    settledFor: '',
  });
  return created(showDetail(repository, issue as StoredPullRequest));
}

function changePull(call: Call, issue: StoredPullRequest): Answer {
  const { repository } = call;
  const base = call.body.base;
  if (typeof base === 'string') {
    const sha = branchTip(repository.git, base);
    if (sha === null || base === issue.pull.head) throw invalid('PullRequest', 'base', 'invalid');
    changeIssue(call, issue);
    issue.pull.base = base;
    issue.pull.baseSha = sha;
  } else changeIssue(call, issue);
  return ok(showDetail(repository, issue));
}

function showFiles({ repository }: Call, issue: StoredPullRequest): Answer {
  return listed(
    diffFiles(repository, issue.pull, issue.state === 'open').map((file): Documented['file'] => ({
      sha: 'a'.repeat(40),
      filename: file.path,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      changes: file.additions + file.deletions,
      blob_url: `${webUrl(repository)}/blob/${issue.pull.headSha}/${encodeURIComponent(file.path)}`,
      raw_url: `${webUrl(repository)}/raw/${issue.pull.headSha}/${encodeURIComponent(file.path)}`,
      contents_url: `${apiUrl(repository)}/contents/${encodeURIComponent(file.path)}?ref=${issue.pull.headSha}`,
      ...(file.previous === null ? {} : { previous_filename: file.previous }),
      ...(file.patch === null ? {} : { patch: file.patch }),
    })),
  );
}

/** Words such as "Closes #3", but not in code. */
function closedBy(text: string): number[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`]*`|^ {4}.*$/gmu, '');
  return [...prose.matchAll(/\b(?:close|fix|resolve)(?:s|d|es|ed)?:?\s+#(\d+)/giu)].map((found) =>
    Number(found[1]),
  );
}

/** Puts it onto its base, and closes it and what it says that it closes. */
export function landPull(
  state: GithubState,
  repository: StoredRepository,
  issue: StoredPullRequest,
  by: string,
  land: () => string | null,
): string {
  const { pull } = issue;
  const before = branchTip(repository.git, pull.base);
  const commit = land();
  if (commit === null || before === null) throw new Refusal(405, 'Pull Request is not mergeable');
  pull.baseSha = before;
  pull.mergeCommit = commit;
  repository.contributors.add(issue.author);
  state.setState(issue, 'closed', by);
  pull.mergedAt = issue.closedAt;
  if (pull.base === 'main') {
    for (const number of closedBy(issue.body)) {
      const closed = repository.issues.find((one) => one.number === number);
      if (closed !== undefined) state.setState(closed, 'closed', by);
    }
  }
  return commit;
}

function mergePull(call: Call, issue: StoredPullRequest): Answer {
  const { repository, state, body } = call;
  const { pull } = issue;
  if (!isAtLeast(call.role, 'write')) throw notFound();
  if (issue.state === 'closed') throw new Refusal(405, 'Pull Request is not mergeable');
  if (pull.isDraft) throw new Refusal(405, 'Pull Request is still a draft');
  if (body.sha !== undefined && body.sha !== pull.headSha)
    throw new Refusal(409, 'Head branch was modified. Review and try the merge again.');
  const method = textOf(body.merge_method) || 'merge';
  requireRules(call, issue, method);
  const message = [textOf(body.commit_title), textOf(body.commit_message)].filter((one) => one !== '');
  const land = method === 'squash' ? squash : mergeWith;
  const sha = landPull(state, repository, issue, call.login, () =>
    land(repository, pull, message.join('\n\n')),
  );
  return ok({
    sha,
    merged: true,
    message: 'Pull Request successfully merged',
  } satisfies Documented['merge']);
}

/** Answered at once, done two requests later. */
function updatePull(call: Call, issue: StoredPullRequest): Answer {
  const { repository, body } = call;
  const { pull } = issue;
  requireRole(call, 'write');
  if (body.expected_head_sha !== undefined && body.expected_head_sha !== pull.headSha)
    throw new Refusal(422, 'expected head sha didn’t match current head ref.');
  if (countCommits(repository.git, pull.headSha, pull.base) === 0)
    throw new Refusal(422, 'There are no new commits on the base branch.');
  const commit = makeUpdate(repository, pull);
  if (commit === null) throw new Refusal(422, 'merge conflict between base and head');
  const before = pull.headSha;
  const work = () => void repository.git.run('update-ref', `refs/heads/${pull.head}`, commit, before);
  repository.later.push({ requests: 2, work });
  const data: Documented['update'] = { message: 'Updating pull request branch.', url: apiUrl(repository) };
  return { status: 202, data };
}

export const routePulls: Route = (call) => {
  const [first, number, part] = call.path;
  if (first !== 'pulls') return null;
  if (number === undefined) return call.method === 'GET' ? listPulls(call) : openPull(call);
  if (number === 'comments') {
    const isThere = call.repository.issues.some((one) =>
      one.pull?.reviewComments.some((comment) => String(comment.id) === part),
    );
    if (!isThere || call.path[3] !== 'reactions') throw notFound();
    return routeReactions(call, `review comment ${part}`);
  }
  const issue = findPull(call.repository, Number(number));
  if (part === 'files') return showFiles(call, issue);
  if (part === 'reviews') return routeReviews(call, issue);
  if (part === 'comments') return routeReviewComments(call, issue);
  if (part === 'merge') return mergePull(call, issue);
  if (part === 'update-branch') return updatePull(call, issue);
  if (part !== undefined) throw notFound();
  return call.method === 'PATCH' ? changePull(call, issue) : ok(showDetail(call.repository, issue));
};
