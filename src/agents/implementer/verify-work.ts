/** Whether work passes the project's own check, and how risky it is. */
import { assessRisk, type Risk, raiseRisk } from '../../domain/changes/change-risk.ts';
import type { ProofDemand } from '../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import type { Progress } from '../../ports/progress.ts';
import { preparedKey } from '../../runs/coding/prepare-copy.ts';
import { findProjectRunners } from '../../runs/coding/proof/find-project-runners.ts';
import { proveChange } from '../../runs/coding/proof/prove-change.ts';
import { ranNoTest } from '../../runs/coding/proof/rules/proof.ts';
import {
  type CheckedCommit,
  type VerifiedCommit,
  verifyCommit,
  verifyCopyOf,
} from '../../runs/coding/verify-commit.ts';
import type { AgentContext } from '../agent.ts';
import type { Verification } from './rules/implementer-texts.ts';
import type { WorkSummary } from './rules/work-summary.ts';

/**
 * Null when no command is set. Done once for a commit.
 * @param base the commit that the work is compared with, and that files which steer builds and agents are taken from
 * @param since the head of the pull request before this work; null for new work
 */
export async function verifyWork(
  context: AgentContext,
  commit: string,
  base: string,
  since: string | null = null,
): Promise<Verification | null> {
  const { ledger, runId, settings } = context;
  const command = settings.verify;
  if (command === null) return null;
  const verify = (checked: CheckedCommit, progress: Progress): Promise<VerifiedCommit> => {
    const { commands, workspaces } = context;
    const record: AgentContext['record'] = (entry) => context.record(entry);
    return verifyCommit(
      { runId, settings, ledger, commands, workspaces, progress, record },
      command,
      checked,
    );
  };
  const verified = await verify({ commit, steeringFrom: base }, context.progress);
  const prepared = await ledger.find('copy-prepared', preparedKey(runId, verifyCopyOf(runId)));
  const setup = prepared === null ? null : prepared.data;
  if (settings.proof === 'off') return { ...verified, setup };
  const files = await context.workspaces.listChanges(base, commit);
  const paths = files.map(({ path }) => path);
  const proof = await proveChange(context, {
    ...{ base, commit, steeringFrom: base, since, command },
    runners: await findProjectRunners(context, base, paths),
    verify: async (checked, progress) => [await verify(checked, progress)],
  });
  return { ...verified, setup, proof };
}

/** What the tests themselves say of the risk: weaker tests and no tests always ask a person. */
function raiseByProof(risk: Risk, { proof, command }: Verification, demand: ProofDemand): Risk {
  if (proof === undefined) return risk;
  const reasons = [
    ...(ranNoTest(proof) ? [`The check ran no test: ${command.join(' ')}.`] : []),
    ...(proof.weakened.length > 0
      ? [
          `It makes tests or checks weaker: ${proof.weakened.length === 1 ? 'one place' : `${proof.weakened.length} places`}.`,
        ]
      : []),
    ...(demand === 'enforce' && !proof.isProven ? [`It is not proven: ${proof.reasons.join(' ')}`] : []),
  ];
  return reasons.reduce((raised, reason) => raiseRisk(raised, labelNames.needsReview, reason), risk);
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
  if (verified !== null) risk = raiseByProof(risk, verified, context.settings.proof);
  if (leftOut.length > 0)
    risk = raiseRisk(risk, labelNames.needsReview, 'Some of what its author changed was left out.');
  if (beside.length > 0)
    risk = raiseRisk(risk, labelNames.needsReview, 'Files were changed that were not in conflict.');
  if (summary === null) risk = raiseRisk(risk, labelNames.needsReview, 'It was not finished.');
  else if (summary.questions.length > 0)
    risk = raiseRisk(risk, labelNames.blocked, 'Its author has questions that only a person can answer.');
  return risk;
}
