/**
 * What the workflows have in common that work on one issue: a run of a graph that waits at gates, which people answer at a
 * terminal or on the issue. Each of them describes itself by an `IssueWorkflow`; how such a run is started, resumed and
 * driven is written once, beside this file.
 */
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import type { WorkflowName } from '../../domain/fleet/agent-names.ts';
import type { RunRequest, RunSummary } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Progress } from '../../ports/progress.ts';
import type { Dialogue } from '../../runs/gates/resolve-gate.ts';
import type { GraphOutcome } from '../../runs/graph/drive-graph.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { Conclusion, Recordable } from '../../runs/tapes/session-tape.ts';
import type { WorkflowManifest } from '../workflow.ts';
import type { SpokenAnswer } from './rules/spoken-answer.ts';

export type IssueRequest = Extract<RunRequest, { readonly workflow: WorkflowName }>;

/** A run that is being driven. */
export interface DrivenRun<R extends IssueRequest> {
  readonly id: string;
  readonly subject: Subject;
  readonly request: R;
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface RunSession {
  /** The login under which comments and commits are made. */
  readonly own: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
}

export interface DriveOptions extends RunSession {
  readonly dialogue: Dialogue;
  /** The person at this machine; their answers are recorded under this login. */
  readonly person: string;
  /** No person is at this machine: what they said on the forge is followed as far as it goes. */
  readonly isByFleet?: true;
}

export type DriveOutcome<R extends IssueRequest> = GraphOutcome<DrivenRun<R>>;

/** An answer on the forge. */
interface ForgeAnswer extends SpokenAnswer {
  readonly author: string;
  readonly said: NonNullable<GateAnswer['said']>;
}

/** An approval that does not count, with the reason. */
export interface VoidApproval {
  readonly author: string;
  readonly said: NonNullable<GateAnswer['said']>;
  readonly because: string;
  /** How the same text can still be approved; missing where it has to be posted again. */
  readonly remedy?: 'set-again' | 'comment';
}

export interface Heard {
  readonly answer: ForgeAnswer | null;
  readonly void: VoidApproval | null;
}

/** What follows at a gate from something that was said before. */
export interface FollowingAnswer {
  readonly choice: string;
  readonly feedback?: string;
  readonly actor: string;
  readonly by: 'person' | 'auto';
  readonly said?: NonNullable<GateAnswer['said']>;
}

/** The issue that a run works on, and the login that it works under. */
export interface HeardIssue {
  readonly number: number;
  readonly own: string;
  readonly run: string;
}

export interface IssueWorkflow<R extends IssueRequest, State, Context extends Recordable> {
  readonly manifest: WorkflowManifest<R['workflow']>;
  /** Completes "The … of #4". */
  readonly noun: string;
  readonly makeContext: (tools: FleetTools, run: DrivenRun<R>, session: RunSession, lease: Lease) => Context;
  readonly openGraph: (context: Context, checkpoints: BaseCheckpointSaver) => Promise<Drivable<State>>;
  readonly conclude: (run: Pick<DrivenRun<R>, 'request'>, state: State) => Conclusion;
  /** What each of its gates waits for. */
  readonly waitsFor: Readonly<Partial<Record<GateQuestion['kind'], string>>>;
  /** What people said on the issue to the question. */
  readonly hear: (tools: FleetTools, issue: HeardIssue, question: GateQuestion) => Promise<Heard>;
  /** Where no person is at the machine: what decides the question because of what was said before. */
  readonly followUp: (
    tools: FleetTools,
    run: Pick<DrivenRun<R>, 'id'>,
    question: GateQuestion,
  ) => Promise<FollowingAnswer | null>;
}

export type IssueRun<R extends IssueRequest> = RunSummary<R>;
