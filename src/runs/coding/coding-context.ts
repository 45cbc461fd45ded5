/**
 * What a run needs in order to change code. The context of an agent has all of it, and a workflow puts its own together.
 * What is special to an agent or a workflow (texts, labels, where work begins, the message of a commit) is passed in.
 */

import type { FleetSettings } from '../../domain/fleet/fleet-settings.ts';
import type { FleetEntryData } from '../../domain/ledger/fleet-entries.ts';
import type { CommandRunner } from '../../ports/command-runner.ts';
import type { Effects } from '../../ports/effects.ts';
import type { ForgeReader } from '../../ports/forge/forge-reader.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import type { Coder } from './coder.ts';

/** The entries that changing code adds to the ledger beside effects and model calls. */
type CodingEntryKind = 'command-verified' | 'change-proven' | 'copy-prepared' | 'work-pushed';

type CodingEntry = {
  [K in CodingEntryKind]: { readonly kind: K; readonly key: string; readonly data: FleetEntryData[K] };
}[CodingEntryKind];

export interface CodingContext {
  readonly runId: string;
  /** Name of the repository on the forge. */
  readonly repository: string;
  /** The login under which we act: the author of commits. */
  readonly own: string;
  /** The time of commits, so that the same work gives the same commit after a crash. */
  readonly startedAt: Date;
  readonly settings: Pick<FleetSettings, 'setup' | 'setupHosts'>;
  readonly models: Coder;
  readonly workspaces: Pick<
    Workspaces,
    'open' | 'takeSnapshot' | 'takeEarlySnapshot' | 'readFile' | 'commit' | 'remove'
  >;
  readonly commands: CommandRunner;
  readonly effects: Pick<Effects, 'perform'>;
  readonly forge: Pick<ForgeReader, 'getBranch'>;
  readonly ledger: Pick<Ledger, 'readRun' | 'find' | 'getText' | 'putText'>;
  readonly progress: Progress;
  /** Writes down on the chain of the run's subject; a second entry with the same key changes nothing. */
  record(entry: CodingEntry): Promise<void>;
}

/** A branch that work is pushed to, and what its commits say. */
export interface Destination {
  /**
   * Names one piece of work among the others of the same run, such as `US-003`; left out where a run has only one. Each
   * piece has a copy, pushes and a start of its own.
   */
  readonly task?: string;
  /** The issue that the work is for. */
  readonly issue: number | null;
  readonly branch: string;
  /** Where the branch was when this piece of work began; null when there was none. */
  readonly expected: string | null;
  /** The message of its commit; work that is not whole says so. */
  readonly message: (isWhole: boolean) => string;
}

/** What was found in a copy, and the commit that it is compared with. */
export interface Left {
  readonly start: string;
  readonly snapshot: Awaited<ReturnType<Workspaces['takeSnapshot']>>;
}

/** The name of the copy that a piece of work is done in. */
export function copyNameOf(runId: string, task?: string): string {
  return task === undefined ? runId : `${runId}-${task}`;
}
