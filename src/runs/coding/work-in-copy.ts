/** A coding agent at work in a copy of its own: goes on from what this run has pushed, and nothing that it did is lost. */
import type { z } from 'zod';
import { isPause } from '../../errors.ts';
import type { CodingTools } from '../../ports/coding-agent.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Coded } from '../ask-coder.ts';
import { type CodingContext, copyNameOf, type Destination, type Left } from './coding-context.ts';
import { prepareCopy } from './prepare-copy.ts';
import { finishPush, readPushesOf } from './push-work.ts';
import { makeEarlySaver, saveUnfinished } from './save-work.ts';

export interface CodingWork<T> {
  /** The role of the agent, and which call of that role it is: recordings find the call by these. */
  readonly role: string;
  readonly call: number;
  /** Ours: how to work. */
  readonly instructions: string;
  /** The task, as text; it is given the commit that the copy is at. Text from outside in it is fenced. */
  readonly describe: (start: string) => Promise<string>;
  readonly tools: CodingTools;
  readonly turnLimit: number;
  readonly purpose: string;
  readonly schema: z.ZodType<T> | null;
  /** Where the work begins, unless this run has pushed something of it already. */
  readonly start: string;
  /** The commit whose files steer builds and agents in the copy. */
  readonly steeringFrom: string;
  /**
   * Whether unfinished work is pushed while the coding agent works. On a pull request each push starts reviewers and
   * builds.
   */
  readonly isSavedEarly?: boolean;
}

/** Work that goes to a branch. The copy stays until its user removes it: a run that was stopped goes on in it. */
export async function workInCopy<T>(
  context: CodingContext,
  to: Destination,
  work: CodingWork<T>,
): Promise<Coded<T, Left>> {
  const { models, runId, workspaces } = context;
  await finishPush(context, to);
  // A resumed run needs no copy for work that its agent has already done.
  const known = await models.recall<T, Left>(work.role, work.call);
  if (known !== null) return known;
  const { last } = await readPushesOf(context, to);
  // A run that was stopped goes on from what it had pushed by then.
  const start = last ?? work.start;
  const name = copyNameOf(runId, to.task);
  const workspace = await workspaces.open(name, start, work.steeringFrom);
  await prepareCopy(context, { name, folder: workspace.folder });
  const { role, call, instructions, tools, turnLimit, purpose } = work;
  const task = await work.describe(start);
  try {
    return await models.code(
      {
        ...{ role, call, instructions, task, tools, turnLimit, purpose },
        ...{ folder: workspace.folder, start: workspace.base },
        ...(work.isSavedEarly === true ? { saveProgress: makeEarlySaver(context, to, workspace) } : {}),
        lookAfter: async (): Promise<Left> => ({ start, snapshot: await workspaces.takeSnapshot(workspace) }),
      },
      work.schema,
    );
  } catch (error) {
    if (!isPause(error)) await saveUnfinished(context, to, workspace);
    throw error;
  }
}

/**
 * Work of which nothing is kept unless it is finished: in a new copy of the commit, which is removed afterwards. The
 * caller judges what was found in the copy, and takes from it what it needs.
 */
export async function workApart<T, L>(
  { models, workspaces }: Pick<CodingContext, 'models' | 'workspaces'>,
  name: string,
  work: CodingWork<T>,
  how: {
    /** Makes the copy ready before the agent begins. */
    readonly prepare?: (folder: string) => Promise<void>;
    readonly look: (workspace: Workspace) => Promise<L>;
  },
): Promise<Coded<T, L>> {
  // What a run that was cut off left half done is begun anew.
  await workspaces.remove(name);
  const { role, call, instructions, tools, turnLimit, purpose, start } = work;
  const known = await models.recall<T, L>(role, call);
  if (known !== null) return known;
  try {
    const workspace = await workspaces.open(name, start, work.steeringFrom);
    await how.prepare?.(workspace.folder);
    const task = await work.describe(start);
    return await models.code(
      {
        ...{ role, call, instructions, task, tools, turnLimit, purpose },
        ...{ folder: workspace.folder, start: workspace.base },
        lookAfter: () => how.look(workspace),
      },
      work.schema,
    );
  } finally {
    await workspaces.remove(name);
  }
}

export function workAside<T>(
  context: Pick<CodingContext, 'models' | 'workspaces'>,
  name: string,
  work: CodingWork<T>,
): Promise<Coded<T, Left>> {
  const look = async (workspace: Workspace): Promise<Left> => ({
    start: work.start,
    snapshot: await context.workspaces.takeSnapshot(workspace),
  });
  return workApart(context, name, work, { look });
}
