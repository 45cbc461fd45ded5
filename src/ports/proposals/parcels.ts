/** Trees of files, carried from one machine to another one, and checked there before anything of them is used. */

/** The files that a coding agent left, as a tree that follows from a commit. */
export interface LeftTree {
  readonly start: string;
  readonly tree: string;
}

/** Objects from elsewhere, kept apart from those of the repository. */
export interface OpenParcel {
  /** Makes the files of a copy those of the tree, but for files that steer agents and builds. */
  restore(left: LeftTree, folder: string): Promise<void>;
  close(): Promise<void>;
}

export interface Parcels {
  /** Whether work could be packed here; fails otherwise, before anything is paid for. */
  checkPacking(base: string): Promise<void>;
  /**
   * What the trees need beyond the commit `base`, in base64; null where there is none. Where that commit is not here, what
   * they need beyond the commits that they follow from.
   */
  pack(base: string, all: readonly LeftTree[]): Promise<string | null>;
  /**
   * Opens one in quarantine. Fails with `proposal-refused` when it is damaged, does not hold the trees whole, or when a
   * tree could not be taken over from any author: paths and links that leave it, steering files, sizes.
   */
  open(base: string, parcel: string | null, all: readonly LeftTree[]): Promise<OpenParcel>;
}
