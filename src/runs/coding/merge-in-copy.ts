/**
 * A coding agent settles a merge that git cannot finish. It gets a copy of the merged files with git's markers in them.
 * What it leaves is looked at twice: against the marked files, as any work is, and against the base as a whole, so that
 * nothing gets in by way of the merge that could not get in as work. Nothing is pushed here, and nothing that is not
 * settled is kept.
 */
import type { ChangedPath } from '../../domain/changes/change-risk.ts';
import { hasMarkersLeft } from '../../domain/changes/conflict-markers.ts';
import type { Trees } from '../../ports/trees.ts';
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

const pathsOf = ({ path, previousPath }: ChangedPath): string[] =>
  previousPath === null ? [path] : [path, previousPath];

const plainKinds: ReadonlySet<ChangedPath['is']> = new Set(['file', 'program']);

/**
 * Files whose conflict is not settled: those that the agent left as git marked them, also when one side deleted the
 * file; those that are no text any more; and all files with a line that looks like a marker and is in neither side.
 */
export async function listUnsettled(
  { workspaces }: { readonly workspaces: Pick<CodingContext['workspaces'], 'readFile'> },
  { head, base, tree, conflicts }: OpenMerge,
  { snapshot }: Pick<LeftMerge, 'snapshot'>,
): Promise<string[]> {
  const inConflict = new Set(conflicts.map(({ path }) => path));
  const touched = new Set(snapshot.files.flatMap(pathsOf));
  const now = new Map(snapshot.files.map(({ path, is }) => [path, is]));
  const isUnsettled = async (path: string): Promise<boolean> => {
    if (!touched.has(path)) return true;
    const kind = now.get(path) ?? null;
    if (kind === null) return false;
    const text = plainKinds.has(kind) ? await workspaces.readFile(snapshot.tree, path) : null;
    if (text === null) return inConflict.has(path);
    const [ours, theirs, marked] = [
      await workspaces.readFile(head, path),
      await workspaces.readFile(base, path),
      await workspaces.readFile(tree, path),
    ];
    return hasMarkersLeft(text, { ours, theirs, marked });
  };
  const unsettled: string[] = [];
  for (const path of new Set([...inConflict, ...touched])) if (await isUnsettled(path)) unsettled.push(path);
  return unsettled;
}

export interface MixedMerge {
  /** What the agent settled, and all other files as git merged them, but for those that it had to change too. */
  readonly tree: string;
  /** Changed by the agent although they were not in conflict; they are as the base has them again. */
  readonly putBack: readonly string[];
  /** Changed by the agent although they were not in conflict: files of the pull request, and new ones. */
  readonly alsoChanged: readonly string[];
}

/**
 * An agent settles the files in conflict. What only the base brought is not its to change: it is put back as git merged
 * it. A file that the pull request changes too may have to follow, so that stays; the caller shows it to a person.
 */
export async function keepToConflicts(
  { trees }: { readonly trees: Pick<Trees, 'listChanges' | 'takePaths'> },
  { base, tree, conflicts }: OpenMerge,
  { snapshot }: Pick<LeftMerge, 'snapshot'>,
): Promise<MixedMerge> {
  const inConflict = new Set(conflicts.map(({ path }) => path));
  const isOutside = (path: string): boolean => !inConflict.has(path);
  const ofBranch = new Set((await trees.listChanges(base, tree)).flatMap(pathsOf));
  // What was there before it: the old name of a renamed file, and no new file.
  const before = snapshot.files.flatMap(({ path, previousPath, was }) =>
    previousPath !== null ? [previousPath] : was === null ? [] : [path],
  );
  const putBack = before.filter((path) => isOutside(path) && !ofBranch.has(path));
  const mixed = await trees.takePaths(snapshot.tree, tree, putBack);
  const left = await trees.listChanges(tree, mixed);
  const alsoChanged = [...new Set(left.flatMap(pathsOf))].filter(isOutside);
  return { tree: mixed, putBack, alsoChanged };
}
