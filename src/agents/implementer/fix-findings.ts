/**
 * Corrects a pull request. One of ours is corrected as its review asks, a limited number of times without an order; any
 * pull request with its branch in this repository is corrected on the order of an actor with the right to give one.
 */
import { riskLabels } from '../../domain/changes/change-risk.ts';
import { loopLimit } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { GatewrightError } from '../../errors.ts';
import type { Destination } from '../../runs/coding/coding-context.ts';
import { collectWork } from '../../runs/coding/collect-work.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { readReviewRecords } from '../pull-requests/review-records.ts';
import { renderReview } from '../pull-requests/rules/render-review.ts';
import { askCoder, destinationOf, stopUnchanged } from './ask-coder.ts';
import { concludeCorrection, setRisk } from './conclude-correction.ts';
import type { WorkedPull } from './find-pulls.ts';
import { type ImplementerTask, readHistoryOf } from './gather-facts.ts';
import { fixLimitComment, fixLimitOnIssue, riskLabelOf } from './rules/implementer-texts.ts';
import { fixTask } from './task-text.ts';
import { withWorkingLabel } from './with-working-label.ts';

const longestDiff = 60_000;

interface Found {
  readonly forPeople: string;
  readonly forAgent: string;
}

/** What the newest review of exactly this head still finds; null when there is none, or it finds nothing. */
async function findReview(context: AgentContext, number: number, head: string): Promise<Found | null> {
  const { reviews, dismissed } = await readReviewRecords(context.ledger, context.repository, number);
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
  };
}

/**
 * The limit of automatic corrections is reached: a comment says so once, here and on the issue, and from now on a
 * person has to look.
 */
async function reportLimit(
  context: AgentContext,
  assignment: ImplementerTask,
  pull: WorkedPull,
  review: string,
): Promise<AgentEnd> {
  const { settings, subject } = context;
  const { number, person } = assignment;
  const history = await readHistoryOf(context, number);
  if (!history.toldLimits.includes('fix')) {
    const { handle } = settings;
    // The label comes before the comment: when a person reads the comment, automatic merging is already off.
    if (riskLabelOf(pull.labels, riskLabels) !== labelNames.blocked)
      await setRisk(context, number, labelNames.needsReview);
    await say(context, 'fix-limit', number, fixLimitComment({ person, handle, rounds: loopLimit, review }));
    if (pull.issue !== null)
      await say(context, 'fix-limit-issue', pull.issue, fixLimitOnIssue(number, person, loopLimit));
    await context.record({
      kind: 'limit-reached',
      key: `${subject}/fix/${history.order}`,
      data: { what: 'fix', limit: loopLimit, handle },
    });
  }
  return { message: `#${number} was corrected ${loopLimit} times and is not clean; a person is needed` };
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
    const { fixes } = await readHistoryOf(context, number);
    if (fixes >= loopLimit) return reportLimit(context, assignment, pull, review.forPeople);
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
