/** What a coding agent left becomes a commit on a branch of the forge, once it was looked at. */
import type { CodingContext, Destination, Left } from './coding-context.ts';
import { findObstacle } from './find-obstacle.ts';
import { commitWork, pushCommit, takeBack } from './push-work.ts';

/**
 * Stops the run when something must not get onto the forge. The rest of the work was paid for, so it is pushed to the
 * branch.
 */
export async function scanWork(context: CodingContext, to: Destination, left: Left): Promise<void> {
  const obstacle = findObstacle(left.snapshot);
  if (obstacle === null) return;
  if (left.snapshot.files.length > 0)
    await pushCommit(context, to, await commitWork(context, to, left, false));
  throw obstacle;
}

/**
 * Scans, commits and pushes. Returns the commit that the branch is at: where the work began if nothing was changed in the
 * end. A run that verifies before it pushes does these steps itself.
 */
export async function collectWork(
  context: CodingContext,
  to: Destination,
  left: Left,
  isWhole: boolean,
): Promise<string> {
  await scanWork(context, to, left);
  if (left.snapshot.files.length === 0) {
    await takeBack(context, to, left.start);
    return left.start;
  }
  const commit = await commitWork(context, to, left, isWhole);
  await pushCommit(context, to, commit);
  return commit;
}
