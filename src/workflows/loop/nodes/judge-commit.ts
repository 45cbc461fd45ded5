/** What code finds about a commit of an agent: the commands of the plan, what its tests show, and the gates. */
import { judgePath } from '../../../domain/changes/path-class.ts';
import type { LoopContext } from '../loop-context.ts';
import { judgeGates } from '../rules/judging/gate-mode.ts';
import { judgeProof } from '../rules/judging/judge-proof.ts';
import { judgeTestIntent } from '../rules/judging/test-intent.ts';
import type { TaskReport } from '../rules/task-report.ts';
import type { LoopState, TaskAttempt } from '../state.ts';
import { headOf, readConfig } from './read-stored.ts';
import { hasLostReport, proveLines, type VerifiedLine, verifyLines } from './verify-lines.ts';

const longestDiff = 400_000;

export interface Judged {
  readonly isPassed: boolean;
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
  readonly verified: readonly VerifiedLine[];
  readonly tier: 'fast' | 'full';
}

export async function readReport(
  { ledger }: Pick<LoopContext, 'ledger'>,
  { report }: TaskAttempt,
): Promise<TaskReport | null> {
  return report === null ? null : (JSON.parse(await ledger.getText(report)) as TaskReport);
}

interface Asked {
  readonly lines: readonly string[];
  /** Further lines, which are run when those pass. */
  readonly full?: readonly string[];
  readonly report: TaskReport | null;
}

async function listChangedTests(
  { workspaces }: LoopContext,
  base: string,
  commit: string,
): Promise<string[]> {
  const changes = await workspaces.listChanges(base, commit);
  return changes.map(({ path }) => path).filter((path) => judgePath(path).class === 'test');
}

export async function judgeCommit(
  context: LoopContext,
  state: LoopState,
  { commit, obstacles }: TaskAttempt,
  { lines, full = [], report }: Asked,
): Promise<Judged> {
  if (commit === null || obstacles.length > 0)
    return { isPassed: false, reasons: obstacles, notes: [], verified: [], tier: 'fast' };
  const config = await readConfig(context, state);
  let verified = await verifyLines(context, state, config, { commit, lines });
  const isFull = full.length > 0 && verified.every(({ isPassed }) => isPassed);
  // A command that was run on this commit before is not run again.
  if (isFull) verified = await verifyLines(context, state, config, { commit, lines: [...lines, ...full] });
  const tier = isFull ? 'full' : 'fast';
  const failed = verified.filter(({ isPassed }) => !isPassed).map(({ command }) => `"${command}" fails.`);
  const diff = await context.workspaces.diff(headOf(state), commit, longestDiff);
  const gates = judgeGates({ config, diff, search: report?.search ?? null });
  const intent = judgeTestIntent(
    report?.testIntent ?? [],
    await listChangedTests(context, headOf(state), commit),
    config.execution.testIntent,
  );
  const failures = [...gates.failures, ...intent.failures];
  const warnings = [...gates.warnings, ...intent.warnings];
  // Where a command fails, there is nothing to prove.
  if (failed.length > 0)
    return { isPassed: false, reasons: [...failed, ...failures], notes: warnings, verified, tier };
  const proof = await proveLines(context, state, config, { commit, lines });
  const isLost = await hasLostReport(context, state, config, { lines, proof });
  const shown = judgeProof(proof, config.execution.gateMode);
  const lost = 'The commands reported tests before this change, and do not any more.';
  const reasons = [...failures, ...shown.failures, ...(isLost ? [lost] : [])];
  return { isPassed: reasons.length === 0, reasons, notes: [...warnings, ...shown.warnings], verified, tier };
}
