/**
 * Trees of files among the objects of the local repository: looked at, compared and put together without a work tree, so
 * that nothing in them can act (no attributes, no filters, no hooks) and no branch or file of the person is touched.
 */
import type { ChangedPath } from '../domain/changes/change-risk.ts';
import type { UnsafeFile } from '../domain/changes/judge-tree.ts';
import type { TreeFile } from '../domain/changes/tree-file.ts';

export interface Trees {
  /** Every file of a tree or commit, sorted by path. */
  listFiles(treeish: string): Promise<TreeFile[]>;
  listChanges(from: string, to: string): Promise<ChangedPath[]>;
  /** Links that leave the tree, repositories in the repository, invalid names; only those that `than` does not have. */
  findUnsafe(treeish: string, than: string | null): Promise<UnsafeFile[]>;
  /** A tree with these paths as they are in `from`, or removed where they are not there; the rest as in `base`. */
  takePaths(base: string, from: string, paths: readonly string[]): Promise<string>;
  /** A tree with these ordinary files written, or removed where the text is null; the rest as in `base`. */
  putFiles(
    base: string,
    files: readonly { readonly path: string; readonly text: string | null }[],
  ): Promise<string>;
  /** Merges the files of these paths, which have to be in all three; the tree holds them alone, those in conflict left out. */
  mergePaths(
    base: string,
    ours: string,
    theirs: string,
    paths: readonly string[],
  ): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }>;
  /** The tree of a commit. */
  treeOf(commit: string): Promise<string>;
  hasCommit(commit: string): Promise<boolean>;
  /** The newest commit that both come of; null when they have nothing in common. */
  findMergeBase(one: string, other: string): Promise<string | null>;
}
