/** Everything that GitHub's own description of its API allows as an answer passes our schemas; checked by the compiler. */
import type { Octokit } from 'octokit';
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type * as code from './code-payloads.ts';
import type * as issue from './issue-payloads.ts';
import type * as people from './people-payloads.ts';
import type * as pull from './pull-payloads.ts';

type Rest = Octokit['rest'];
type Answer<T extends (...given: never[]) => Promise<{ data: unknown }>> = Awaited<ReturnType<T>>['data'];
type Entry<T> = T extends readonly (infer One)[] ? One : never;

describe('the schemas fit what GitHub documents', () => {
  it('about people', () => {
    expectTypeOf<Answer<Rest['users']['getAuthenticated']>>().toExtend<z.input<typeof people.userPayload>>();
    expectTypeOf<Answer<Rest['repos']['get']>>().toExtend<z.input<typeof people.repositoryPayload>>();
    expectTypeOf<Answer<Rest['repos']['getCollaboratorPermissionLevel']>>().toExtend<
      z.input<typeof people.permissionPayload>
    >();
  });

  it('about issues', () => {
    expectTypeOf<Entry<Answer<Rest['issues']['listLabelsForRepo']>>>().toExtend<
      z.input<typeof issue.labelPayload>
    >();
    // The description says "string" where there are two states only.
    expectTypeOf<Omit<Answer<Rest['issues']['get']>, 'state'>>().toExtend<
      Omit<z.input<typeof issue.issuePayload>, 'state'>
    >();
    expectTypeOf<Answer<Rest['issues']['listComments']>[number]>().toExtend<
      z.input<typeof issue.commentPayload>
    >();
    expectTypeOf<Entry<Answer<Rest['reactions']['listForIssue']>>>().toExtend<
      z.input<typeof issue.reactionPayload>
    >();
  });

  it('about pull requests', () => {
    expectTypeOf<Entry<Answer<Rest['pulls']['listFiles']>>>().toExtend<z.input<typeof pull.filePayload>>();
    expectTypeOf<Entry<Answer<Rest['pulls']['listReviews']>>>().toExtend<
      z.input<typeof pull.reviewPayload>
    >();
    expectTypeOf<Entry<Answer<Rest['pulls']['listReviewComments']>>>().toExtend<
      z.input<typeof pull.reviewCommentPayload>
    >();
    // The description says "string" where there are two states only.
    expectTypeOf<Omit<Entry<Answer<Rest['pulls']['list']>>, 'state'>>().toExtend<
      Omit<z.input<typeof pull.pullPayload>, 'state'>
    >();
    expectTypeOf<Answer<Rest['pulls']['get']>>().toExtend<z.input<typeof pull.pullDetailPayload>>();
    expectTypeOf<Answer<Rest['pulls']['merge']>>().toExtend<z.input<typeof pull.mergePayload>>();
    expectTypeOf<Answer<Rest['repos']['compareCommitsWithBasehead']>>().toExtend<
      z.input<typeof pull.comparisonPayload>
    >();
  });

  it('about code', () => {
    expectTypeOf<Entry<Answer<Rest['repos']['listBranches']>>>().toExtend<
      z.input<typeof code.branchPayload>
    >();
    expectTypeOf<Answer<Rest['git']['getRef']>>().toExtend<z.input<typeof code.refPayload>>();
    expectTypeOf<Entry<Answer<Rest['repos']['listCommits']>>>().toExtend<
      z.input<typeof code.commitPayload>
    >();
    expectTypeOf<Answer<Rest['checks']['listForRef']>['check_runs'][number]>().toExtend<
      z.input<typeof code.checkRunPayload>
    >();
    expectTypeOf<Entry<Answer<Rest['repos']['listCommitStatusesForRef']>>>().toExtend<
      z.input<typeof code.statusPayload>
    >();
    expectTypeOf<Answer<Rest['actions']['listWorkflowRunsForRepo']>['workflow_runs'][number]>().toExtend<
      z.input<typeof code.workflowRunPayload>
    >();
    expectTypeOf<Answer<Rest['actions']['listJobsForWorkflowRun']>['jobs'][number]>().toExtend<
      z.input<typeof code.jobPayload>
    >();
    expectTypeOf<Entry<Answer<Rest['repos']['listCommentsForCommit']>>>().toExtend<
      z.input<typeof code.commitCommentPayload>
    >();
  });
});
