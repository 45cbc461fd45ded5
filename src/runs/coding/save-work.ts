/** Pushes unfinished work to its branch as well: it was paid for, and so little is lost with a machine. */
import { isPause } from '../../errors.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { CodingContext, Destination } from './coding-context.ts';
import { findObstacle } from './find-obstacle.ts';
import { commitWork, pushCommit, readPushesOf, takeBack } from './push-work.ts';

/** For one piece of work: a branch that moves again and again starts a build each time. */
const mostEarly = 12;

async function keepUnfinished({ progress }: CodingContext, keep: () => Promise<void>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    if (isPause(error)) throw error;
    // The run stops for another reason, or goes on; this is a warning only.
    const why = error instanceof Error ? error.message : String(error);
    progress({ kind: 'warning', message: `The unfinished work was not kept: ${why}` });
  }
}

/** Pushes the work so far while the agent still works. Each commit takes the place of the one before. */
export function makeEarlySaver(
  context: CodingContext,
  to: Destination,
  workspace: Workspace,
): () => Promise<void> {
  const { progress, startedAt, workspaces } = context;
  let lastTree = '';
  let lastObstacle: string | undefined;
  return async () => {
    const { count } = await readPushesOf(context, to);
    if (count >= mostEarly) return;
    await keepUnfinished(context, async () => {
      const snapshot = await workspaces.takeEarlySnapshot(workspace);
      if (snapshot === null) return;
      // The agent may still remove the obstacle; until then the rest is pushed.
      const obstacle = findObstacle(snapshot)?.message;
      if (obstacle !== undefined && obstacle !== lastObstacle)
        progress({ kind: 'warning', message: obstacle });
      lastObstacle = obstacle;
      if (snapshot.tree === lastTree) return;
      if (snapshot.files.length === 0 && lastTree === '') return;
      // A different time makes a different commit: without it, work that was undone and done again would give the
      // commit that was pushed before, and would not be pushed.
      const at = new Date(startedAt.getTime() + (count + 1) * 1000);
      await pushCommit(
        context,
        to,
        await commitWork(context, to, { start: workspace.base, snapshot }, false, at),
      );
      lastTree = snapshot.tree;
    });
  };
}

/** Work that its agent did not finish. */
export async function saveUnfinished(
  context: CodingContext,
  to: Destination,
  workspace: Workspace,
): Promise<void> {
  await keepUnfinished(context, async () => {
    const left = { start: workspace.base, snapshot: await context.workspaces.takeSnapshot(workspace) };
    const obstacle = findObstacle(left.snapshot);
    if (obstacle !== null) context.progress({ kind: 'warning', message: obstacle.message });
    if (left.snapshot.files.length === 0) return takeBack(context, to, left.start);
    await pushCommit(context, to, await commitWork(context, to, left, false));
  });
}
