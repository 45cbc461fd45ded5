/** What the ledger records of loops. A task passed, and a plan is approved, when an entry here says so. */
import type { Sha256 } from '../hash.ts';

export interface LoopEntryData {
  /** A person approved a plan. Verify commands that are not in it are not run. */
  'loop-plan-approved': {
    readonly issue: number;
    /** What the planner proposed. */
    readonly plan: Sha256;
    /** The commands and hosts that it grants. */
    readonly grants: Sha256;
    readonly by: string;
  };
  /** One attempt at a task, judged by the commands that were run on its commit. */
  'task-judged': {
    readonly task: string;
    readonly attempt: number;
    readonly passed: boolean;
    /** The commit of the task on the branch; null when it failed. */
    readonly commit: string | null;
    /** Everything that the agent was told. */
    readonly context: Sha256;
    /** Why it failed, or what was noted. */
    readonly reasons: readonly string[];
  };
  /** A person's word that a loop is closed before every task has passed and was tested. */
  'loop-closed-early': {
    readonly by: string;
    /** Empty when no reason was given. */
    readonly why: string;
    /** The tasks that have not passed. */
    readonly open: readonly string[];
    /** Whether a person has tested it. */
    readonly tested: boolean;
  };
  /** A person's word that it works as it is, although an agent was to mend something. */
  'debugging-dropped': {
    readonly by: string;
    /** What was to be mended. */
    readonly description: string;
    /** The comment in which they said so; missing at a terminal. */
    readonly comment?: number;
  };
  /** A person made a hint last, as a discovery note or as a task. */
  'wisp-promoted': {
    readonly wisp: string;
    readonly to: 'note' | 'task';
    /** The task that it became. */
    readonly task: string | null;
    readonly by: string;
  };
  /** A person's word that a task counts as passed: by a command, or by a change of prd.json that was pushed. */
  'task-skipped': { readonly task: string; readonly by: string; readonly why: string };
}
