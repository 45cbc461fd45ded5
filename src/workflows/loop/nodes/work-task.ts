/** One attempt at one task, in a copy of its own, by an agent that knows nothing but what it is told here. */
import { GatewrightError } from '../../../errors.ts';
import type { Snapshot } from '../../../ports/workspace.ts';
import { findObstacle } from '../../../runs/coding/find-obstacle.ts';
import { prepareCopy } from '../../../runs/coding/prepare-copy.ts';
import { commitTree } from '../../../runs/coding/push-work.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import type { LoopContext } from '../loop-context.ts';
import { type TaskReport, taskReportSchema } from '../rules/task-report.ts';
import type { LoopState, TaskAttempt } from '../state.ts';
import { type ContextOf, gatherContext } from './gather-context.ts';
import { baseOf, headOf, readConfig } from './read-stored.ts';

const turnLimit = 50;

interface Tried {
  readonly context: string;
  readonly report: TaskReport | null;
  readonly commit: string | null;
  readonly obstacles: readonly string[];
}

/** What cannot be taken over fails the attempt; the rest of the work stays for the next one. */
function listObstacles(snapshot: Snapshot, isFinished: boolean): string[] {
  const obstacle = findObstacle(snapshot);
  return [
    ...(isFinished ? [] : [`The agent used all of its ${turnLimit} turns.`]),
    ...(obstacle === null ? [] : [obstacle.message]),
  ];
}

/** A commit on top of the branch that holds what the agent left; prd.json is ours and stays as it was. */
async function commitAttempt(
  context: LoopContext,
  head: string,
  snapshot: Snapshot,
  { message, prdLocation }: { readonly message: string; readonly prdLocation: string },
): Promise<string | null> {
  const { trees } = context;
  const tree = await trees.takePaths(snapshot.tree, head, [prdLocation]);
  if (tree === (await trees.treeOf(head))) return null;
  return commitTree(context, { tree, parent: head, message });
}

export async function tryTask(
  context: LoopContext,
  state: LoopState,
  attempt: Pick<TaskAttempt, 'id' | 'call'>,
  what: ContextOf & {
    readonly role: 'loop-coder' | 'loop-debugger';
    readonly prompt: string;
    readonly message: string;
    readonly purpose: string;
  },
): Promise<Tried> {
  const { ledger, prompts, request, settings, workspaces } = context;
  const head = headOf(state);
  const told = await gatherContext(context, state, what);
  // A failed attempt is gone on from; what it holds was never pushed.
  const start = state.left?.id === attempt.id ? state.left.commit : head;
  const name = `${context.runId}-${what.role}`;
  const { end, left } = await workApart(
    context,
    name,
    {
      ...{ role: what.role, call: attempt.call, start, steeringFrom: baseOf(state).commit, turnLimit },
      instructions: await prompts.render(what.prompt, {}),
      describe: async () => told.text,
      tools: { mode: 'implement', commands: settings.agentCommands },
      purpose: `${what.purpose} of #${request.number}`,
      schema: taskReportSchema,
    },
    {
      prepare: (folder) => prepareCopy(context, { name, folder }),
      look: (workspace) => workspaces.takeSnapshot(workspace),
    },
  );
  const isFinished = end.kind === 'finished';
  const { prdLocation } = await readConfig(context, state);
  const commit = await commitAttempt(context, head, left, { message: what.message, prdLocation });
  const obstacles = listObstacles(left, isFinished);
  return {
    context: await ledger.putText(told.text),
    report: isFinished ? end.object : null,
    commit,
    obstacles: commit === null ? [...obstacles, 'The attempt changed nothing.'] : obstacles,
  };
}

export async function workOnTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { attempt } = state;
  if (attempt === null) throw new GatewrightError('internal', 'No task was chosen.');
  const tried = await tryTask(context, state, attempt, {
    ...{ task: attempt.id, role: 'loop-coder', prompt: 'loop-task' },
    message: `wip(${attempt.id}): attempt ${attempt.attempt}\n`,
    purpose: `working on ${attempt.id}`,
  });
  const report = tried.report === null ? null : await context.ledger.putText(JSON.stringify(tried.report));
  return { attempt: { ...attempt, ...tried, report }, feedback: '' };
}
