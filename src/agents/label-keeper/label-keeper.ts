/**
 * Reverses a change of a label that an actor made without the right or out of order, and says why, once for each label.
 * It also says, once, that orders of programs which answer each other are ignored from now on.
 */

import type { EventOf, FleetEvent } from '../../domain/fleet/event.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { loopNotice, programOrderLimit, readProgramOrders } from '../../domain/fleet/program-orders.ts';
import { findLabel, isLoopOrder } from '../../domain/forge/label-table.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isBotLogin } from '../../domain/forge/login.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { loopNoticeKey } from '../../domain/ledger/subject-state.ts';
import { inertLine } from '../../domain/text/inert-markdown.ts';
import { isGatewrightError } from '../../errors.ts';
import { type Agent, type AgentContext, type AgentEnd, type GuardPlace, requireNumber } from '../agent.ts';
import { say } from '../post-comment.ts';
import { withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';
import { judgeLabelChange, type LabelJudgement } from './rules/label-transitions.ts';

type LabelEvent = EventOf<'labeled'> | EventOf<'unlabeled'>;

function isApproval({ kind, label }: LabelEvent): boolean {
  return kind === 'labeled' && findLabel(label)?.name === labelNames.loopApproved;
}

function isLabelEvent(event: FleetEvent): event is LabelEvent {
  return event.kind === 'labeled' || event.kind === 'unlabeled';
}

/** Null when there is nothing left to label: issues are deleted and moved. */
async function readLabels(forge: GuardPlace['forge'], event: LabelEvent): Promise<readonly string[] | null> {
  try {
    return (await forge.getIssue(event.repository, event.number)).labels;
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found', 'forge-moved', 'forge-gone')) return null;
    throw error;
  }
}

/** Whether a loop works on the issue, for the label that approves its plan; nothing else asks. */
async function findLoop({ views }: GuardPlace, event: LabelEvent): Promise<boolean | undefined> {
  if (!isApproval(event)) return undefined;
  const filter = { repository: event.repository, issue: event.number, doneSince: 'never' } as const;
  const runs = await views.listRuns({ ...filter, workflows: ['loop'] });
  return runs.some(({ isDismissed }) => !isDismissed);
}

/** Whether a change of a label is accepted. For labels that are not ours nothing is looked up. */
async function judgeLabelEvent(place: GuardPlace, event: LabelEvent): Promise<LabelJudgement> {
  // Exactly: where names that differ in capitals are two people's, only one of them is us.
  const isOwn = event.actor === place.own;
  if (isOwn || findLabel(event.label) === undefined) return { legal: true };
  const { forge, settings } = place;
  // They order nothing: whoever sets them, for whatever.
  if (settings.loopLabels === 'off' && isLoopOrder(event.label)) return { legal: true };
  const labels = await readLabels(forge, event);
  if (labels === null) return { legal: true };
  const has = labels.some((label) => label.toLowerCase() === event.label.toLowerCase());
  // Changed again since: what came later is judged by its own event.
  if (has !== (event.kind === 'labeled')) return { legal: true };
  return judgeLabelChange({
    labelsBefore: labels,
    change: event.kind === 'labeled' ? 'added' : 'removed',
    label: event.label,
    hasLoop: await findLoop(place, event),
    actor: {
      login: event.actor,
      isOwn,
      permission: await forge.permissionOf(event.repository, event.actor),
      isListedBot: event.actorKind === 'bot' && isListedBot(settings, event.actor),
    },
  });
}

/** Tells the person who gave the last order, once for each loop. */
async function reportLoop(context: AgentContext, number: number): Promise<AgentEnd> {
  const { event, ledger, runId, settings } = context;
  const isProgram = (login: string): boolean => isBotLogin(login) || isListedBot(settings, login);
  const { person, isDue } = await context.once('loop', async () => {
    const state = await ledger.readState(context.subject);
    const orders = readProgramOrders(state, event.delivery, isProgram, runId);
    const { count, isBegun, isTold } = orders;
    return { person: orders.person, isDue: count >= programOrderLimit && !isBegun && !isTold };
  });
  if (!isDue) return { message: 'nothing to do' };
  await say(context, loopNoticeKey, number, loopNotice(person, settings.handle));
  return { message: `programs give each other orders on #${number}; a person is needed` };
}

export const labelKeeper: Agent = withStopsTold(tellOnNumber('Checking the labels of this', null), {
  name: 'label-keeper',
  async judge(place, event) {
    if (!isLabelEvent(event)) return null;
    const judgement = await judgeLabelEvent(place, event);
    return judgement.legal ? null : { because: 'label', detail: judgement.reason };
  },
  async run(context) {
    const { event, repository, effects, ledger } = context;
    const number = requireNumber(context);
    if (!isLabelEvent(event)) return reportLoop(context, number);
    const judgement = await context.once('judgement', () => judgeLabelEvent(context, event));
    if (judgement.legal) return reportLoop(context, number);
    const { add, remove } = judgement.revert;
    await effects.perform('revert', 'edit-labels', () => ({ repository, number, add, remove }));
    const { reason, topic } = judgement;
    const key = ['label-reason', event.label.toLowerCase(), ...(topic === undefined ? [] : [topic])].join(
      '/',
    );
    const entries = await ledger.readWork(context.subject);
    const hasTold = wasDoneBefore(entries, key, context.runId);
    if (!hasTold) await say(context, key, number, `${inertLine(reason)}\n`);
    return { message: `corrected the labels of #${number}: ${reason}` };
  },
});
