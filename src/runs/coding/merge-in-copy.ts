/**
 * A coding agent settles a merge that git cannot finish. It gets a copy of the merged files with git's markers in them.
 * What it leaves is looked at twice: against the marked files, as any work is, and against the base as a whole, so that
 * nothing gets in by way of the merge that could not get in as work. Nothing is pushed here, and nothing that is not
 * settled is kept.
 */
import type { ConflictedMerge, Snapshot } from '../../ports/workspace.ts';
import type { Coded } from '../ask-coder.ts';
import type { CodingContext } from './coding-context.ts';
import { findObstacle } from './find-obstacle.ts';
import { prepareCopy } from './prepare-copy.ts';
import { commitTree } from './push-work.ts';
import { type CodingWork, workApart } from './work-in-copy.ts';

export interface OpenMerge extends ConflictedMerge {
  /** The commit that the other one is merged into: the head of a branch. */
  readonly head: string;
  /** The commit that is merged in; files that steer builds and agents are those of it. */
  readonly base: string;
}

export interface LeftMerge {
  /** Against the files with markers: the tree that becomes the merge. */
  readonly snapshot: Snapshot;
  /** The same files against the base. */
  readonly whole: Pick<Snapshot, 'files' | 'problems' | 'secrets'>;
}

type MergeWork<T> = Omit<CodingWork<T>, 'start' | 'steeringFrom' | 'isSavedEarly'>;

export async function mergeInCopy<T>(
  context: CodingContext,
  { head, base, tree }: OpenMerge,
  work: MergeWork<T>,
): Promise<Coded<T, LeftMerge>> {
  const { workspaces, runId } = context;
  const name = `${runId}-merge`;
  const message = 'Conflicts that are not settled yet\n';
  const start = await commitTree(context, { tree, parent: head, merged: base, message });
  return workApart(
    context,
    name,
    { ...work, start, steeringFrom: base },
    {
      prepare: (folder) => prepareCopy(context, { name, folder }),
      look: async (workspace) => {
        const snapshot = await workspaces.takeSnapshot(workspace);
        const { files, problems, secrets } = await workspaces.takeSnapshot({ ...workspace, base });
        return { snapshot, whole: { files, problems, secrets } };
      },
    },
  );
}

/** Throws when something in it must not get onto the forge. */
export function scanMerge({ snapshot, whole }: LeftMerge): void {
  const obstacle = findObstacle(snapshot) ?? findObstacle(whole);
  if (obstacle !== null) throw obstacle;
}

/** Files of the result that still hold one of git's markers of this merge. */
export async function listUnsettled(
  { workspaces }: { readonly workspaces: Pick<CodingContext['workspaces'], 'readFile'> },
  { head, base, conflicts }: OpenMerge,
  { snapshot, whole }: LeftMerge,
): Promise<string[]> {
  // The markers carry the ids of the commits, so that a text about conflicts is not taken for one.
  const marker = new RegExp(`^(?:<{7,} ${head}|>{7,} ${base})`, 'mu');
  const paths = new Set([...conflicts, ...whole.files, ...snapshot.files].map(({ path }) => path));
  const unsettled: string[] = [];
  for (const path of paths) {
    const text = await workspaces.readFile(snapshot.tree, path);
    if (text !== null && marker.test(text)) unsettled.push(path);
  }
  return unsettled;
}
