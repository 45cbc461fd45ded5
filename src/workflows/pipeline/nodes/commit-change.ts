/**
 * The committer is code: it looks once more at the verdict, the proof, the base and the branch, then commits, pushes and
 * opens the pull request. From there the rules of every pull request hold.
 */
import { hideTokens } from '../../../domain/changes/hide-tokens.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../errors.ts';
import { commitTree, moveBranch } from '../../../runs/coding/push-work.ts';
import { stopIfHeld } from '../../issue-runs/check-order.ts';
import { openPullRequest } from '../../issue-runs/open-pull-request.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import {
  commitMessageOf,
  type PipelineCost,
  pullRequestBody,
  pullRequestTitle,
} from '../rules/comments/pull-request-text.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import type { PipelineState } from '../state.ts';
import { readProof } from './build.ts';
import { findExpected } from './choose-branch.ts';
import { findChecks } from './find-checks.ts';
import { followBase } from './follow-base.ts';
import { keepLearnings } from './learn.ts';
import { readChange } from './read-change.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';

async function costOf({ ledger, runId }: PipelineContext): Promise<PipelineCost> {
  const paid = (await ledger.readRun(runId)).flatMap((entry) => {
    if (entry.kind === 'model-answered') return [{ ...entry.data.usage, isAtMost: false }];
    return entry.kind === 'model-failed'
      ? [{ ...entry.data.usage, isAtMost: entry.data.isAtMost === true }]
      : [];
  });
  const sumOf = (isBound: boolean): number =>
    paid.reduce((sum, { costUsd, isAtMost }) => sum + (isAtMost === isBound ? costUsd : 0), 0);
  return {
    ...{ usd: sumOf(false), atMostUsd: sumOf(true) },
    isUnpriced: paid.some(({ isUnpriced }) => isUnpriced === true),
  };
}

export async function commitChange(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  const { repository, request, transport, trees } = context;
  const { commit, approved } = state;
  const base = baseOf(state);
  if (
    commit === null ||
    approved === null ||
    approved.commit !== commit ||
    document.review.verdict !== 'APPROVED'
  )
    throw new GatewrightError(
      'internal',
      'The committer was reached without an approval of this very commit.',
    );
  const { diff } = await readChange(context, base.commit, commit);
  if (sha256(diff) !== approved.diff)
    throw new GatewrightError('internal', 'The approved change is not the one that would be committed.');
  const issue = await context.forge.getIssue(repository, request.number);
  stopIfHeld(issue);
  if (issue.state !== 'open')
    throw new GatewrightError('issue-changed', `Issue #${request.number} was closed meanwhile.`);
  const { branch } = document.commit;
  const pushed = `commit-${commit.slice(0, 12)}`;
  const tip = await transport.fetchBranch(repository, base.branch);
  const isDone = (await context.ledger.find('effect-receipted', `${context.runId}/${pushed}#1`)) !== null;
  if (tip !== base.commit && !isDone)
    return followBase(context, state, document, { commit, tip, next: 'committer' });
  const message = commitMessageOf(document);
  const made = await moveBranch(context, pushed, async () => ({
    branch,
    commit: await commitTree(context, { tree: await trees.treeOf(commit), parent: base.commit, message }),
    expected: await findExpected(context, branch),
  }));
  const checks = await findChecks(context, base.commit);
  const proof = await readProof(context, base.commit, commit, checks);
  const title = pullRequestTitle(document);
  const body = pullRequestBody({
    ...{ document, proof, cost: await costOf(context), tests: checks.tests?.join(' ') ?? null },
  });
  const result = await openPullRequest(context, {
    ...{ branch, base, head: made, title, body },
    issue: `${document.issue.title}\n\n${document.issue.original_body}`,
    // For the message of the merge: the body above is Markdown.
    summary: hideTokens(document.writer.summary ?? ''),
  });
  const after = applySection('committer', document, {
    commit: {
      ...{ completed: true, hash: made, message, branch, pushed: true, pr_created: true, pr_url: result.url },
      test_instructions: {
        ...{ command: checks.tests?.join(' ') ?? null, url: null },
        steps: [...(document.writer.try_it ?? [])],
      },
    },
    pipeline: { status: 'completed' },
  });
  const ended = applySection('orchestrator', after, {
    learnings: { outcome: 'success', attempts_used: after.pipeline.attempt },
  });
  await keepLearnings(context, ended);
  return { state: ended, route: 'done', result, outcome: `pull request #${result.number}` };
}
