/**
 * A copy of the repository in which a coding agent works. What the agent does to the copy's own git counts for nothing:
 * its files are taken from it, with our own git, and only what was checked becomes a commit.
 */
import type { ChangedPath } from '../domain/changes/change-risk.ts';
import type { FoundSecret } from '../domain/changes/find-secrets.ts';

export interface Workspace {
  /** Where the agent works. */
  readonly folder: string;
  /** The commit that it began from. */
  readonly base: string;
  /** The commit that the files which steer agents and builds were taken from; absent: the same. */
  readonly steeringFrom?: string;
}

export interface Snapshot {
  /** The tree of everything that is there now, without what git ignores and without everything that is named below. */
  readonly tree: string;
  /** Against the base. */
  readonly files: readonly ChangedPath[];
  /** What the agent did to files that steer agents and builds, which is not taken over. */
  readonly leftOut: readonly string[];
  /**
   * What cannot be taken over, as sentences: nested repositories, links that leave the tree, names that no other machine
   * could check out, what is no file, what is too large. It is not in the tree, where such paths are as they were before.
   */
  readonly problems: readonly string[];
  /** Keys and passwords; the files that hold them are not in the tree either. */
  readonly secrets: readonly FoundSecret[];
}

/** One path that git could not merge by itself. */
export interface MergeConflict {
  readonly path: string;
  /** What git calls the conflict, such as `contents` or `modify/delete`; several when several things are wrong. */
  readonly kinds: readonly string[];
  /** Whether the path is an ordinary file on every side that has it; not a link and not a repository. */
  readonly isFile: boolean;
}

export interface ConflictedMerge {
  /** The merged tree; files whose contents conflict hold git's markers, named after the two commits. */
  readonly tree: string;
  readonly conflicts: readonly MergeConflict[];
}

export interface NewCommit {
  readonly tree: string;
  readonly parent: string;
  /** A second parent: the commit that this one merges in. */
  readonly merged?: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** ISO 8601; given, so that making it again gives the same commit. */
  readonly at: string;
}

export interface Workspaces {
  /**
   * Makes a copy at a commit, or finds the one made before, in the state in which an agent left it. Files that steer
   * agents and builds are those of `steeringFrom`.
   */
  open(name: string, at: string, steeringFrom: string): Promise<Workspace>;
  /**
   * What the agent has left; all of its processes must have ended. Steering files are taken from the base, not from the
   * copy.
   */
  takeSnapshot(workspace: Workspace): Promise<Snapshot>;
  /**
   * What is there while the agent still works. Null when the snapshot could be led out of the folder by a link that the
   * agent makes meanwhile. A file that is just being written may be there in part.
   */
  takeEarlySnapshot(workspace: Workspace): Promise<Snapshot | null>;
  /**
   * What a commit changes since it parted from another: the changes of the whole branch, without those of its base
   * since then.
   */
  listChanges(base: string, commit: string): Promise<readonly ChangedPath[]>;
  /** The unified diff from a commit to a tree or commit, cut to a length. */
  diff(from: string, to: string, longest: number): Promise<string>;
  /** The text of a file in a tree or commit; null when it is not there or not text. */
  readFile(treeish: string, path: string): Promise<string | null>;
  /** The tree that merging one commit into another gives; null when they conflict. */
  mergeTrees(into: string, commit: string): Promise<string | null>;
  /** The same merge with its conflicts marked in the files, for an agent to settle; null when there are none. */
  mergeWithMarkers(into: string, commit: string): Promise<ConflictedMerge | null>;
  commit(commit: NewCommit): Promise<string>;
  remove(name: string): Promise<boolean>;
}
