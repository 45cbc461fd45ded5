/** Branches, pull requests, reviews, checks and workflow runs. The other half of the `Forge` port. */
import type { MergeMethod, MergeRules } from '../../domain/forge/forge-rules.ts';
import type { ActorKind, Association } from './forge-issues.ts';

export interface ForgeBranch {
  readonly name: string;
  readonly sha: string;
}

export interface ForgeCommit {
  readonly sha: string;
  readonly message: string;
  readonly authorName: string;
  readonly committedAt: string;
  readonly parents: readonly string[];
}

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly isDraft: boolean;
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
  readonly labels: readonly string[];
  /** `repository` is null when the fork it came from is gone. */
  readonly head: { readonly branch: string; readonly sha: string; readonly repository: string | null };
  readonly base: { readonly branch: string; readonly sha: string };
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly mergedAt: string | null;
  readonly mergeCommit: string | null;
  readonly url: string;
}

/** `unknown`: the forge is still working it out, ask again; or the pull request is not open any more. */
export type Mergeable = 'clean' | 'conflicting' | 'unknown';

export interface PullRequestDetail extends PullRequest {
  readonly mergeable: Mergeable;
  /** Counted by the forge, not by a model. */
  readonly diffStat: { readonly files: number; readonly additions: number; readonly deletions: number };
}

export interface JointMerge {
  /** The commit that the base branch is to be at. */
  readonly base: string;
  readonly pulls: readonly {
    readonly number: number;
    readonly head: string;
    readonly title: string;
    readonly body: string;
    /** What the base has to hold with this one and those before it: what was tested. */
    readonly tree: string;
  }[];
}

export interface PullRequestFilter {
  readonly state?: 'open' | 'closed' | 'all';
  readonly head?: string;
  readonly base?: string;
  readonly author?: string;
  readonly label?: string;
  /** Only those changed at or after this moment, ISO 8601. */
  readonly updatedSince?: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Where it was before, when it was renamed. */
  readonly previousPath: string | null;
  readonly change: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  /** Unified diff of this file; null when it is binary or too large to be shown. */
  readonly patch: string | null;
}

export type ReviewDecision = 'comment' | 'approve' | 'request-changes';

export interface NewReview {
  /** The commit that was looked at; refused with `head-moved` when it is not the head any more. */
  readonly commit: string;
  readonly decision: ReviewDecision;
  readonly body: string;
  /** On lines of the new side of the diff. */
  readonly comments: readonly { readonly path: string; readonly line: number; readonly body: string }[];
}

export interface ForgeReview {
  readonly id: number;
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
  readonly state: 'commented' | 'approved' | 'changes-requested' | 'dismissed';
  readonly commit: string;
  readonly body: string;
  readonly submittedAt: string;
  readonly url: string;
}

export interface ReviewComment {
  readonly id: number;
  readonly review: number | null;
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
  readonly path: string;
  /** Null when the line is not in the diff any more. */
  readonly line: number | null;
  readonly commit: string;
  readonly body: string;
  readonly inReplyTo: number | null;
  readonly createdAt: string;
  readonly url: string;
}

export type CheckState = 'pending' | 'success' | 'failure' | 'neutral' | 'skipped' | 'cancelled';

/** A check run or a commit status: both say whether a commit is good. */
export interface Check {
  readonly name: string;
  readonly kind: 'check' | 'status';
  /** `unreadable` stands for all of a kind that our credential may not read: they may be anything. */
  readonly state: CheckState | 'unreadable';
  readonly description: string;
  readonly url: string;
  /** The number of the app that reported a check run; missing for a status. */
  readonly app?: number;
}

export interface WorkflowRun {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  readonly branch: string;
  readonly event: string;
  readonly status: 'queued' | 'in-progress' | 'completed';
  /** Null until it is completed. */
  readonly conclusion: CheckState | null;
  readonly attempt: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
}

export interface WorkflowRunFilter {
  readonly branch?: string;
  readonly headSha?: string;
  /** Only those created at or after this moment, ISO 8601. */
  readonly since?: string;
  readonly conclusion?: CheckState;
}

/** The end of what a failed step printed. Untrusted, as all that a build prints. */
export interface FailedLog {
  readonly job: string;
  readonly step: string;
  readonly log: string;
}

export interface CommitComment {
  readonly id: number;
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly body: string;
  readonly commit: string;
  readonly createdAt: string;
  readonly url: string;
}

export interface CodeForge {
  defaultBranch(repository: string): Promise<string>;
  listBranches(repository: string): Promise<ForgeBranch[]>;
  /** Null when there is none of that name. */
  getBranch(repository: string, name: string): Promise<ForgeBranch | null>;
  /** Refused with `branch-exists` when there is one already. */
  createBranch(repository: string, name: string, sha: string): Promise<ForgeBranch>;
  /** False when it was gone already. Refused with `head-moved` when it is not at `expected`. */
  deleteBranch(repository: string, name: string, expected: string): Promise<boolean>;
  /** Newest first, of a branch or from a commit on. */
  listCommits(
    repository: string,
    from: string,
    filter?: { readonly since?: string; readonly limit?: number },
  ): Promise<ForgeCommit[]>;

  /** Refused with `pull-request-exists` when one from that branch to that base is open. */
  createPullRequest(
    repository: string,
    pull: {
      readonly title: string;
      readonly body: string;
      readonly head: string;
      readonly base: string;
      readonly isDraft?: boolean;
    },
  ): Promise<PullRequest>;
  getPullRequest(repository: string, number: number): Promise<PullRequestDetail>;
  /** Newest first. */
  listPullRequests(repository: string, filter?: PullRequestFilter): Promise<PullRequest[]>;
  /** Labels and assignees are changed with `editIssue`. */
  editPullRequest(
    repository: string,
    number: number,
    change: {
      readonly title?: string;
      readonly body?: string;
      readonly state?: 'open' | 'closed';
      readonly base?: string;
      readonly isDraft?: boolean;
    },
  ): Promise<PullRequest>;
  listFiles(repository: string, number: number): Promise<ChangedFile[]>;

  /** Refused with `remark-outside-diff` when the diff does not show a line that a remark is about; nothing is kept then. */
  createReview(repository: string, number: number, review: NewReview): Promise<ForgeReview>;
  /** Oldest first. */
  listReviews(repository: string, number: number): Promise<ForgeReview[]>;
  /** Oldest first. */
  listReviewComments(repository: string, number: number): Promise<ReviewComment[]>;

  /** What the forge itself asks for before this one may be merged. */
  readMergeRules(repository: string, number: number): Promise<MergeRules>;
  /**
   * Puts the change onto its base, as one commit where that is allowed. Refused with `head-moved` when the head is not the one given, or the
   * base where it is expected, with `merge-conflict` when it does not fit, with `merge-refused` when it is closed, a
   * draft, or held up by a rule, and with `checkout-in-the-way` when a work tree on this machine has changes in the way.
   */
  mergePullRequest(
    repository: string,
    number: number,
    merge: {
      readonly head: string;
      readonly title: string;
      readonly body: string;
      /** The commit that the base branch is to be at: what was tested on top of it holds nowhere else. */
      readonly base?: string;
      /** Ways of merging, the preferred one first: the next is tried where one is not allowed. Squash if left out. */
      readonly methods?: readonly MergeMethod[];
    },
  ): Promise<{ readonly commit: string }>;
  /**
   * Hands it to the forge's own merge queue; one that is in it already stays where it is. Refused with `head-moved` when
   * the head is not the one given, with `merge-refused` where the forge does not take it or has no queue.
   */
  enqueuePullRequest(repository: string, number: number, head: string): Promise<{ readonly queued: boolean }>;
  /**
   * Whether several pull requests can be put onto their base in one move. Where they cannot, the base stands at each of
   * them in turn, and the caller must have tested each of these states.
   */
  readonly mergesTogether: boolean;
  /**
   * Puts several changes onto one base, each as one commit, in this order: all of them or none, with no visible state
   * in between. Refused as one merge is; also with `head-moved` when one would become another tree than the one given,
   * and with `merge-refused` where the forge cannot do it.
   */
  mergeTogether(repository: string, merge: JointMerge): Promise<{ readonly commits: readonly string[] }>;
  /** Merges the base into the head branch. Refused with `head-moved` and `merge-conflict`; the same head when there was nothing to merge. */
  updateBranch(repository: string, number: number, head: string): Promise<{ readonly head: string }>;

  /** Check runs and statuses of a commit, the newest of each name, by name. */
  listChecks(repository: string, sha: string): Promise<Check[]>;
  setStatus(
    repository: string,
    sha: string,
    status: {
      readonly name: string;
      readonly state: 'pending' | 'success' | 'failure';
      readonly description: string;
      readonly url?: string;
    },
  ): Promise<void>;

  /** Newest first. */
  listWorkflowRuns(repository: string, filter?: WorkflowRunFilter): Promise<WorkflowRun[]>;
  /** At most the last 64 KiB of each failed step; empty when nothing failed. */
  readFailedLogs(repository: string, run: number): Promise<FailedLog[]>;

  createCommitComment(repository: string, sha: string, body: string): Promise<CommitComment>;
  /** Oldest first. */
  listCommitComments(repository: string, sha: string): Promise<CommitComment[]>;
}
