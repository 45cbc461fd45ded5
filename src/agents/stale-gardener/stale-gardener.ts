/**
 * Marks issues without activity, closes those that stay without it, removes the mark when there is a new comment or
 * change, and labels unlabelled issues. It reads only one list of the forge; its own earlier changes it reads from the
 * ledger.
 */

import { labelNames } from '../../domain/forge/labels.ts';
import { findEarlierStep } from '../../domain/ledger/earlier-runs.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { type GardenAction, planGardening } from '../reports/rules/gardening.ts';
import { ensureLabel, publishReport, requireSlot } from '../reports/scheduled-work.ts';
import { withStopIssue } from '../stops/tell-on-own-issue.ts';
import { recallGardening } from './recall-gardening.ts';
import { type GardenPlan, gardenPlanSchema, keepMemory, toGardenIssue } from './rules/garden-memory.ts';
import { closingText, gardenerTitle, renderGardening, warningText } from './rules/gardener-words.ts';

const staleLabel = labelNames.stale;

async function plan(context: AgentContext, at: string): Promise<GardenPlan> {
  const { forge, repository, ledger, subject } = context;
  const entries = await ledger.readWork(subject);
  const memory = await recallGardening(entries, context.runId, (hash) => ledger.getText(hash));
  const listed = await forge.listIssues(repository, { state: 'open' });
  const issues = listed.map((issue) => toGardenIssue(issue, memory));
  const { actions, left } = planGardening(issues, new Date(at));
  const concerned = new Set(actions.map(({ issue }) => issue));
  return {
    ...{ at, actions, left },
    memory: keepMemory(memory, listed),
    issues: Object.fromEntries(
      issues
        .filter(({ number }) => concerned.has(number))
        .map(({ number, title, activeAt, markedAt }) => {
          const updatedAt = listed.find((issue) => issue.number === number)?.updatedAt ?? '';
          return [String(number), { title, activeAt, markedAt, updatedAt }];
        }),
    ),
  };
}

const keyOf = (action: GardenAction): string => `${action.do}/${action.issue}`;

/**
 * A resumed plan may be days old: for an issue that changed since then, an action that was not begun is dropped. An
 * action that was begun is finished, since its comment is published, but an issue with new activity is not closed.
 */
async function dropOvertaken(context: AgentContext, plan: GardenPlan): Promise<GardenAction[]> {
  const { effects, forge, ledger, repository, runId } = context;
  const begun = new Set(
    (await ledger.readWork(context.subject)).flatMap((entry) =>
      entry.kind === 'effect-intended' && entry.run === runId && 'number' in entry.data.effect
        ? [entry.data.effect.number]
        : [],
    ),
  );
  const open = await forge.listIssues(repository, { state: 'open' });
  const changes = new Map(open.map(({ number, updatedAt }) => [number, updatedAt]));
  const kept: GardenAction[] = [];
  for (const action of plan.actions) {
    const updatedAt = changes.get(action.issue);
    const isUnchanged = updatedAt !== undefined && updatedAt === plan.issues[action.issue]?.updatedAt;
    const isClosing = action.do === 'close' && updatedAt !== undefined;
    const isFinished = isClosing && (await effects.momentOf(keyOf(action))) !== null;
    if (isUnchanged || (begun.has(action.issue) && (!isClosing || isFinished))) kept.push(action);
  }
  return kept;
}

async function say(context: AgentContext, action: GardenAction, text: string): Promise<void> {
  const { repository, own, ledger } = context;
  await context.effects.perform(`${keyOf(action)}/comment`, 'create-comment', async () => ({
    repository,
    number: action.issue,
    body: await ledger.putText(text),
    author: own,
  }));
}

async function label(
  context: AgentContext,
  action: GardenAction,
  change: { readonly add?: string; readonly remove?: string },
): Promise<void> {
  const { repository } = context;
  const list = (name: string | undefined) => (name === undefined ? [] : [name]);
  if (change.add !== undefined) await ensureLabel(context, change.add);
  await context.effects.perform(keyOf(action), 'edit-labels', () => ({
    repository,
    number: action.issue,
    add: list(change.add),
    remove: list(change.remove),
  }));
}

async function act(context: AgentContext, { at, issues }: GardenPlan, action: GardenAction): Promise<void> {
  const { activeAt = at, markedAt = at } = issues[action.issue] ?? {};
  switch (action.do) {
    case 'mark-stale':
      // The label is set last: the date in its receipt separates our own comment from an answer to it.
      await say(context, action, warningText(action.days, activeAt, at));
      return label(context, action, { add: staleLabel });
    case 'unmark':
      return label(context, action, { remove: staleLabel });
    case 'label':
      return label(context, action, { add: action.label });
    case 'close': {
      const { repository } = context;
      await context.effects.perform(keyOf(action), 'close-issue', () => ({
        repository,
        number: action.issue,
      }));
      return say(context, action, closingText(action.days, markedAt ?? at));
    }
  }
}

export const staleGardener: Agent = withStopIssue({
  name: 'stale-gardener',
  async run(context) {
    const { at } = requireSlot(context);
    const day = at.slice(0, 10);
    const entries = await context.ledger.readWork(context.subject);
    const earlier = findEarlierStep(entries, 'plan', context.runId);
    const last = earlier === null ? null : await readPlan(context, earlier.data.result);
    const isBegun = entries.some((entry) => entry.kind === 'step-done' && entry.run === context.runId);
    // One plan for each round, whatever the delivery: a second run in the same round would do the work that was left
    // for the next round.
    if (!isBegun && last !== null && last.at.slice(0, 10) >= day)
      return { message: `nothing to do: the round of ${last.at.slice(0, 10)} was made` };
    let isNew = false;
    const current = await context.once('plan', () => {
      isNew = true;
      return plan(context, at);
    });
    const actions = isNew ? current.actions : await dropOvertaken(context, current);
    for (const action of actions) await act(context, current, action);
    if (actions.length === 0) return { message: 'nothing to do: no issue needed anything' };
    const overtaken = current.actions.length - actions.length;
    const report = { label: labelNames.gardenerReport, title: gardenerTitle(at) };
    const { result } = await publishReport(context, report, renderGardening(current, actions, overtaken));
    const message = `did ${actions.length} of ${current.actions.length + current.left} things that were to do`;
    return { message, ...(result === undefined ? {} : { result }) };
  },
});

async function readPlan(context: AgentContext, hash: string): Promise<GardenPlan> {
  return gardenPlanSchema.parse(JSON.parse(await context.ledger.getText(hash)));
}
