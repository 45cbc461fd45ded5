/** The forge for code that only reads: every change is an effect. */
import type { Forge } from './forge.ts';

export type ForgeReader = Pick<
  Forge,
  | 'kind'
  | 'mergesTogether'
  | 'permissionOf'
  | 'listLabels'
  | 'getIssue'
  | 'getIssueText'
  | 'listIssues'
  | 'listLabelEvents'
  | 'listComments'
  | 'listReactions'
  | 'defaultBranch'
  | 'listBranches'
  | 'getBranch'
  | 'listCommits'
  | 'getPullRequest'
  | 'listPullRequests'
  | 'listFiles'
  | 'readMergeRules'
  | 'listReviews'
  | 'listReviewComments'
  | 'listChecks'
  | 'listWorkflowRuns'
  | 'readFailedLogs'
  | 'listCommitComments'
>;
