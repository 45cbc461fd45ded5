/** From an issue to a pull request: on a branch of its own, checked by us, with the one risk label that it deserves. */
import { riskLabels } from '../../domain/changes/change-risk.ts';
import { loopLimit } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import { plainTitle } from '../../domain/forge/plain-title.ts';
import type { Denial } from '../../domain/ledger/denial.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Destination } from '../../runs/coding/coding-context.ts';
import { collectWork } from '../../runs/coding/collect-work.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { askCoder, destinationOf, stopUnchanged } from './ask-coder.ts';
import { type ImplementerTask, readHistoryOf } from './gather-facts.ts';
import { continueLimitComment, pullRequestBody } from './rules/implementer-texts.ts';
import type { WorkSummary } from './rules/work-summary.ts';
import { implementTask } from './task-text.ts';
import { judgeRisk, verifyWork } from './verify-work.ts';
import { changeLabels, withWorkingLabel } from './with-working-label.ts';

/** Where the work begins and where it goes. */
interface Place {
  readonly base: { readonly branch: string; readonly commit: string };
  readonly branch: string;
  readonly start: string;
  readonly expected: string | null;
}

/** The branch with unfinished work, or else a new branch whose name is still free. */
async function findPlace(context: AgentContext, { number }: ImplementerTask): Promise<Place> {
  const { forge, repository, transport } = context;
  const branch = await forge.defaultBranch(repository);
  const base = { branch, commit: await transport.fetchBranch(repository, branch) };
  const { work, pulls } = await readHistoryOf(context, number);
  // A branch that already had a pull request is not used again, merged or not.
  const isLeft = work !== null && !pulls.some((pull) => pull.branch === work.branch);
  if (isLeft && (await forge.getBranch(repository, work.branch)) !== null) {
    const start = await transport.fetchBranch(repository, work.branch);
    return { base, branch: work.branch, start, expected: start };
  }
  const name = `${ownBranches}issue-${number}`;
  for (let attempt = 1; ; attempt += 1) {
    const free = attempt === 1 ? name : `${name}-${attempt}`;
    if ((await forge.getBranch(repository, free)) === null)
      return { base, branch: free, start: base.commit, expected: null };
  }
}

async function approvePlan(context: AgentContext, assignment: ImplementerTask): Promise<void> {
  const { event, runId } = context;
  const { plan } = assignment;
  if (plan === null || event.kind !== 'comment-created')
    throw new GatewrightError('internal', 'Something that is no answer to a plan was taken for one.');
  const data = { plan: plan.hash, by: event.actor, comment: event.comment };
  await context.record({ kind: 'plan-approved', key: `${runId}/${plan.hash}`, data });
  await changeLabels(context, 'planning-off', assignment.number, { remove: [labelNames.planning] });
}

async function askImplementer(
  context: AgentContext,
  assignment: ImplementerTask,
  place: Place,
  to: Destination,
  approves: boolean,
) {
  const history = await readHistoryOf(context, assignment.number);
  const planned = approves ? (assignment.plan?.hash ?? null) : history.approvedPlan;
  const plan = planned === null ? null : await context.ledger.getText(planned);
  const coded = await askCoder(context, assignment, to, {
    ...{ role: 'implementer', prompt: 'agent-implement' },
    ...{ start: place.start, steeringFrom: place.base.commit },
    isSavedEarly: true,
    purpose: `working on #${assignment.number}`,
    describe: async (start) =>
      implementTask(context, assignment, { plan, isBegun: start !== place.base.commit }),
  });
  return { ...coded, isPlanned: plan !== null };
}

/** The turns are used up: the work continues in further runs up to a limit, then a person is asked. */
async function goOnLater(
  context: AgentContext,
  assignment: ImplementerTask,
  branch: string | null,
): Promise<AgentEnd> {
  const { number } = assignment;
  const history = await readHistoryOf(context, number);
  if (history.continues < loopLimit)
    return {
      message: `the turns ran out on #${number}; it is continued (${history.continues + 1} of ${loopLimit})`,
      handoffs: [{ to: 'implementer', task: 'continue', number }],
    };
  if (!history.toldLimits.includes('continue')) {
    const { handle } = context.settings;
    const facts = { orderedBy: assignment.person, handle, branch, rounds: loopLimit + 1 };
    await say(context, 'continue-limit', number, continueLimitComment(facts));
    await context.record({
      kind: 'limit-reached',
      key: `${context.subject}/continue/${history.order}`,
      data: { what: 'continue', limit: loopLimit, handle },
    });
  }
  return { message: `the turns ran out on #${number} ${loopLimit + 1} times; a person is needed` };
}

async function propose(
  context: AgentContext,
  assignment: ImplementerTask,
  place: Place,
  work: {
    readonly commit: string;
    readonly summary: WorkSummary;
    readonly leftOut: readonly string[];
    readonly isPlanned: boolean;
    readonly denials: readonly Denial[];
  },
): Promise<AgentEnd> {
  const { effects, ledger, own, repository } = context;
  const { number } = assignment;
  const { commit, summary, leftOut, isPlanned, denials } = work;
  const verified = await verifyWork(context, commit, place.base.commit);
  const risk = await judgeRisk(context, { base: place.base.commit, commit }, { summary, verified, leftOut });
  const made = await effects.perform('pull-request', 'create-pull-request', async () => ({
    repository,
    title: plainTitle(assignment.title, number),
    body: await ledger.putText(
      pullRequestBody({ issue: number, summary, verified, risk, leftOut, isPlanned, denials }),
    ),
    head: place.branch,
    base: place.base.branch,
    author: own,
  }));
  await context.record({
    kind: 'pull-request-made',
    key: issueSubject(repository, made.number),
    data: {
      ...{ number: made.number, issue: number, branch: place.branch, base: place.base.branch },
      text: await ledger.putText(`${assignment.title}\n\n${assignment.body}`),
      summary: await ledger.putText(summary.summary),
    },
  });
  const others = riskLabels.filter((label) => label !== risk.label);
  await changeLabels(context, 'risk', made.number, { add: risk.label, remove: others });
  return {
    message: `#${number} is carried out in #${made.number} (${risk.label})`,
    result: made,
    handoffs: [
      { to: 'reviewer', task: 'start', number: made.number },
      { to: 'pr-size-guardian', task: 'start', number: made.number },
    ],
  };
}

export async function implementIssue(
  context: AgentContext,
  assignment: ImplementerTask,
  approves: boolean,
): Promise<AgentEnd> {
  return withWorkingLabel(context, assignment, async () => {
    if (approves) await approvePlan(context, assignment);
    const place = await context.once('place', () => findPlace(context, assignment));
    const { branch, expected } = place;
    const to = destinationOf(assignment, { issue: assignment.number, branch, expected });
    const { end, left, isPlanned, denials } = await askImplementer(context, assignment, place, to, approves);
    const isWhole = end.kind === 'finished';
    const commit = await collectWork(context, to, left, isWhole);
    const hasWork = commit !== place.base.commit;
    if (!isWhole) return goOnLater(context, assignment, hasWork ? place.branch : null);
    const summary = end.object ?? {
      summary: end.text,
      testing: '',
      risk: labelNames.needsReview,
      questions: [],
    };
    if (!hasWork) return stopUnchanged(context, assignment, summary);
    const { leftOut } = left.snapshot;
    return propose(context, assignment, place, { commit, summary, leftOut, isPlanned, denials });
  });
}
