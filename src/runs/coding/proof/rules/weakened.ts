/** A place where a change makes tests or checks weaker, or could: for a person to look at. */
export interface Weakened {
  readonly path: string;
  /** In the new file; where something was removed, the place where it was. */
  readonly line: number;
  readonly kind:
    | 'test-file-removed'
    | 'test-removed'
    | 'test-skipped'
    | 'assertion-removed'
    | 'assertion-weakened'
    | 'test-cut-short'
    | 'report-printed'
    | 'threshold-lowered'
    | 'runner-configured'
    | 'runner-replaced'
    | 'failure-ignored'
    | 'check-changed';
  /** One sentence. May hold text of the change. */
  readonly message: string;
}
