/** Something that keeps a run, an issue or a pull request from moving: who can change it, and how. */
export interface Condition {
  readonly what: string;
  readonly who: string;
  readonly command: string;
  /** What has to be put right first, where only resuming would not help. */
  readonly advice?: string;
}
