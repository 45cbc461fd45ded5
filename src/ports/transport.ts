/** Carries commits to the forge and from it. It touches none of the person's branches, work trees or remotes. */

/** What agents get: it fetches commits, and cannot change anything on the forge. */
export interface FetchTransport {
  /**
   * Makes sure that a commit is among the objects of the local repository, where git does not clear it away; returns it.
   * The hint says where it is known to be, for forges that hand out by name only.
   */
  fetchCommit(
    repository: string,
    commit: string,
    hint: { readonly pullRequest?: number; readonly branch?: string },
  ): Promise<string>;

  /** The newest commit of a branch on the forge, fetched. */
  fetchBranch(repository: string, branch: string): Promise<string>;
}

export interface Transport extends FetchTransport {
  /**
   * Moves a branch of the forge to a commit, from `expected` and from nowhere else (null: it must not exist), or refuses
   * with `head-moved`. What `expected` names may be rewritten. A branch that is there already is left and fine.
   */
  pushBranch(
    repository: string,
    push: { readonly branch: string; readonly commit: string; readonly expected: string | null },
  ): Promise<void>;
}
