/** GitHub's answers as its own description has them, so that the compiler sees when the small GitHub makes something up. */
import type { Octokit } from 'octokit';

type Rest = Octokit['rest'];
type Answer<T extends (...given: never[]) => Promise<{ data: unknown }>> = Awaited<ReturnType<T>>['data'];
type Entry<T> = T extends readonly (infer One)[] ? One : never;

/** Not every field has to be there, but each one has to be GitHub's. Words of a fixed list may be any text. */
type Part<T> = T extends string
  ? string
  : T extends readonly (infer One)[]
    ? readonly Part<One>[]
    : T extends object
      ? { readonly [K in keyof T]?: Part<T[K]> }
      : T;

export type Documented = {
  readonly user: Part<NonNullable<Answer<Rest['issues']['getComment']>['user']>>;
  readonly myself: Part<Answer<Rest['users']['getAuthenticated']>>;
  readonly repository: Part<Answer<Rest['repos']['get']>>;
  readonly issue: Part<Answer<Rest['issues']['get']>>;
  readonly comment: Part<Answer<Rest['issues']['getComment']>>;
  readonly label: Part<Answer<Rest['issues']['getLabel']>>;
  readonly reaction: Part<Entry<Answer<Rest['reactions']['listForIssue']>>>;
  readonly pull: Part<Answer<Rest['pulls']['get']>>;
  readonly merge: Part<Answer<Rest['pulls']['merge']>>;
  readonly update: Part<Answer<Rest['pulls']['updateBranch']>>;
  readonly file: Part<Entry<Answer<Rest['pulls']['listFiles']>>>;
  readonly review: Part<Entry<Answer<Rest['pulls']['listReviews']>>>;
  readonly reviewComment: Part<Entry<Answer<Rest['pulls']['listReviewComments']>>>;
  readonly issueEvent: Part<Entry<Answer<Rest['issues']['listEvents']>>>;
  readonly gitCommit: Part<Answer<Rest['git']['getCommit']>>;
  readonly ref: Part<Answer<Rest['git']['getRef']>>;
  readonly branch: Part<Entry<Answer<Rest['repos']['listBranches']>>>;
  readonly commit: Part<Entry<Answer<Rest['repos']['listCommits']>>>;
  readonly comparison: Part<Answer<Rest['repos']['compareCommitsWithBasehead']>>;
  readonly status: Part<Entry<Answer<Rest['repos']['listCommitStatusesForRef']>>>;
  readonly checkRun: Part<Answer<Rest['checks']['get']>>;
  readonly commitComment: Part<Entry<Answer<Rest['repos']['listCommentsForCommit']>>>;
  readonly run: Part<Answer<Rest['actions']['getWorkflowRun']>>;
  readonly job: Part<Answer<Rest['actions']['getJobForWorkflowRun']>>;
  readonly permission: Part<Answer<Rest['repos']['getCollaboratorPermissionLevel']>>;
  readonly app: Part<NonNullable<Answer<Rest['apps']['getAuthenticated']>>>;
  readonly installation: Part<Answer<Rest['apps']['getRepoInstallation']>>;
  readonly installationToken: Part<Answer<Rest['apps']['createInstallationAccessToken']>>;
};
