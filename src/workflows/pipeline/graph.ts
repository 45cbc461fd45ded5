/**
 * The pipeline as a graph: six stages, the way back to the writer, questions between stages, and the gates of people. This
 * is the only file of the workflow that knows LangGraph, which takes long to load.
 */
import { END, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { GraphRun, makeChannels, makeNodes } from '../../runs/graph/graph-run.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import { analyse } from './nodes/analyst.ts';
import { answerQuestions } from './nodes/answer.ts';
import { build } from './nodes/build.ts';
import { commitChange } from './nodes/commit-change.ts';
import {
  applyEscalation,
  applyFailure,
  applyGoOn,
  askAboutEscalation,
  askAboutFailure,
  askToGoOn,
} from './nodes/gates.ts';
import { loadIssue } from './nodes/load-issue.ts';
import { review } from './nodes/review.ts';
import { stageNode } from './nodes/run-stage.ts';
import { stopPipeline } from './nodes/stop.ts';
import { triage } from './nodes/triage.ts';
import { writeChange } from './nodes/write-change.ts';
import type { PipelineContext } from './pipeline-context.ts';
import { initialPipeline, type PipelineRoute, type PipelineState } from './state.ts';

const Channels = makeChannels(initialPipeline);

/** The node that each route leads to; what is missing here cannot be reached. */
const nodeOfRoute = {
  triage: 'triage',
  analyst: 'analyst',
  writer: 'writer',
  build: 'build',
  reviewer: 'reviewer',
  committer: 'committer',
  answer: 'answer',
  wait: 'work_gate',
  escalation: 'escalation_gate',
  blocked: 'blocked_gate',
  stop: 'stop',
  done: END,
} as const satisfies Record<PipelineRoute, string>;

const stages = ['triage', 'analyst', 'writer', 'build', 'reviewer', 'committer'] as const;

function compileGraph(context: PipelineContext, checkpointer: BaseCheckpointSaver) {
  const { work, gate } = makeNodes<PipelineContext, PipelineState>(context);
  type Target = (typeof nodeOfRoute)[PipelineRoute];
  const to = (...routes: readonly PipelineRoute[]): [(at: typeof Channels.State) => Target, Target[]] => [
    ({ run: { route } }: typeof Channels.State) => {
      const found = routes.find((one) => one === route);
      if (found === undefined) throw new Error(`The pipeline cannot go on to "${route}" from here.`);
      return nodeOfRoute[found];
    },
    [...new Set(routes.map((route) => nodeOfRoute[route]))],
  ];
  return new StateGraph(Channels)
    .addNode('load', work('load', loadIssue))
    .addNode('triage', work('triage', stageNode('triage', triage)))
    .addNode('analyst', work('analyst', stageNode('analyst', analyse)))
    .addNode('writer', work('writer', stageNode('writer', writeChange)))
    .addNode('build', work('build', stageNode('build', build)))
    .addNode('reviewer', work('reviewer', stageNode('reviewer', review)))
    .addNode('committer', work('committer', stageNode('committer', commitChange)))
    .addNode('answer', work('answer', answerQuestions))
    .addNode('stop', work('stop', stopPipeline))
    .addNode('work_gate', gate(askToGoOn, applyGoOn))
    .addNode('escalation_gate', gate(askAboutEscalation, applyEscalation))
    .addNode('blocked_gate', gate(askAboutFailure, applyFailure))
    .addEdge(START, 'load')
    .addEdge('load', 'triage')
    .addConditionalEdges('triage', ...to('analyst', 'escalation', 'blocked', 'wait'))
    .addConditionalEdges('analyst', ...to('writer', 'answer', 'escalation', 'blocked', 'wait'))
    .addConditionalEdges('writer', ...to('build', 'answer', 'escalation', 'blocked', 'wait'))
    .addConditionalEdges(
      'build',
      ...to('build', 'reviewer', 'committer', 'writer', 'escalation', 'blocked', 'wait'),
    )
    .addConditionalEdges(
      'reviewer',
      ...to('committer', 'writer', 'reviewer', 'answer', 'escalation', 'blocked', 'wait'),
    )
    .addConditionalEdges('committer', ...to('build', 'writer', 'blocked', 'done', 'wait'))
    .addConditionalEdges('answer', ...to(...stages, 'escalation', 'wait'))
    .addConditionalEdges('work_gate', ...to(...stages, 'stop'))
    .addConditionalEdges('escalation_gate', ...to('answer', 'stop'))
    .addConditionalEdges('blocked_gate', ...to(...stages, 'stop'))
    .addEdge('stop', END)
    .compile({ checkpointer });
}

/** A run of the graph, begun or at its last checkpoint. */
export function openPipelineGraph(
  context: PipelineContext,
  checkpointer: BaseCheckpointSaver,
): Drivable<PipelineState> {
  return new GraphRun({
    graph: compileGraph(context, checkpointer),
    runId: context.runId,
    initial: initialPipeline,
    isDone: ({ route }) => route === 'done',
  });
}
