/** The forge for those who only look: everything that changes something is an effect. */
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
