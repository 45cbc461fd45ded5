/** From an issue to a pull request: on a branch of its own, checked by us, with the one risk label that it deserves. */
import { riskLabels } from '../../domain/changes/change-risk.ts';
import { loopLimit } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import { plainTitle } from '../../domain/forge/plain-title.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Destination } from '../../runs/coding/coding-context.ts';
import { collectWork } from '../../runs/coding/collect-work.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { askCoder, destinationOf, stopUnchanged } from './ask-coder.ts';
import { readHistoryOf, type Woken } from './gather-facts.ts';
import { continueLimitComment, pullRequestBody } from './rules/implementer-texts.ts';
import type { WorkSummary } from './rules/work-summary.ts';
import { carryOutTask } from './task-text.ts';
import { judgeRisk, verifyWork } from './verify-work.ts';
import { changeLabels, underLabel } from './with-working-label.ts';

/** Where the work begins and where it goes. */
interface Place {
  readonly base: { readonly branch: string; readonly commit: string };
  readonly branch: string;
  readonly start: string;
  readonly expected: string | null;
}

/** The branch that work was left on, or a new one that nobody has. */
async function findPlace(context: AgentContext, { number }: Woken): Promise<Place> {
  const { forge, repository, transport } = context;
  const branch = await forge.defaultBranch(repository);
  const base = { branch, commit: await transport.fetchBranch(repository, branch) };
  const { work, pulls } = await readHistoryOf(context, number);
  // A branch that a pull request was made of is done with, merged or not.
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

async function approvePlan(context: AgentContext, woken: Woken): Promise<void> {
  const { event, runId } = context;
  const { plan } = woken;
  if (plan === null || event.kind !== 'comment-created')
    throw new GatewrightError('internal', 'Something that is no answer to a plan was taken for one.');
  const data = { plan: plan.hash, by: event.actor, comment: event.comment };
  await context.record({ kind: 'plan-approved', key: `${runId}/${plan.hash}`, data });
  await changeLabels(context, 'planning-off', woken.number, { remove: [labelNames.planning] });
}

async function askImplementer(
  context: AgentContext,
  woken: Woken,
  place: Place,
  to: Destination,
  approves: boolean,
) {
  const history = await readHistoryOf(context, woken.number);
  const planned = approves ? (woken.plan?.hash ?? null) : history.approvedPlan;
  const plan = planned === null ? null : await context.ledger.getText(planned);
  const coded = await askCoder(context, woken, to, {
    ...{ role: 'implementer', prompt: 'agent-implement' },
    ...{ start: place.start, steeringFrom: place.base.commit },
    isSavedEarly: true,
    purpose: `working on #${woken.number}`,
    describe: async (start) => carryOutTask(context, woken, { plan, isBegun: start !== place.base.commit }),
  });
  return { ...coded, isPlanned: plan !== null };
}

/** The turns ran out: it goes on by itself for a while, then a person is asked. */
async function goOnLater(context: AgentContext, woken: Woken, branch: string | null): Promise<AgentEnd> {
  const { number } = woken;
  const history = await readHistoryOf(context, number);
  if (history.continues < loopLimit)
    return {
      message: `the turns ran out on #${number}; it is continued (${history.continues + 1} of ${loopLimit})`,
      handoffs: [{ to: 'implementer', task: 'continue', number }],
    };
  if (!history.isLimitTold) {
    const { handle } = context.settings;
    const facts = { orderedBy: woken.person, handle, branch, rounds: loopLimit + 1 };
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
  woken: Woken,
  place: Place,
  work: {
    readonly commit: string;
    readonly summary: WorkSummary;
    readonly leftOut: readonly string[];
    readonly isPlanned: boolean;
  },
): Promise<AgentEnd> {
  const { effects, ledger, own, repository } = context;
  const { number } = woken;
  const { commit, summary, leftOut, isPlanned } = work;
  const verified = await verifyWork(context, commit, place.base.commit);
  const risk = await judgeRisk(context, { base: place.base.commit, commit }, { summary, verified, leftOut });
  const made = await effects.perform('pull-request', 'create-pull-request', async () => ({
    repository,
    title: plainTitle(woken.title, number),
    body: await ledger.putText(
      pullRequestBody({ issue: number, summary, verified, risk, leftOut, isPlanned }),
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
      text: await ledger.putText(`${woken.title}\n\n${woken.body}`),
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

export async function carryOut(context: AgentContext, woken: Woken, approves: boolean): Promise<AgentEnd> {
  return underLabel(context, woken, async () => {
    if (approves) await approvePlan(context, woken);
    const place = await context.once('place', () => findPlace(context, woken));
    const { branch, expected } = place;
    const to = destinationOf(woken, { issue: woken.number, branch, expected });
    const { end, left, isPlanned } = await askImplementer(context, woken, place, to, approves);
    const isWhole = end.kind === 'finished';
    const commit = await collectWork(context, to, left, isWhole);
    const hasWork = commit !== place.base.commit;
    if (!isWhole) return goOnLater(context, woken, hasWork ? place.branch : null);
    const summary = end.object ?? {
      summary: end.text,
      testing: '',
      risk: labelNames.needsReview,
      questions: [],
    };
    if (!hasWork) return stopUnchanged(context, woken, summary);
    const { leftOut } = left.snapshot;
    return propose(context, woken, place, { commit, summary, leftOut, isPlanned });
  });
}
