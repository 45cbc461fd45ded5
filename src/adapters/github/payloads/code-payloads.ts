/** What GitHub answers about branches, commits, checks and workflow runs, as far as we read it. */
import { z } from 'zod';
import type {
  Check,
  CheckState,
  CommitComment,
  ForgeBranch,
  ForgeCommit,
  WorkflowRun,
} from '../../../ports/forge/forge.ts';
import { webUrl } from '../client/web-url.ts';
import { person, toActor } from './people-payloads.ts';

export const branchPayload = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) });
export const refPayload = z.object({ ref: z.string(), object: z.object({ sha: z.string() }) });

export const commitPayload = z.object({
  sha: z.string(),
  commit: z.object({
    message: z.string(),
    author: z.object({ name: z.string().optional() }).nullish(),
    committer: z.object({ date: z.string().optional() }).nullish(),
  }),
  parents: z.array(z.object({ sha: z.string() })),
});

export const checkRunPayload = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: webUrl.nullish(),
  details_url: webUrl.nullish(),
  app: z.object({ id: z.int() }).nullish(),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
});

export const statusPayload = z.object({
  id: z.int(),
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: webUrl.nullish(),
});

export const workflowRunPayload = z.object({
  id: z.int(),
  name: z.string().nullish(),
  head_sha: z.string(),
  head_branch: z.string().nullish(),
  event: z.string(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  run_attempt: z.int().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  html_url: webUrl,
});

export const jobPayload = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  steps: z
    .array(
      z.object({
        name: z.string(),
        conclusion: z.string().nullish(),
        started_at: z.string().nullish(),
        completed_at: z.string().nullish(),
      }),
    )
    .optional(),
});

export const commitCommentPayload = z.object({
  id: z.int(),
  user: person,
  body: z.string().nullish(),
  commit_id: z.string(),
  created_at: z.string(),
  html_url: webUrl,
});

export function toBranch(payload: z.infer<typeof branchPayload>): ForgeBranch {
  return { name: payload.name, sha: payload.commit.sha };
}

export function toCommit(payload: z.infer<typeof commitPayload>): ForgeCommit {
  return {
    sha: payload.sha,
    message: payload.commit.message,
    authorName: payload.commit.author?.name ?? '',
    committedAt: payload.commit.committer?.date ?? '',
    parents: payload.parents.map(({ sha }) => sha),
  };
}

/** What came of a check or a run. Whatever is not known to be good counts as a failure, so that nothing slips through. */
export function toCheckState(conclusion: string): CheckState {
  switch (conclusion) {
    case 'success':
    case 'neutral':
    case 'skipped':
    case 'cancelled':
      return conclusion;
    // GitHub gave up on it, because it was never finished.
    case 'stale':
      return 'cancelled';
    default:
      return 'failure';
  }
}

export function toCheck(payload: z.infer<typeof checkRunPayload>): Check {
  return {
    name: payload.name,
    kind: 'check',
    state: payload.status === 'completed' ? toCheckState(payload.conclusion ?? '') : 'pending',
    description: payload.output?.title ?? payload.output?.summary ?? '',
    url: payload.details_url ?? payload.html_url ?? '',
    ...(payload.app == null ? {} : { app: payload.app.id }),
  };
}

export function toStatusCheck(payload: z.infer<typeof statusPayload>): Check {
  return {
    name: payload.context,
    kind: 'status',
    // "error" is a failure of the checker, which proves nothing good either.
    state: payload.state === 'pending' ? 'pending' : toCheckState(payload.state),
    description: payload.description ?? '',
    url: payload.target_url ?? '',
  };
}

export function toWorkflowRun(payload: z.infer<typeof workflowRunPayload>): WorkflowRun {
  const isCompleted = payload.status === 'completed';
  return {
    id: payload.id,
    name: payload.name ?? '',
    headSha: payload.head_sha,
    branch: payload.head_branch ?? '',
    event: payload.event,
    // Requested, waiting and pending runs have not begun.
    status: isCompleted ? 'completed' : payload.status === 'in_progress' ? 'in-progress' : 'queued',
    conclusion: isCompleted ? toCheckState(payload.conclusion ?? '') : null,
    attempt: payload.run_attempt ?? 1,
    createdAt: payload.created_at,
    updatedAt: payload.updated_at,
    url: payload.html_url,
  };
}

export function toCommitComment(payload: z.infer<typeof commitCommentPayload>): CommitComment {
  return {
    id: payload.id,
    ...toActor(payload.user),
    body: payload.body ?? '',
    commit: payload.commit_id,
    createdAt: payload.created_at,
    url: payload.html_url,
  };
}
