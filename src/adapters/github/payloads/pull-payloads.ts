/** What GitHub answers about pull requests, their files and reviews, as far as we read it. */
import { z } from 'zod';
import type {
  ChangedFile,
  ForgeReview,
  Mergeable,
  PullRequest,
  PullRequestDetail,
  ReviewComment,
} from '../../../ports/forge/forge.ts';
import { webUrl } from '../client/web-url.ts';
import { labelsPayload, toLabelNames } from './issue-payloads.ts';
import { association, person, toActor, toAssociation } from './people-payloads.ts';

const side = z.object({
  ref: z.string(),
  sha: z.string(),
  /** Null when the fork is gone. */
  repo: z.object({ full_name: z.string() }).nullish(),
});

export const pullPayload = z.object({
  number: z.int(),
  node_id: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  user: person,
  author_association: association,
  labels: labelsPayload,
  head: side,
  base: side,
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  merged_at: z.string().nullish(),
  /** Before the merge it is a commit that GitHub tries it with. */
  merge_commit_sha: z.string().nullish(),
  html_url: webUrl,
});

export const pullDetailPayload = pullPayload.extend({
  mergeable: z.boolean().nullish(),
  /** `blocked` when a rule stands in the way, `behind` when it has to be brought up to date first, and others. */
  mergeable_state: z.string().nullish(),
  changed_files: z.int(),
  additions: z.int(),
  deletions: z.int(),
});
export type PullDetailPayload = z.infer<typeof pullDetailPayload>;

export const filePayload = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  status: z.string(),
  additions: z.int(),
  deletions: z.int(),
  patch: z.string().optional(),
});

export const reviewPayload = z.object({
  id: z.int(),
  user: person,
  author_association: association,
  state: z.string(),
  commit_id: z.string().nullish(),
  body: z.string().nullish(),
  /** Missing while its author has not sent it. */
  submitted_at: z.string().nullish(),
  html_url: webUrl,
});

export const reviewCommentPayload = z.object({
  id: z.int(),
  pull_request_review_id: z.int().nullish(),
  user: person,
  author_association: association,
  path: z.string(),
  line: z.int().nullish(),
  commit_id: z.string(),
  original_commit_id: z.string().optional(),
  body: z.string(),
  in_reply_to_id: z.int().optional(),
  created_at: z.string(),
  html_url: webUrl,
});

export const mergePayload = z.object({ sha: z.string(), merged: z.boolean() });
export const comparisonPayload = z.object({ ahead_by: z.int(), behind_by: z.int() });

export function toPull(payload: z.infer<typeof pullPayload>): PullRequest {
  const mergedAt = payload.merged_at ?? null;
  return {
    number: payload.number,
    title: payload.title,
    body: payload.body ?? '',
    state: mergedAt === null ? payload.state : 'merged',
    isDraft: payload.draft ?? false,
    ...toActor(payload.user),
    association: toAssociation(payload.author_association),
    labels: toLabelNames(payload.labels),
    head: {
      branch: payload.head.ref,
      sha: payload.head.sha,
      repository: payload.head.repo?.full_name ?? null,
    },
    base: { branch: payload.base.ref, sha: payload.base.sha },
    createdAt: payload.created_at,
    updatedAt: payload.updated_at,
    closedAt: payload.closed_at ?? null,
    mergedAt,
    mergeCommit: mergedAt === null ? null : (payload.merge_commit_sha ?? null),
    url: payload.html_url,
  };
}

function toMergeable(mergeable: boolean | null | undefined): Mergeable {
  if (mergeable == null) return 'unknown';
  return mergeable ? 'clean' : 'conflicting';
}

export function toPullDetail(payload: PullDetailPayload): PullRequestDetail {
  return {
    ...toPull(payload),
    mergeable: toMergeable(payload.mergeable),
    diffStat: {
      files: payload.changed_files,
      additions: payload.additions,
      deletions: payload.deletions,
    },
  };
}

function toChange(status: string): ChangedFile['change'] {
  switch (status) {
    case 'added':
    // A copy is a new file beside the old one.
    case 'copied':
      return 'added';
    case 'removed':
    case 'renamed':
      return status;
    default:
      return 'modified';
  }
}

export function toFile(payload: z.infer<typeof filePayload>): ChangedFile {
  const change = toChange(payload.status);
  return {
    path: payload.filename,
    previousPath: change === 'renamed' ? (payload.previous_filename ?? null) : null,
    change,
    additions: payload.additions,
    deletions: payload.deletions,
    patch: payload.patch === undefined || payload.patch === '' ? null : payload.patch,
  };
}

const reviewStates: Readonly<Record<string, ForgeReview['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  DISMISSED: 'dismissed',
};

/** Null for one that was begun and not sent; only its author sees it. */
export function toReview(payload: z.infer<typeof reviewPayload>): ForgeReview | null {
  if (payload.state === 'PENDING' || payload.submitted_at == null) return null;
  return {
    id: payload.id,
    ...toActor(payload.user),
    association: toAssociation(payload.author_association),
    // Anything new that GitHub may think of is no approval.
    state: reviewStates[payload.state] ?? 'commented',
    commit: payload.commit_id ?? '',
    body: payload.body ?? '',
    submittedAt: payload.submitted_at,
    url: payload.html_url,
  };
}

export function toReviewComment(payload: z.infer<typeof reviewCommentPayload>): ReviewComment {
  return {
    id: payload.id,
    review: payload.pull_request_review_id ?? null,
    ...toActor(payload.user),
    association: toAssociation(payload.author_association),
    path: payload.path,
    line: payload.line ?? null,
    // The one that was looked at; `commit_id` moves on with the branch.
    commit: payload.original_commit_id ?? payload.commit_id,
    body: payload.body,
    inReplyTo: payload.in_reply_to_id ?? null,
    createdAt: payload.created_at,
    url: payload.html_url,
  };
}
