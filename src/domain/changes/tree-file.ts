/** A file in a tree of git: where it is, what it is, and the name of its content. */
export interface TreeFile {
  readonly path: string;
  readonly kind: 'file' | 'program' | 'link' | 'repository';
  /** Equal content has equal names. */
  readonly object: string;
}
