/** What the forge contract needs of an adapter to try it. */
import type { CheckState, Forge, Permission, WorkflowRun } from '../../src/ports/forge/forge.ts';
import type { GitStore } from '../support/git-store.ts';

/** A run of a workflow as a test wants it to have been. */
export interface SeededRun extends Pick<WorkflowRun, 'name' | 'headSha' | 'branch' | 'event' | 'status'> {
  readonly conclusion: CheckState | null;
  readonly jobs?: readonly {
    readonly name: string;
    readonly steps: readonly {
      readonly name: string;
      readonly conclusion: 'success' | 'failure' | 'skipped';
      /** What the step printed. */
      readonly log: string;
    }[];
  }[];
}

/** Who is who, on forges where the suite may choose. */
export const actors = {
  none: 'nobody',
  read: 'reader',
  triage: 'triager',
  write: 'writer',
  maintain: 'maintainer',
  admin: 'owner',
} as const;
export const bot = 'builder[bot]';

export interface ForgeWorld {
  /** Acts for the administrator. */
  readonly forge: Forge;
  forgeAs(actor: string): Forge;
  /** New and public, with README.md on `main`: nobody else files issues there meanwhile. */
  readonly repository: string;
  /** One login for each permission; the suite cannot choose logins on a real forge. */
  readonly actors: Readonly<Record<Permission, string>>;
  /** The login of a program, with write permission. */
  readonly bot: string;
  /** The commits of the repository, for making and looking at them past the forge. */
  readonly git: GitStore;
  seedCheckRun(
    sha: string,
    check: {
      readonly name: string;
      readonly state: CheckState;
      readonly description?: string;
      readonly url?: string;
    },
  ): Promise<void>;
  /** Returns its id. */
  seedWorkflowRun(run: SeededRun): Promise<number>;
  /** Lets enough time pass for the forge to give the next thing a later date. */
  pause(): Promise<void>;
  close(): Promise<void>;
}
