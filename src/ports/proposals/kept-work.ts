/**
 * What a run has made in git and put on no branch yet, kept where another machine finds it. Only there for runs that go
 * from machine to machine: elsewhere the objects of the repository stay where they are.
 */

/** A commit, or the files that a coding agent left, which follow from one. */
export type MadeWork = { readonly commit: string } | { readonly start: string; readonly tree: string };

export interface KeptWork {
  /** What was kept of the run is among the objects here afterwards. */
  bring(run: string): Promise<void>;
  /** Only the process that holds the lease of the run keeps anything of it. */
  keep(run: string, made: MadeWork): Promise<void>;
  /** The run has ended: nothing of it is needed any more. Never fails. */
  drop(run: string): Promise<void>;
}
