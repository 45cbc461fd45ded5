/** The loop as the fleet runs it. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { handleEvents } from '../issue-runs/handle-events.ts';
import { loopWorkflow, startLoop } from './drive-loop.ts';
import { moveLabel } from './forge-steps.ts';
import { describeAnswers } from './rules/comments/gate-answers.ts';
import { writeNoPlanYet, writeVoidApproval } from './rules/comments/replies.ts';

const isLabel = (one: string, name: string): boolean => one.toLowerCase() === name.toLowerCase();

function startsLoop(event: FleetEvent): boolean {
  if (event.kind === 'handed-on') return true;
  return event.kind === 'labeled' && isLabel(event.label, labelNames.loop);
}

export const loop = handleEvents(loopWorkflow, {
  starts: startsLoop,
  start: (tools, { number, delivery }, options, onStart) =>
    startLoop(tools, { number, isQuick: false, delivery }, options, onStart),
  progress: ['gate-answered', 'loop-plan-approved', 'task-judged', 'task-skipped'],
  describeAnswers: ({ question: { kind } }, handle) => describeAnswers(kind, handle),
  writeVoid: writeVoidApproval,
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
