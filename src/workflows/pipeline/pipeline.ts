/** The pipeline as the fleet runs it. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { handleEvents } from '../issue-runs/handle-events.ts';
import { writeWaiting } from '../issue-runs/rules/replies.ts';
import {
  describeOpenPull,
  findOpenPull,
  pipelineWorkflow,
  startPipeline,
  whatToDoWithPull,
} from './drive-pipeline.ts';
import { describePipelineAnswers } from './rules/comments/gate-answers.ts';

function isOrder(event: FleetEvent): boolean {
  return event.kind === 'labeled' && event.label.toLowerCase() === labelNames.agent.toLowerCase();
}

export const pipeline = handleEvents(pipelineWorkflow, {
  starts: (event) => event.kind === 'handed-on' || isOrder(event),
  findObstacle: async (tools, number) => {
    const open = await findOpenPull(tools, number);
    if (open === null) return null;
    const message = `${describeOpenPull(open)} ${whatToDoWithPull} Then give the order again.`;
    return { run: open.run, name: `open-pull-${open.pull}`, message };
  },
  start: (tools, { number, delivery }, options, onStart) =>
    startPipeline(tools, { number, delivery }, options, onStart),
  progress: ['gate-answered', 'stage-ended'],
  describeAnswers: ({ question: { kind } }, handle) => describePipelineAnswers(kind, handle),
  answerLabel: (event, { question: { kind, because } }, handle) =>
    isOrder(event)
      ? writeWaiting(
          { noun: 'pipeline', who: event.actor },
          {
            because: because ?? pipelineWorkflow.waitsFor[kind] ?? kind,
            answers: [
              ...describePipelineAnswers(kind, handle),
              `- At a terminal: \`gatewright solve ${event.number}\``,
            ],
          },
        )
      : null,
});
