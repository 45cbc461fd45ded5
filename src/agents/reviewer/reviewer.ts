/**
 * Reads every change and says what would hurt if it were merged. A model finds; code decides what it was shown, which
 * lines its findings stand at, what was dismissed, and how the review came out. One review for each head commit.
 */

import {
  codeReviewSchema,
  identifyFindings,
  isReviewClean,
  type RawFinding,
  type StoredReview,
} from '../../domain/changes/review-finding.ts';
import type { FleetEntryData } from '../../domain/ledger/fleet-entries.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import { type Agent, type AgentContext, type AgentEnd, requireNumber } from '../agent.ts';
import { readReviewRecords, reviewKey } from '../pull-requests/review-records.ts';
import { renderFinding, renderReview } from '../pull-requests/rules/render-review.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';
import { type OrderedIssue, readPullFacts, renderQuestion } from './review-question.ts';
import { findEvidence, type ReviewEvidence } from './rules/review-evidence.ts';
import { makeLineReader } from './rules/review-material.ts';

async function readOrdered(
  ledger: AgentContext['ledger'],
  { issue, text }: FleetEntryData['pull-request-made'],
): Promise<OrderedIssue | null> {
  if (issue === null) return null;
  return { number: issue, text: text === undefined ? null : await ledger.getText(text) };
}

const mostByRule = 20;

/**
 * What must never be merged, independent of the author of the change and of the model's opinion: links that lead
 * outside, repositories inside the repository, names that other machines cannot write. The change is compared with the
 * commit where it branched off its base.
 */
async function findByRule(
  { repository, transport, trees }: AgentContext,
  number: number,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<RawFinding[]> {
  await transport.fetchCommit(repository, head, { pullRequest: number });
  const tip = await transport.fetchBranch(repository, base);
  const unsafe = await trees.findUnsafe(head, (await trees.findMergeBase(tip, head)) ?? tip);
  return unsafe.slice(0, mostByRule).map(({ path, why }) => ({
    path: path.slice(0, 400),
    line: null,
    severity: 'critical',
    category: 'security',
    title: why.slice(0, 200),
    detail:
      'Checked out elsewhere, this could read, write or run something outside the repository. It was found by rule.',
  }));
}

export const reviewer: Agent = withStopsTold(tellOnNumber('The review of this', 'review'), {
  name: 'reviewer',
  async run(context) {
    const { repository, forge, ledger } = context;
    const number = requireNumber(context);
    const made = await ledger.find('pull-request-made', issueSubject(repository, number));
    let isNew = false;
    const pull = await context.once('pull', async () => {
      isNew = true;
      const ordered = made === null ? null : await readOrdered(ledger, made.data);
      return readPullFacts(forge, repository, number, ordered, made?.data.archive ?? []);
    });
    // The facts of a resumed run are those that it began with, but for what makes a review pointless.
    const state = isNew ? pull.state : (await forge.getPullRequest(repository, number)).state;
    if (pull.state !== 'open' || state !== 'open')
      return { message: `nothing to review: #${number} is ${state}` };
    const { head } = pull;
    const at = `#${number} at ${head.slice(0, 12)}`;
    const records = await readReviewRecords(ledger, repository, number);
    // A review by this run itself does not count as earlier: the run was killed right after writing it, and the end of
    // the work is still missing.
    const earlier = records.reviews.filter(({ run }) => run !== context.runId);
    if (earlier.some(({ commit, base }) => commit === head && base === pull.base))
      return { message: `${at} was reviewed before` };
    const byRule = await context.once('by-rule', () => findByRule(context, number, pull));
    const call = 1 + earlier.length;
    const answer = await context.models.askForObject(
      'reviewer',
      {
        ...{ role: 'reviewer', call },
        instructions: await context.prompts.render('agent-review', {}),
        text: renderQuestion(pull),
        purpose: `reviewing ${at}`,
      },
      codeReviewSchema,
    );
    const lineOf = makeLineReader(pull.files);
    const placed = [...byRule, ...answer.findings].map((finding) => ({
      ...finding,
      // A finding cannot point at a line that the reviewer was not shown: it is reported without a line.
      line: finding.line !== null && lineOf(finding.path, finding.line) !== null ? finding.line : null,
    }));
    const review: StoredReview = {
      commit: head,
      base: pull.base,
      summary: answer.summary,
      findings: identifyFindings(placed, lineOf),
      unseen: [...pull.unseen],
    };
    // The dismissals at the moment of posting count, also when the run is resumed later.
    const dismissed = new Set(await context.once('dismissed', async () => [...records.dismissed]));
    try {
      await post(context, number, review, dismissed);
    } catch (error) {
      if (!isGatewrightError(error, 'head-moved')) throw error;
      return {
        message: `${at} was pushed to while it was reviewed; the new commits are reviewed next`,
        handoffs: [{ to: 'reviewer', task: 'start', number }],
      };
    }
    const isFirst = !earlier.some(({ commit }) => commit === head);
    const key = reviewKey(repository, number, head);
    return finish(context, number, review, {
      // This head was reviewed before against another base: the second review gets a key of its own.
      key: isFirst ? key : `${key}/${review.base}`,
      isClean: isReviewClean(review.findings, dismissed),
      isOurs: made !== null,
      evidence: findEvidence(await ledger.readRun(context.runId), `${context.runId}/reviewer#${call}`),
    });
  },
});

async function post(
  context: AgentContext,
  number: number,
  review: StoredReview,
  dismissed: ReadonlySet<string>,
): Promise<void> {
  const { ledger, repository } = context;
  const raised = review.findings.filter(({ id }) => !dismissed.has(id));
  await context.effects.perform('review', 'create-review', async () => ({
    repository,
    number,
    commit: review.commit,
    body: await ledger.putText(
      renderReview({
        ...review,
        findings: raised,
        dismissed: review.findings.filter(({ id }) => dismissed.has(id)),
        handle: context.settings.handle,
      }),
    ),
    comments: await Promise.all(
      raised.flatMap((finding) =>
        finding.line === null
          ? []
          : [
              ledger
                .putText(renderFinding(finding))
                .then((body) => ({ path: finding.path, line: finding.line ?? 0, body })),
            ],
      ),
    ),
    author: context.own,
  }));
}

/** Writes the review to the ledger first and then hands the task on: the next agent reads the review there. */
async function finish(
  context: AgentContext,
  number: number,
  review: StoredReview,
  how: {
    readonly key: string;
    readonly isClean: boolean;
    readonly isOurs: boolean;
    readonly evidence: ReviewEvidence;
  },
): Promise<AgentEnd> {
  const { commit } = review;
  const { key, isClean, isOurs, evidence } = how;
  await context.record({
    kind: 'code-reviewed',
    key,
    data: {
      number,
      commit,
      isClean,
      review: await context.ledger.putText(JSON.stringify(review)),
      by: context.models.titleOf('reviewer'),
      ...evidence,
    },
  });
  const at = `#${number} at ${commit.slice(0, 12)}`;
  if (isClean)
    return { message: `${at}: no issues`, handoffs: [{ to: 'auto-merge', task: 'start', number }] };
  const message = `${at}: issues found`;
  if (isOurs) return { message, handoffs: [{ to: 'implementer', task: 'fix', number }] };
  // No agent of ours corrects it unless a person asks for that.
  const remedy = 'push a fix, dismiss the findings in a comment, or ask the implementer in one';
  const unmet = [{ code: 'issues-found', what: 'its review found issues', how: remedy }];
  await context.record({
    kind: 'merge-waits',
    key: `${context.runId}/waits`,
    data: { number, head: commit, unmet },
  });
  return { message };
}
