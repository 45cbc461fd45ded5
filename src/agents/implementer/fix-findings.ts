/**
 * Corrects a pull request. One of ours is corrected as its review asks, a limited number of times without an order; any
 * pull request with its branch in this repository is corrected on the order of an actor with the right to give one.
 */

import { riskLabels } from '../../domain/changes/change-risk.ts';
import { describeConvergence, judgeConvergence, type Round } from '../../domain/changes/convergence.ts';
import type { CorrectionEnd } from '../../domain/changes/convergence-words.ts';
import { type ImplementerHistory, loopLimit } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { GatewrightError } from '../../errors.ts';
import type { Destination } from '../../runs/coding/coding-context.ts';
import { collectWork } from '../../runs/coding/collect-work.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { type ReviewRecords, readReviewRecords } from '../pull-requests/review-records.ts';
import { renderReview } from '../pull-requests/rules/render-review.ts';
import { askCoder, destinationOf, stopUnchanged } from './ask-coder.ts';
import { concludeCorrection, setRisk } from './conclude-correction.ts';
import type { WorkedPull } from './find-pulls.ts';
import { type ImplementerTask, readHistoryOf } from './gather-facts.ts';
import { fixLimitComment, fixLimitOnIssue, riskLabelOf } from './rules/implementer-texts.ts';
import { fixTask } from './task-text.ts';
import { withWorkingLabel } from './with-working-label.ts';

const longestDiff = 60_000;

/** Why no further correction is paid for. */
interface Ended {
  readonly because: CorrectionEnd;
  readonly what: string;
  readonly next: string;
}

interface Found {
  readonly forPeople: string;
  readonly forAgent: string;
  /** Missing in findings from before it was asked. */
  readonly ended?: Ended | null;
}

/**
 * Whether corrections since the last order come to nothing. A round is the review that a correction was asked for with;
 * other reviews (of a push by a person, of a base that was merged in) have no correction between them.
 */
function findEnd({ reviews, dismissed }: ReviewRecords, { fixedAt }: ImplementerHistory): Ended | null {
  const given = fixedAt.map((at) => reviews.findLast(({ seq }) => seq < at));
  const rounds = [...given, reviews.at(-1)].flatMap((review): Round[] =>
    review === undefined
      ? []
      : [{ kind: 'reviewed', findings: review.findings.filter(({ id }) => !dismissed.has(id)) }],
  );
  const judged = judgeConvergence(rounds);
  if (judged.kind !== 'stagnant' && judged.kind !== 'contradictory') return null;
  return { because: judged.kind, ...describeConvergence(judged) };
}

/** What the newest review of exactly this head still finds; null when there is none, or it finds nothing. */
async function findReview(context: AgentContext, number: number, head: string): Promise<Found | null> {
  const records = await readReviewRecords(context.ledger, context.repository, number);
  const { reviews, dismissed } = records;
  const review = reviews.at(-1);
  if (review === undefined || review.commit !== head || review.isClean) return null;
  const findings = review.findings.filter(({ id }) => !dismissed.has(id));
  return {
    forPeople: renderReview({ ...review, findings, dismissed: [], handle: context.settings.handle }),
    forAgent: findings
      .map(({ id, path, line, severity, title, detail }) =>
        [`${id} ${severity} ${path}${line === null ? '' : `:${line}`}: ${title}`, detail].join('\n'),
      )
      .join('\n\n'),
    ended: findEnd(records, await readHistoryOf(context, number)),
  };
}

/**
 * No further correction is made without an order, because their limit is reached or because they come to nothing: a
 * comment says so once, here and on the issue, and from now on a person has to look.
 */
async function reportLimit(
  context: AgentContext,
  assignment: ImplementerTask,
  pull: WorkedPull,
  { forPeople: review, ended = null }: Found,
): Promise<AgentEnd> {
  const { settings, subject } = context;
  const { number, person } = assignment;
  const history = await readHistoryOf(context, number);
  if (!history.toldLimits.includes('fix')) {
    const { handle } = settings;
    // The label comes before the comment: when a person reads the comment, automatic merging is already off.
    if (riskLabelOf(pull.labels, riskLabels) !== labelNames.blocked)
      await setRisk(context, number, labelNames.needsReview);
    const rounds = history.fixes;
    await say(context, 'fix-limit', number, fixLimitComment({ person, handle, rounds, review, ended }));
    if (pull.issue !== null) {
      const text = fixLimitOnIssue(number, person, { rounds, ended });
      await say(context, 'fix-limit-issue', pull.issue, text);
    }
    await context.record({
      kind: 'limit-reached',
      key: `${subject}/fix/${history.order}`,
      data: { what: 'fix', limit: rounds, handle, ...(ended === null ? {} : { because: ended.because }) },
    });
  }
  const times = countOf(history.fixes, 'time');
  return {
    message:
      ended === null
        ? `#${number} was corrected ${times} and is not clean; a person is needed`
        : `#${number} was corrected ${times}: ${ended.what}; a person is needed`,
  };
}

function askFixer(
  context: AgentContext,
  assignment: ImplementerTask,
  pull: WorkedPull,
  to: Destination,
  base: string,
  review: string | null,
) {
  const { ledger, trees, workspaces } = context;
  return askCoder(context, assignment, to, {
    ...{ role: 'fixer', prompt: 'agent-fix', start: pull.head, steeringFrom: base },
    purpose: `correcting #${assignment.number}`,
    describe: () =>
      context.once('task', async () => {
        // The issue text that was implemented, even if the issue was edited since.
        const issue = pull.text === null ? null : await ledger.getText(pull.text);
        // From where it branched off: compared with the tip, what others merged since would look like deletions of ours.
        const from = (await trees.findMergeBase(base, pull.head)) ?? base;
        const diff = await workspaces.diff(from, pull.head, longestDiff);
        const own = pull.isOurs ? null : `${assignment.title}\n\n${assignment.body}`;
        return fixTask(context, assignment, { review, issue, own, diff });
      }),
  });
}

export async function fixFindings(
  context: AgentContext,
  assignment: ImplementerTask,
  by: 'review' | 'person',
): Promise<AgentEnd> {
  const { pull, number } = assignment;
  if (pull === null) throw new GatewrightError('internal', `#${number} is no pull request.`);
  const review =
    by === 'person' ? null : await context.once('review', () => findReview(context, number, pull.head));
  if (by === 'review') {
    if (review === null)
      return { message: `nothing to correct: no review of #${number} at its head asks for it` };
    const { fixes, toldLimits } = await readHistoryOf(context, number);
    // Once a person was called, corrections wait for an order, whatever a later review says.
    const isOver = fixes >= loopLimit || toldLimits.includes('fix') || (review.ended ?? null) !== null;
    if (isOver) return reportLimit(context, assignment, pull, review);
  }
  return withWorkingLabel(context, assignment, async () => {
    const { repository, transport } = context;
    const base = await context.once('base', async () => {
      await transport.fetchCommit(repository, pull.head, { pullRequest: number, branch: pull.branch });
      return transport.fetchBranch(repository, pull.base);
    });
    const to = destinationOf(assignment, { issue: pull.issue, branch: pull.branch, expected: pull.head });
    const { end, left, denials } = await askFixer(
      context,
      assignment,
      pull,
      to,
      base,
      review?.forAgent ?? null,
    );
    const isWhole = end.kind === 'finished';
    const commit = await collectWork(context, to, left, isWhole);
    const summary = isWhole ? end.object : null;
    if (commit === pull.head) {
      const text = isWhole ? end.text : 'The turns ran out.';
      return stopUnchanged(context, assignment, summary ?? { summary: text, questions: [] });
    }
    return concludeCorrection(context, assignment, pull, base, {
      ...{ commit, summary, leftOut: left.snapshot.leftOut, denials },
    });
  });
}
