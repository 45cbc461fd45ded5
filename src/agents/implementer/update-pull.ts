/**
 * Brings a pull request up to date that conflicts with its base: the base is merged into its branch, and the coding
 * agent settles the conflicts. The result goes through the same scans as all work, is checked and reviewed anew, and is
 * not covered by a grant for the old head. Without an order this happens a limited number of times.
 */
import { riskLabels } from '../../domain/changes/change-risk.ts';
import { loopLimit } from '../../domain/fleet/implementer-history.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { GatewrightError } from '../../errors.ts';
import {
  keepToConflicts,
  listUnsettled,
  mergeInCopy,
  type OpenMerge,
  scanMerge,
} from '../../runs/coding/merge-in-copy.ts';
import { commitTree, finishPush, pushCommit } from '../../runs/coding/push-work.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { destinationOf, turnLimit } from './ask-coder.ts';
import { concludeCorrection, setRisk } from './conclude-correction.ts';
import { findConflict } from './find-conflict.ts';
import type { WorkedPull } from './find-pulls.ts';
import { type ImplementerTask, readHistoryOf } from './gather-facts.ts';
import {
  conflictByHandComment,
  conflictLimitComment,
  conflictLimitOnIssue,
  listByHand,
  mergeMessage,
} from './rules/conflict-rules.ts';
import { riskLabelOf } from './rules/implementer-texts.ts';
import { workSummarySchema } from './rules/work-summary.ts';
import { mergeTask } from './task-text.ts';
import { withWorkingLabel } from './with-working-label.ts';

type Task = ImplementerTask & { readonly pull: WorkedPull };

function pathsOf({ conflicts }: OpenMerge): string[] {
  return conflicts.map(({ path }) => path);
}

function metBy({ settings }: AgentContext, { person, pull }: Task, merge: OpenMerge) {
  return { person, handle: settings.handle, base: pull.base, paths: pathsOf(merge) };
}

/** A person is told once since their last order, here and on the issue; no program merges it in the meantime. */
async function reportLimit(context: AgentContext, task: Task, merge: OpenMerge): Promise<AgentEnd> {
  const { number, person, pull } = task;
  const { order, toldLimits } = await readHistoryOf(context, number);
  if (!toldLimits.includes('conflict')) {
    if (riskLabelOf(pull.labels, riskLabels) !== labelNames.blocked)
      await setRisk(context, number, labelNames.needsReview);
    const met = { ...metBy(context, task, merge), rounds: loopLimit };
    await say(context, 'conflict-limit', number, conflictLimitComment(met));
    if (pull.issue !== null)
      await say(context, 'conflict-limit-issue', pull.issue, conflictLimitOnIssue(number, person, loopLimit));
    await context.record({
      kind: 'limit-reached',
      key: `${context.subject}/conflict/${order}`,
      data: { what: 'conflict', limit: loopLimit, handle: context.settings.handle },
    });
  }
  return {
    message: `#${number} was brought up to date ${loopLimit} times and conflicts with ${pull.base}; a person is needed`,
  };
}

/** Conflicts that no agent settles: people are told once for each head. */
async function stopForHand(
  context: AgentContext,
  task: Task,
  merge: OpenMerge,
  byHand: readonly string[],
): Promise<never> {
  const { number, pull } = task;
  const key = `conflict-by-hand/${pull.head}`;
  const { wasSaid } = await readHistoryOf(context, number);
  if (task.facts.isSpoken || !wasSaid(key))
    await say(context, key, number, conflictByHandComment(metBy(context, task, merge), byHand));
  throw new GatewrightError(
    'conflict-by-hand',
    `#${number} conflicts with ${pull.base} in files that only a person settles: ${byHand.slice(0, 3).join('; ')}.`,
    { details: byHand },
  );
}

async function askMerger(context: AgentContext, task: Task, merge: OpenMerge) {
  const { ledger, prompts, settings } = context;
  const { number, pull } = task;
  return mergeInCopy(context, merge, {
    ...{ role: 'merger', turnLimit, schema: workSummarySchema },
    call: await context.once('merger-call', async () =>
      (await readHistoryOf(context, number)).callOf('merger'),
    ),
    instructions: await prompts.render('agent-merge', {}),
    purpose: `bringing #${number} up to date`,
    tools: { mode: 'implement', commands: settings.agentCommands },
    describe: async () => {
      const issue = pull.text === null ? null : await ledger.getText(pull.text);
      const own = pull.isOurs ? null : `${task.title}\n\n${task.body}`;
      return mergeTask(context, task, { ...merge, base: pull.base, issue, own });
    },
  });
}

async function settle(context: AgentContext, task: Task, merge: OpenMerge): Promise<AgentEnd> {
  const { number, pull } = task;
  const { issue, branch, head } = pull;
  const to = destinationOf(task, { issue, branch, expected: head });
  await finishPush(context, to);
  const { end, left, denials } = await askMerger(context, task, merge);
  scanMerge(left);
  const unsettled = await listUnsettled(context, merge, left);
  const summary = end.kind === 'finished' ? end.object : null;
  if (end.kind !== 'finished' || unsettled.length > 0) return goOnLater(context, task, merge);
  const message = mergeMessage({ branch, base: pull.base, number: issue ?? number }, pathsOf(merge));
  const { tree, putBack, alsoChanged } = await keepToConflicts(context, merge, left);
  const { leftOut } = left.snapshot;
  const commit = await commitTree(context, { tree, parent: head, merged: merge.base, message });
  await pushCommit(context, to, commit);
  return concludeCorrection(context, task, pull, merge.base, {
    ...{ commit, summary, leftOut, denials },
    merged: { base: pull.base, paths: pathsOf(merge), putBack, alsoChanged },
  });
}

/** The conflicts are not settled, and nothing was pushed: it is tried again up to the limit. */
async function goOnLater(context: AgentContext, task: Task, merge: OpenMerge): Promise<AgentEnd> {
  const { number, pull } = task;
  const { updates } = await readHistoryOf(context, number);
  if (updates + 1 >= loopLimit) return reportLimit(context, task, merge);
  return {
    message: `the conflicts of #${number} with ${pull.base} are not settled; it is tried again (${updates + 1} of ${loopLimit})`,
    handoffs: [{ to: 'implementer', task: 'update', number }],
  };
}

/** @param by `person` when it was ordered: an order is carried out however often this was tried before */
export async function updatePull(
  context: AgentContext,
  assignment: ImplementerTask,
  by: 'base' | 'person',
): Promise<AgentEnd> {
  const { number, pull } = assignment;
  if (pull === null) throw new GatewrightError('internal', `#${number} is no pull request.`);
  const task = { ...assignment, pull };
  const merge = await context.once('conflict', () => findConflict(context, number, pull));
  if (merge === null) return { message: `#${number} does not conflict with ${pull.base}` };
  const { updates } = await readHistoryOf(context, number);
  if (by === 'base' && updates >= loopLimit) return reportLimit(context, task, merge);
  const byHand = listByHand(merge.conflicts);
  if (byHand.length > 0) return stopForHand(context, task, merge, byHand);
  return withWorkingLabel(context, task, async () => {
    await context.record({
      kind: 'conflict-met',
      key: `${context.runId}/conflict`,
      data: { number, head: merge.head, base: merge.base, paths: pathsOf(merge) },
    });
    return settle(context, task, merge);
  });
}
