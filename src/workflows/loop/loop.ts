/** The loop as the fleet runs it. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import type { LoopRun } from '../../domain/ledger/run.ts';
import { handleEvents } from '../issue-runs/handle-events.ts';
import type { WorkflowSession } from '../workflow.ts';
import { loopWorkflow, startLoop } from './drive-loop.ts';
import { dropDebugging, isMending } from './drop-debugging.ts';
import { moveLabel } from './forge-steps.ts';
import type { LoopTools } from './loop-context.ts';
import { describeAnswers, readGateAnswer } from './rules/comments/gate-answers.ts';
import { writeNoPlanYet, writeVoidApproval } from './rules/comments/replies.ts';
import { tidyUpLoop } from './tidy-up.ts';

const isLabel = (one: string, name: string): boolean => one.toLowerCase() === name.toLowerCase();

function startsLoop(event: FleetEvent): boolean {
  if (event.kind === 'handed-on') return true;
  return event.kind === 'labeled' && isLabel(event.label, labelNames.loop);
}

/** Whether a person says that it works while an agent should mend it. A program tests nothing. */
async function hearWorks(
  tools: LoopTools,
  found: LoopRun,
  event: FleetEvent,
  { own }: WorkflowSession,
): Promise<boolean> {
  if (event.kind !== 'comment-created' || event.actorKind !== 'person') return false;
  const { actor: person, comment, text } = event;
  const { fleet } = tools;
  if (isListedBot(fleet, person) || readGateAnswer('testing', text, fleet.handle)?.choice !== 'works')
    return false;
  return dropDebugging(tools, found, { person, comment }, { own, progress: () => undefined });
}

export const loop = handleEvents(loopWorkflow, {
  starts: startsLoop,
  start: (tools, { number, delivery }, options, onStart) =>
    startLoop(tools, { number, isQuick: false, delivery }, options, onStart),
  progress: ['gate-answered', 'loop-plan-approved', 'task-judged', 'task-skipped'],
  describeAnswers: ({ question: { kind } }, handle) => describeAnswers(kind, handle),
  writeVoid: writeVoidApproval,
  hearStopped: hearWorks,
  tidyUp: tidyUpLoop,
  describeStopped: (found, handle) =>
    isMending(found) ? [`- \`@${handle} works\` says that it works as it is; nothing is mended.`] : [],
  answerLabel: ({ actor: who, label }, { question }, handle) =>
    question.kind === 'scope' && isLabel(label, labelNames.loopApproved)
      ? writeNoPlanYet({ who, handle })
      : null,
  // The label showed an approval that does not count.
  onVoid: async (context, event) => {
    if (event.kind === 'labeled')
      await moveLabel(context, `reply/${event.delivery}`, labelNames.loopPlanning);
  },
});
