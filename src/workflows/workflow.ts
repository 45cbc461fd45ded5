/**
 * What a workflow is that events start and continue: a manifest with its triggers, and code that handles one event. Its
 * runs live longer than one event: they wait at gates, and people answer there. The fleet loops over the list in
 * `workflows.ts` and knows no workflow by name.
 */
import type { WorkflowName } from '../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { AnyEventTrigger } from '../domain/fleet/trigger.ts';
import type { RunRequest, RunResult, RunStatus, RunSummary, StopReason } from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import type { Fence } from '../ports/ledger.ts';
import type { Progress } from '../ports/progress.ts';
import type { Drivable } from '../runs/graph/standing.ts';
import type { FleetTools } from '../runs/house.ts';
import type { PlayedContext } from '../runs/tapes/play-context.ts';
import type { Conclusion } from '../runs/tapes/session-tape.ts';

/** A run as the fleet shows it while it works. */
export interface WorkflowRun {
  readonly id: string;
  readonly subject: Subject;
  readonly request: Extract<RunRequest, { readonly workflow: WorkflowName }>;
}

export interface WorkflowManifest<N extends WorkflowName = WorkflowName> {
  readonly name: N;
  readonly purpose: string;
  readonly triggers: readonly AnyEventTrigger[];
  /** Its runs cannot be forked: how a person has one continued in another way. */
  readonly insteadOfFork: string;
  /** The chain of its runs about an issue, of which one at a time is open. */
  readonly subjectOf: (repository: string, number: number) => Subject;
}

export interface WorkflowOutcome {
  readonly run: WorkflowRun;
  readonly status: RunStatus;
  readonly reason: StopReason;
  readonly result: RunResult | null;
}

/** Under which login it works, and who is told what it does. */
export interface WorkflowSession {
  readonly own: string;
  readonly signal?: AbortSignal;
  readonly onStart?: (run: WorkflowRun, isResumed: boolean) => void;
  readonly progressOf?: (run: WorkflowRun) => Progress;
}

/** A graph that is played again, and what its last state means. */
interface PlayedGraph<State = unknown> {
  readonly graph: Drivable<State>;
  conclude(state: State): Conclusion;
}

export interface Workflow {
  readonly name: WorkflowName;
  /**
   * Starts a run for the event, or continues the one that it is about. May be called again for the same event. Null when
   * nothing follows from it. Throws `lease-held` when another process works on it.
   */
  handle(tools: FleetTools, event: FleetEvent, session: WorkflowSession): Promise<WorkflowOutcome | null>;
  /**
   * Continues a run that stopped, without an event. Null when only a person may continue it. @param isAsked whether a
   * person asks for it here, such as by an answer to its gate
   */
  resume(
    tools: FleetTools,
    run: RunSummary,
    session: WorkflowSession,
    isAsked?: boolean,
  ): Promise<WorkflowOutcome | null>;
  /** Trying again has not helped: from now on it waits for a person, who is told on the forge. */
  giveUp(tools: FleetTools, run: RunSummary, times: number, session: WorkflowSession): Promise<void>;
  /** Undoes what only the run itself would have undone, when a person cancels it. */
  tidyUp?(tools: FleetTools, run: RunSummary, fence: Fence): Promise<void>;
  /** Its graph with a context that answers from a recording, so that nothing outside is read or changed. */
  openReplay(context: PlayedContext): Promise<PlayedGraph>;
}

/** The key of the first entry of a run that an event started: a repeated delivery starts no second run. */
export function workflowRunKey({ delivery }: Pick<FleetEvent, 'delivery'>, workflow: WorkflowName): string {
  return `${delivery}/${workflow}`;
}
