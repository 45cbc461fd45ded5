/** Looks into commits that runs have made, wherever their repositories are. */
export interface CommittedFiles {
  /**
   * Those of the paths that the commit holds with another content than expected, line ends apart. What cannot be seen (the
   * folder or the commit is gone, the path is not in it) is not among them.
   */
  findDiffering(
    root: string,
    commit: string,
    expected: ReadonlyMap<string, string>,
  ): Promise<readonly string[]>;
}
