/** Runs the project's own check on a commit. What an agent says about its tests counts for nothing. */
import { assessRisk, type Risk, raiseRisk } from '../../domain/change-risk.ts';
import type { Verification } from '../../domain/implementer-texts.ts';
import type { WorkSummary } from '../../domain/work-summary.ts';
import type { AgentContext } from '../agent.ts';

const longestCheck = 1_200_000;

/** Null when no command is set. Done once for a commit. */
export async function verifyWork(
  context: AgentContext,
  commit: string,
  steeringFrom: string,
): Promise<Verification | null> {
  const { ledger, runId, settings, workspaces, commands } = context;
  const command = settings.verify;
  if (command === null) return null;
  const key = `${runId}/verify/${commit}`;
  const known = await ledger.find('command-verified', key);
  if (known !== null) return { ...known.data, output: await ledger.getText(known.data.output) };
  // A copy of the commit itself: files that an agent left beside it could make a check pass that fails for everybody else.
  await workspaces.remove(runId);
  const { folder } = await workspaces.open(runId, commit, steeringFrom);
  const result = await commands.run({
    folder,
    argv: command,
    limitMilliseconds: longestCheck,
    network: 'none',
  });
  const { exitCode, output, sandbox, milliseconds } = result;
  const verified = { command, commit, exitCode, sandbox, milliseconds };
  const data = { ...verified, output: await ledger.putText(output) };
  await context.record({ kind: 'command-verified', key, data });
  return { ...verified, output };
}

/** How risky everything is that a branch changes, by rule; what its author thinks can only raise it. */
export async function judgeRisk(
  context: AgentContext,
  change: { readonly base: string; readonly commit: string },
  facts: {
    readonly summary: WorkSummary | null;
    readonly verified: Verification | null;
    readonly leftOut: readonly string[];
  },
): Promise<Risk> {
  const { summary, verified, leftOut } = facts;
  const files = await context.workspaces.listChanges(change.base, change.commit);
  let risk = assessRisk(files, summary?.risk ?? null);
  if (verified === null)
    risk = raiseRisk(risk, 'needs-review', 'No command is set that shows whether it works.');
  else if (verified.exitCode !== 0)
    risk = raiseRisk(risk, 'needs-review', `The check fails: ${verified.command.join(' ')}.`);
  if (leftOut.length > 0)
    risk = raiseRisk(risk, 'needs-review', 'Some of what its author changed was left out.');
  if (summary === null) risk = raiseRisk(risk, 'needs-review', 'It was not finished.');
  else if (summary.questions.length > 0)
    risk = raiseRisk(risk, 'needs-review', 'Its author has questions that only a person can answer.');
  return risk;
}
