/** The git work tree that a run belongs to: its files and its commits. Paths are relative to its root. */

export interface CommitRequest {
  readonly message: string;
  readonly paths: readonly string[];
  /** Put into the message as a trailer, so that the commit can be found again. */
  readonly marker: string;
}

export interface Repository {
  readonly root: string;
  /** The random name in its git folder, which moves with it; made when there is none. Null where it cannot be written. */
  identify(): Promise<string | null>;
  /** Whether a folder is a work tree of this repository, this one or another. */
  isOwnWorkTree(folder: string): Promise<boolean>;
  /** Text of a file, or null when it does not exist. */
  readText(path: string): Promise<string | null>;
  /** Names in a folder; empty when it does not exist. */
  listFolder(path: string): Promise<string[]>;
  exists(path: string): Promise<boolean>;
  /** All files that git has or could add, sorted; ignored files are not among them. */
  listFiles(): Promise<string[]>;
  /** Whether git has a link at this place: one that came with the repository, and not one that a person made here. */
  hasLink(path: string): Promise<boolean>;

  /** Makes a new file with all its content or not at all. False when a file is already there. */
  createFile(path: string, content: string): Promise<boolean>;
  /** New content for a file that is there, all of it or none. */
  replaceFile(path: string, content: string): Promise<void>;
  /** The user's settings for this repository, which are in its git directory; null when there are none. */
  readSettings(): Promise<string | null>;
  /** Makes them, or replaces all of them. */
  writeSettings(content: string): Promise<void>;

  /** Moves a file or folder. False when `from` is gone and `to` is there, as after an earlier move. */
  move(from: string, to: string): Promise<boolean>;
  /** Removes a folder of ours and all in it. */
  removeFolder(path: string): Promise<void>;

  /** Commits exactly these paths. */
  commit(request: CommitRequest): Promise<string>;
  /** The commit whose message carries the marker, among those since a moment (null: the newest 200), or null. */
  findCommit(marker: string, since: string | null): Promise<string | null>;

  /** The branch that is checked out, or null when none is. */
  currentBranch(): Promise<string | null>;

  /** Makes a detached work tree with nothing checked out, or finds the one made before. */
  makeWorktree(name: string): Promise<string>;
  removeWorktree(name: string): Promise<boolean>;

  /** What stands in the way of committing there: no identity, no commit yet, ignored folders … Empty when nothing. */
  checkReady(paths: readonly string[]): Promise<{ readonly problem: string; readonly fix: string }[]>;
}
