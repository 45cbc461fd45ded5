/** Whether work passes the project's own check, and how risky it is. */
import { assessRisk, type Risk, raiseRisk } from '../../domain/changes/change-risk.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { preparedKey } from '../../runs/coding/prepare-copy.ts';
import { verifyCommit, verifyCopyOf } from '../../runs/coding/verify-commit.ts';
import type { AgentContext } from '../agent.ts';
import { findProjectRunners } from '../pull-requests/find-project-runners.ts';
import type { Verification } from './rules/implementer-texts.ts';
import type { WorkSummary } from './rules/work-summary.ts';

/** Null when no command is set. Done once for a commit. */
export async function verifyWork(
  context: AgentContext,
  commit: string,
  steeringFrom: string,
): Promise<Verification | null> {
  const { ledger, runId, settings } = context;
  const { verify } = settings;
  if (verify === null) return null;
  const verified = await verifyCommit(context, verify, { commit, steeringFrom });
  const prepared = await ledger.find('copy-prepared', preparedKey(runId, verifyCopyOf(runId)));
  return { ...verified, setup: prepared === null ? null : prepared.data };
}

/** How risky everything is that a branch changes, by rule; what its author thinks can only raise it. */
export async function judgeRisk(
  context: AgentContext,
  change: { readonly base: string; readonly commit: string },
  facts: {
    readonly summary: WorkSummary | null;
    readonly verified: Verification | null;
    readonly leftOut: readonly string[];
    /** What was changed in a merge although it was not in conflict. */
    readonly beside?: readonly string[];
  },
): Promise<Risk> {
  const { summary, verified, leftOut, beside = [] } = facts;
  const files = await context.workspaces.listChanges(change.base, change.commit);
  const paths = files.map(({ path }) => path);
  const runners = await findProjectRunners(context, change.base, paths);
  let risk = assessRisk(files, summary?.risk ?? null, runners);
  if (verified === null)
    risk = raiseRisk(risk, labelNames.needsReview, 'No command is set that shows whether it works.');
  else if (verified.exitCode !== 0)
    risk = raiseRisk(risk, labelNames.needsReview, `The check fails: ${verified.command.join(' ')}.`);
  if (leftOut.length > 0)
    risk = raiseRisk(risk, labelNames.needsReview, 'Some of what its author changed was left out.');
  if (beside.length > 0)
    risk = raiseRisk(risk, labelNames.needsReview, 'Files were changed that were not in conflict.');
  if (summary === null) risk = raiseRisk(risk, labelNames.needsReview, 'It was not finished.');
  else if (summary.questions.length > 0)
    risk = raiseRisk(risk, labelNames.blocked, 'Its author has questions that only a person can answer.');
  return risk;
}
