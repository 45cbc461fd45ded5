/** Reviews of pull requests and their comments on lines, in the small GitHub. */

import { type Answer, type Call, listed, ok, Refusal, textOf } from './github-answer.ts';
import type { Documented } from './github-documented.ts';
import { diffFiles, findCommit, followLine, isLineInPatch } from './github-git.ts';
import { apiUrl, showUser, webUrl } from './github-repository-shape.ts';
import { associationOf } from './github-shapes.ts';
import type {
  StoredPullRequest,
  StoredRepository,
  StoredReview,
  StoredReviewComment,
} from './github-state.ts';

const states: Readonly<Record<string, string>> = {
  COMMENT: 'COMMENTED',
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
};

export function showReview(repository: StoredRepository, issue: StoredPullRequest, review: StoredReview) {
  const page = `${webUrl(repository)}/pull/${issue.number}#pullrequestreview-${review.id}`;
  const pull = `${apiUrl(repository)}/pulls/${issue.number}`;
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: showUser(review.author),
    body: review.body,
    state: review.state,
    commit_id: review.commit,
    submitted_at: review.at,
    author_association: associationOf(repository, review.author),
    html_url: page,
    pull_request_url: pull,
    _links: { html: { href: page }, pull_request: { href: pull } },
  } satisfies Documented['review'];
}

const refuse = (words: string) => new Refusal(422, 'Unprocessable Entity', [words]);

function addReview(call: Call, issue: StoredPullRequest): Answer {
  const { repository, state, body } = call;
  const { pull } = issue;
  const event = textOf(body.event);
  const words = textOf(body.body);
  if (states[event] === undefined) throw refuse('Event is invalid');
  if (event !== 'COMMENT' && issue.author === call.login)
    throw refuse(`Can not ${event === 'APPROVE' ? 'approve' : 'request changes on'} your own pull request`);
  const commit = textOf(body.commit_id) || pull.headSha;
  if (findCommit(repository.git, commit) === null) throw refuse('commit_id is not part of the pull request');
  const files = diffFiles(repository, pull, issue.state === 'open');
  const wanted = Array.isArray(body.comments) ? (body.comments as Record<string, unknown>[]) : [];
  if (event !== 'APPROVE' && words.trim() === '' && wanted.length === 0) throw refuse('Body cannot be blank');
  for (const one of wanted) {
    const file = files.find(({ path }) => path === one.path);
    if (file === undefined) throw refuse('Path could not be resolved');
    if (one.side !== 'RIGHT' || !isLineInPatch(file.patch, Number(one.line)))
      throw refuse('Line could not be resolved');
  }
  const review = {
    id: state.nextId(),
    author: call.login,
    state: states[event] ?? '',
    commit,
    body: words,
    at: state.now(),
  };
  pull.reviews.push(review);
  for (const one of wanted) {
    const comment = state.makeComment(call.login, textOf(one.body));
    pull.reviewComments.push({
      ...comment,
      review: review.id,
      path: textOf(one.path),
      line: Number(one.line),
      commit,
    });
  }
  issue.updatedAt = review.at;
  return ok(showReview(repository, issue, review));
}

export function routeReviews(call: Call, issue: StoredPullRequest): Answer {
  if (call.method === 'POST') return addReview(call, issue);
  return listed(issue.pull.reviews.map((review) => showReview(call.repository, issue, review)));
}

function showReviewComment(
  repository: StoredRepository,
  issue: StoredPullRequest,
  comment: StoredReviewComment,
): unknown {
  const { headSha } = issue.pull;
  const line = followLine(repository.git, comment.commit, headSha, comment.path, comment.line);
  const url = `${apiUrl(repository)}/pulls/comments/${comment.id}`;
  const page = `${webUrl(repository)}/pull/${issue.number}#discussion_r${comment.id}`;
  const pull = `${apiUrl(repository)}/pulls/${issue.number}`;
  return {
    id: comment.id,
    node_id: `PRRC_${comment.id}`,
    url,
    diff_hunk: '@@ -1 +1 @@',
    pull_request_review_id: comment.review,
    user: showUser(comment.author),
    author_association: associationOf(repository, comment.author),
    path: comment.path,
    side: 'RIGHT',
    // Null for a line that is gone, although the description knows numbers only.
    line: line as number,
    original_line: comment.line,
    commit_id: line === null ? comment.commit : headSha,
    original_commit_id: comment.commit,
    body: comment.body,
    created_at: comment.at,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
  } satisfies Documented['reviewComment'];
}

export function routeReviewComments({ repository }: Call, issue: StoredPullRequest): Answer {
  return listed(issue.pull.reviewComments.map((one) => showReviewComment(repository, issue, one)));
}
