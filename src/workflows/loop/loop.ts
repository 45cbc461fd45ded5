/** The loop as the fleet runs it. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { callPerson } from '../../domain/text/comment-parts.ts';
import { handleEvents } from '../issue-runs/handle-events.ts';
import { lineOf } from '../issue-runs/rules/comment-words.ts';
import { loopWorkflow, startLoop } from './drive-loop.ts';
import { moveLabel } from './forge-steps.ts';
import { describeAnswers } from './rules/comments/gate-answers.ts';

function startsLoop(event: FleetEvent): boolean {
  if (event.kind === 'handed-on') return true;
  return event.kind === 'labeled' && event.label.toLowerCase() === labelNames.loop.toLowerCase();
}

export const loop = handleEvents(loopWorkflow, {
  starts: startsLoop,
  start: (tools, { number, delivery }, options, onStart) =>
    startLoop(tools, { number, isQuick: false, delivery }, options, onStart),
  progress: ['gate-answered', 'loop-plan-approved', 'task-judged', 'task-skipped'],
  describeAnswers: ({ question: { kind } }, handle) => describeAnswers(kind, handle),
  writeVoid: ({ who, handle, because }) =>
    [
      `${callPerson(who)}the plan is not approved: ${lineOf(because, 300)}. An approval counts for the plan that was shown, and for no other.`,
      '',
      `- \`@${handle} revise: …\` has the plan made again and posted in a new comment, which you can then approve.`,
      '',
    ].join('\n'),
  // The label showed an approval that does not count.
  onVoid: async (context, event) => {
    if (event.kind === 'labeled')
      await moveLabel(context, `reply/${event.delivery}`, labelNames.loopPlanning);
  },
});
