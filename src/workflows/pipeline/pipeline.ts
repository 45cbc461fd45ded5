/** The pipeline as the fleet runs it. */
import { labelNames } from '../../domain/forge/labels.ts';
import { handleEvents } from '../issue-runs/handle-events.ts';
import { findOpenPull, pipelineWorkflow, startPipeline } from './drive-pipeline.ts';
import { describePipelineAnswers } from './rules/comments/gate-answers.ts';

export const pipeline = handleEvents(pipelineWorkflow, {
  starts: (event) =>
    event.kind === 'handed-on' ||
    (event.kind === 'labeled' && event.label.toLowerCase() === labelNames.agent.toLowerCase()),
  mayStart: async (tools, number) => (await findOpenPull(tools, number)) === null,
  start: (tools, { number, delivery }, options, onStart) =>
    startPipeline(tools, { number, delivery }, options, onStart),
  progress: ['gate-answered', 'stage-ended'],
  describeAnswers: ({ question: { kind } }, handle) => describePipelineAnswers(kind, handle),
});
