/** One attempt at one task, in a copy of its own, by an agent that knows nothing but what it is told here. */
import type { Sha256 } from '../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Snapshot } from '../../../ports/workspace.ts';
import type { Left } from '../../../runs/coding/coding-context.ts';
import { findObstacle } from '../../../runs/coding/find-obstacle.ts';
import { prepareCopy } from '../../../runs/coding/prepare-copy.ts';
import { commitTree } from '../../../runs/coding/push-work.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import type { LoopContext } from '../loop-context.ts';
import { type TaskReport, taskReportSchema } from '../rules/task-report.ts';
import type { LoopState, TaskAttempt } from '../state.ts';
import { type ContextOf, gatherContext } from './gather-context.ts';
import { baseOf, headOf, readConfig } from './read-stored.ts';
import { takeOverBranch } from './take-over-branch.ts';

const turnLimit = 50;

interface Tried extends Pick<LoopState, 'head' | 'prd'> {
  /** Just what the agent was told in this call. */
  readonly context: Sha256;
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

/** What is kept with the answer of the agent: after a crash the comments and the time are other ones. */
interface Found extends Left {
  readonly told: Sha256;
}

interface Made {
  readonly message: string;
  readonly prdLocation: string;
}

/** Work on top of the head of the branch; null where people changed the same lines meanwhile. */
async function putOnTop(
  context: LoopContext,
  head: string,
  work: string,
  { message, prdLocation }: Made,
): Promise<string | null> {
  const { trees, workspaces } = context;
  const merged = await workspaces.mergeTrees(head, work);
  if (merged === null) return null;
  // prd.json is ours, and stays as it is on the branch.
  const tree = await trees.takePaths(merged, head, [prdLocation]);
  return commitTree(context, { tree, parent: head, message });
}

/** What the agent left, as a commit that is judged. The branch may have moved since it began. */
async function commitAttempt(
  context: LoopContext,
  head: string,
  { start, snapshot }: Left,
  made: Made,
): Promise<{ readonly commit: string | null; readonly why: readonly string[] }> {
  const { trees } = context;
  const tree = await trees.takePaths(snapshot.tree, start, [made.prdLocation]);
  const work = await commitTree(context, { tree, parent: start, message: made.message });
  const commit = await putOnTop(context, head, work, made);
  if (commit === null)
    return { commit, why: ['It changes lines that people changed on the branch meanwhile.'] };
  const isSame = (await trees.treeOf(commit)) === (await trees.treeOf(head));
  return isSame ? { commit: null, why: ['The attempt changed nothing.'] } : { commit, why: [] };
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
  const { prdLocation } = await readConfig(context, state);
  const made = { message: what.message, prdLocation };
  // A failed attempt is gone on from; what it holds was never pushed.
  const before =
    state.left?.id === attempt.id ? await putOnTop(context, headOf(state), state.left.commit, made) : null;
  const start = before ?? headOf(state);
  const name = `${context.runId}-${what.role}`;
  let told = '';
  const describe = async (): Promise<string> => {
    told = (await gatherContext(context, state, what)).text;
    return told;
  };
  const { end, left } = await workApart(
    context,
    name,
    {
      ...{ role: what.role, call: attempt.call, start, steeringFrom: baseOf(state).commit, turnLimit },
      instructions: await prompts.render(what.prompt, {}),
      describe,
      tools: { mode: 'implement', commands: settings.agentCommands },
      purpose: `${what.purpose} of #${request.number}`,
      schema: taskReportSchema,
    },
    {
      prepare: (folder) => prepareCopy(context, { name, folder }),
      look: async (workspace): Promise<Found> => ({
        ...{ start, told: await ledger.putText(told) },
        snapshot: await workspaces.takeSnapshot(workspace),
      }),
    },
  );
  const isFinished = end.kind === 'finished';
  const taken = await takeOverBranch(context, state);
  const { commit, why } = await commitAttempt(context, headOf({ ...state, ...taken }), left, made);
  return {
    ...taken,
    context: left.told,
    report: isFinished ? end.object : null,
    commit,
    obstacles: [...listObstacles(left.snapshot, isFinished), ...why],
  };
}

export async function workOnTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { attempt } = state;
  if (attempt === null) throw new GatewrightError('internal', 'No task was chosen.');
  const { head, prd, ...tried } = await tryTask(context, state, attempt, {
    ...{ task: attempt.id, role: 'loop-coder', prompt: 'loop-task' },
    message: `wip(${attempt.id}): attempt ${attempt.attempt}\n`,
    purpose: `working on ${attempt.id}`,
  });
  const report = tried.report === null ? null : await context.ledger.putText(JSON.stringify(tried.report));
  return { head, prd, attempt: { ...attempt, ...tried, report }, feedback: '' };
}
