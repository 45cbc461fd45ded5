/** How work on a pull request ends: checked, with its risk judged anew and a comment, and handed to the reviewer. */
import { type RiskLabel, riskLabels } from '../../domain/changes/change-risk.ts';
import type { Denial } from '../../domain/ledger/denial.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { reviewKey } from '../pull-requests/review-records.ts';
import type { WorkedPull } from './find-pulls.ts';
import type { ImplementerTask } from './gather-facts.ts';
import { riskLabelOf, type SettledFacts, settledComment } from './rules/implementer-texts.ts';
import type { WorkSummary } from './rules/work-summary.ts';
import { judgeRisk, verifyWork } from './verify-work.ts';
import { changeLabels } from './with-working-label.ts';

/** Exactly one, whichever there were. */
export async function setRisk(context: AgentContext, number: number, label: RiskLabel): Promise<void> {
  const others = riskLabels.filter((one) => one !== label);
  await changeLabels(context, 'risk', number, { add: label, remove: others });
}

/** Comments on the result and sets the risk label, which can only become graver. */
export async function concludeCorrection(
  context: AgentContext,
  assignment: ImplementerTask,
  pull: WorkedPull,
  base: string,
  work: {
    readonly commit: string;
    readonly summary: WorkSummary | null;
    readonly leftOut: readonly string[];
    readonly denials: readonly Denial[];
    /** Set when the base was merged in, with the files that were in conflict. */
    readonly merged?: SettledFacts['merged'];
  },
): Promise<AgentEnd> {
  const { number } = assignment;
  const { commit, summary, leftOut, denials, merged } = work;
  const verified = await verifyWork(context, commit, base, pull.isOurs ? pull.head : null);
  const beside = merged === undefined ? [] : [...merged.putBack, ...merged.alsoChanged];
  const risk = await judgeRisk(context, { base, commit }, { summary, verified, leftOut, beside });
  const now = riskLabelOf(pull.labels, riskLabels);
  // A person's pull request without a risk label gets none: such a label is there only if a person wanted it.
  const isGraver = now === null ? pull.isOurs : riskLabels.indexOf(risk.label) > riskLabels.indexOf(now);
  if (isGraver) await setRisk(context, number, risk.label);
  const raisedTo = isGraver ? risk : null;
  const facts = {
    ...{ commit, summary, verified, raisedTo, leftOut, denials },
    ...(merged === undefined ? {} : { merged }),
  };
  await say(context, 'settled', number, settledComment(facts));
  if (summary !== null)
    await context.record({
      kind: 'work-summarised',
      key: reviewKey(context.repository, number, commit),
      data: { number, commit, summary: await context.ledger.putText(summary.summary) },
    });
  const what = merged === undefined ? 'corrected' : 'brought up to date';
  return {
    message: `#${number} was ${what} with ${commit.slice(0, 12)}`,
    handoffs: [{ to: 'reviewer', task: 'start', number }],
  };
}
