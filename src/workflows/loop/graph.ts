/**
 * The loop as a graph: plan, approve, task by task, testing, close. This is the only file of the workflow that knows
 * LangGraph, which takes long to load; everything else is plain functions.
 */
import { END, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { GraphRun, makeChannels, makeNodes } from '../../runs/graph/graph-run.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import type { LoopContext } from './loop-context.ts';
import { approvePlan } from './nodes/approve-plan.ts';
import { closeLoop, lookAtMerge } from './nodes/close-loop.ts';
import { debugReport, judgeFix } from './nodes/debug.ts';
import { judgeTask } from './nodes/judge-task.ts';
import { loadIssue } from './nodes/load-issue.ts';
import { makePlan } from './nodes/make-plan.ts';
import { applyPlanAnswer, applyScopeAnswer, askAboutPlan, askAboutScope } from './nodes/plan-gates.ts';
import { selectTask } from './nodes/select-task.ts';
import { skipTask } from './nodes/skip-task.ts';
import { stopForReplan } from './nodes/stop-for-person.ts';
import { againIfMoved, onBranch, unlessMoved } from './nodes/take-over-branch.ts';
import { checkWhole, markVerified } from './nodes/testing.ts';
import {
  applyBlocked,
  applyClose,
  applyGoOn,
  applyMerge,
  applyTesting,
  askAboutBlocked,
  askAboutMerge,
  askAboutTesting,
  askToClose,
  askToGoOn,
} from './nodes/work-gates.ts';
import { workOnTask } from './nodes/work-task.ts';
import { initialState, type LoopRoute, type LoopState } from './state.ts';

const Channels = makeChannels(initialState);

/** The node that each route leads to; what is missing here cannot be reached. */
const nodeOfRoute = {
  scope: 'scope_gate',
  plan: 'plan',
  'ask-plan': 'plan_gate',
  approve: 'approve',
  wait: 'work_gate',
  select: 'select_task',
  work: 'work',
  skip: 'skip',
  replan: 'replan_checkpoint',
  blocked: 'blocked_gate',
  check: 'check_all',
  testing: 'testing_gate',
  debug: 'debug',
  verified: 'verified',
  'ask-close': 'close_gate',
  close: 'close',
  'ask-merge': 'merge_gate',
  merge: 'look_at_merge',
  done: END,
} as const satisfies Record<LoopRoute, string>;

function compileGraph(context: LoopContext, checkpointer: BaseCheckpointSaver) {
  const { work, gate } = makeNodes<LoopContext, LoopState>(context);
  type Target = (typeof nodeOfRoute)[LoopRoute];
  const to = (...routes: readonly LoopRoute[]): [(at: typeof Channels.State) => Target, Target[]] => [
    ({ run: { route } }: typeof Channels.State) => {
      const found = routes.find((one) => one === route);
      if (found === undefined) throw new Error(`The loop cannot go on to "${route}" from here.`);
      return nodeOfRoute[found];
    },
    [...new Set(routes.map((route) => nodeOfRoute[route]))],
  ];
  return new StateGraph(Channels)
    .addNode('load', work('load', loadIssue))
    .addNode('scope_gate', gate(askAboutScope, applyScopeAnswer))
    .addNode('plan', work('plan', makePlan))
    .addNode('plan_gate', gate(askAboutPlan, applyPlanAnswer))
    .addNode('approve', work('approve', againIfMoved(approvePlan)))
    .addNode('work_gate', gate(askToGoOn, applyGoOn))
    .addNode('select_task', work('select_task', selectTask))
    .addNode('work', work('work', workOnTask))
    .addNode('judge', work('judge', unlessMoved(judgeTask, 'work')))
    .addNode('skip', work('skip', onBranch(skipTask)))
    .addNode('replan_checkpoint', work('replan_checkpoint', onBranch(stopForReplan)))
    .addNode('blocked_gate', gate(askAboutBlocked, applyBlocked))
    .addNode('check_all', work('check_all', onBranch(checkWhole)))
    .addNode('testing_gate', gate(askAboutTesting, applyTesting))
    .addNode('debug', work('debug', debugReport))
    .addNode('judge_fix', work('judge_fix', unlessMoved(judgeFix, 'debug')))
    .addNode('verified', work('verified', onBranch(markVerified)))
    .addNode('close_gate', gate(askToClose, applyClose))
    .addNode('close', work('close', againIfMoved(closeLoop)))
    .addNode('merge_gate', gate(askAboutMerge, applyMerge))
    .addNode('look_at_merge', work('look_at_merge', lookAtMerge))
    .addEdge(START, 'load')
    .addConditionalEdges('load', ...to('scope', 'plan'))
    .addEdge('scope_gate', 'plan')
    .addEdge('plan', 'plan_gate')
    .addConditionalEdges('plan_gate', ...to('approve', 'plan'))
    .addEdge('approve', 'work_gate')
    .addConditionalEdges('work_gate', ...to('select', 'skip', 'close'))
    .addConditionalEdges('select_task', ...to('work', 'check', 'blocked'))
    .addEdge('work', 'judge')
    .addConditionalEdges('judge', ...to('select', 'wait', 'replan', 'work'))
    .addEdge('skip', 'work_gate')
    .addConditionalEdges('replan_checkpoint', ...to('blocked', 'plan'))
    .addConditionalEdges('blocked_gate', ...to('select', 'plan', 'skip', 'close'))
    .addConditionalEdges('check_all', ...to('testing', 'blocked'))
    .addConditionalEdges('testing_gate', ...to('verified', 'debug', 'close'))
    .addEdge('debug', 'judge_fix')
    .addConditionalEdges('judge_fix', ...to('testing', 'debug', 'blocked'))
    .addEdge('verified', 'close_gate')
    .addEdge('close_gate', 'close')
    .addEdge('close', 'merge_gate')
    .addEdge('merge_gate', 'look_at_merge')
    .addConditionalEdges('look_at_merge', ...to('done', 'ask-merge'))
    .compile({ checkpointer });
}

/** A run of the graph, begun or at its last checkpoint. */
export function openLoopGraph(context: LoopContext, checkpointer: BaseCheckpointSaver): Drivable<LoopState> {
  return new GraphRun({
    graph: compileGraph(context, checkpointer),
    runId: context.runId,
    initial: initialState,
    isDone: ({ route }) => route === 'done',
  });
}
