/**
 * What an agent of the fleet is, and everything that it works with. An agent reads facts, asks models, decides, and
 * hands over effects. Its process may be killed at any line; the same run then starts again from the top. So each
 * effect happens once by its key, answers of models are remembered, and the facts behind a decision are gathered with
 * `once`: the second attempt decides as the first did.
 */
import type { z } from 'zod';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { FleetSettings } from '../domain/fleet/fleet-settings.ts';
import type { Condition } from '../domain/ledger/condition.ts';
import type { FleetEntryData, Handoff, RefusalReason } from '../domain/ledger/fleet-entries.ts';
import type { AgentRequest, RunResult } from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import type { GatewrightError } from '../errors.ts';
import type { CommandRunner } from '../ports/command-runner.ts';
import type { Effects } from '../ports/effects.ts';
import type { ForgeIssue } from '../ports/forge/forge.ts';
import type { ForgeReader } from '../ports/forge/forge-reader.ts';
import type { Ledger, RunViews } from '../ports/ledger.ts';
import type { Progress } from '../ports/progress.ts';
import type { Prompts } from '../ports/prompts.ts';
import type { TemplateSource } from '../ports/template-source.ts';
import type { FetchTransport } from '../ports/transport.ts';
import type { Trees } from '../ports/trees.ts';
import type { Workspaces } from '../ports/workspace.ts';
import type { Coder } from '../runs/coding/coder.ts';

/** The entries that an agent writes itself; the run writes the other kinds for it. */
type OwnEntryKind =
  | 'command-verified'
  | 'change-proven'
  | 'copy-prepared'
  | 'plan-proposed'
  | 'plan-approved'
  | 'strategy-chosen'
  | 'work-pushed'
  | 'pull-request-made'
  | 'work-summarised'
  | 'code-reviewed'
  | 'merge-granted'
  | 'merge-rejected'
  | 'conflict-met'
  | 'merge-waits'
  | 'finding-dismissed'
  | 'limit-reached'
  | 'failure-diagnosed'
  | 'template-synced';

export type OwnEntry = {
  [K in OwnEntryKind]: { readonly kind: K; readonly key: string; readonly data: FleetEntryData[K] };
}[OwnEntryKind];

/** A question to a model: it gets text and returns text or data. */
interface Question {
  /** What it is asked to be, such as `reviewer`. */
  readonly role: string;
  /**
   * The number of this question in its role, counted over the whole life of the subject: recordings tell the questions
   * apart by it.
   */
  readonly call: number;
  readonly instructions: string;
  readonly text: string;
  /** What the question is for, in words for the person who watches the run. */
  readonly purpose: string;
}

/**
 * Models as an agent uses them: calls stay within the budget, are recorded in the ledger, and are never paid for twice.
 */
export interface Models extends Coder {
  /** How to speak of them. */
  readonly titleOf: (who: 'coder' | 'reviewer' | 'writer') => string;
  askForText(who: 'reviewer' | 'writer', question: Question): Promise<string>;
  askForObject<T>(who: 'reviewer' | 'writer', question: Question, schema: z.ZodType<T>): Promise<T>;
}

export interface AgentContext<E extends FleetEvent = FleetEvent> {
  readonly runId: string;
  readonly subject: Subject;
  readonly request: AgentRequest;
  readonly event: E;
  /** Name of the repository on the forge. */
  readonly repository: string;
  /** The login under which we act. */
  readonly own: string;
  /** When the run was started: what is counted in days is counted from here, also after a crash. */
  readonly startedAt: Date;
  readonly settings: FleetSettings;
  readonly forge: ForgeReader;
  readonly effects: Effects;
  readonly models: Models;
  readonly prompts: Prompts;
  readonly workspaces: Workspaces;
  readonly trees: Trees;
  readonly templates: TemplateSource;
  /** Commits are fetched; what moves a branch is an effect. */
  readonly transport: FetchTransport;
  readonly commands: CommandRunner;
  readonly ledger: Pick<
    Ledger,
    'readWork' | 'readTold' | 'readRun' | 'readState' | 'find' | 'getText' | 'putText'
  >;
  readonly views: Pick<RunViews, 'listRuns' | 'listWaiting' | 'costSince'>;
  readonly progress: Progress;
  /** Done once in the life of the run; a run that is taken up again gets what was found the first time. JSON only. */
  once<T>(step: string, produce: () => Promise<T>): Promise<T>;
  /**
   * Does work that only one run at a time may do, whatever the subjects of the runs. While another run does such work,
   * this run stops and is resumed later. Before each change that two runs must not both make, the work checks that this
   * run still has the right to.
   */
  withLease<T>(subject: Subject, work: (checkStillHeld: () => Promise<void>) => Promise<T>): Promise<T>;
  /** Writes an entry to the subject's chain; a second entry with the same key changes nothing. */
  record(entry: OwnEntry): Promise<void>;
}

/** How an agent's run ends when nothing stopped it. */
export interface AgentEnd {
  /** What came of it, for lists. */
  readonly message: string;
  readonly result?: RunResult;
  readonly handoffs?: readonly Handoff[];
}

/** What a guard judges an event with. */
export interface GuardPlace {
  readonly forge: Pick<ForgeReader, 'getIssue' | 'permissionOf'>;
  readonly views: Pick<RunViews, 'listRuns'>;
  readonly settings: Pick<FleetSettings, 'bots' | 'loopLabels'>;
  readonly own: string;
}

/** What an agent needs to explain why a subject does not move. It only reads. */
export type ExplainPlace = Pick<
  AgentContext,
  'repository' | 'own' | 'settings' | 'forge' | 'ledger' | 'trees' | 'workspaces' | 'transport'
> & {
  /**
   * The end of every command that is shown to a person, so that the command uses the same database; empty for the usual
   * one.
   */
  readonly commandSuffix: string;
  /** The options that name the models of the last run about it; a command that starts agents names them again. */
  readonly modelOptions: string;
};

/** An open issue or pull request, which has the fields of an issue too. */
export interface ExplainedNumber {
  readonly issue: ForgeIssue;
  readonly isPullRequest: boolean;
  /** Whether a workflow has it, or made a pull request for it that is open: agents take no order about it meanwhile. */
  readonly isTaken: boolean;
}

export interface Explained {
  readonly conditions: readonly Condition[];
  /** Pull requests that were made for it: it moves when they do. */
  readonly movesWith?: readonly number[];
}

export interface Agent {
  readonly name: WorkerName;
  run(context: AgentContext): Promise<AgentEnd>;
  /**
   * Tells a person that a run was tried as often as it is and waits for them from now on. May be called again when it
   * failed.
   */
  tellGivenUp?(context: AgentContext, error: GatewrightError): Promise<void>;
  /** For an agent whose manifest says that it guards: what is wrong with an event; null when the event is accepted. */
  judge?(
    place: GuardPlace,
    event: FleetEvent,
  ): Promise<{ readonly because: RefusalReason; readonly detail: string } | null>;
  /** For an agent whose manifest says that it explains: what keeps the agent from doing its part. */
  explain?(place: ExplainPlace, explained: ExplainedNumber): Promise<Explained>;
}

/** The number that a run is about. Only agents whose events always have a number may call it. */
export function requireNumber(context: AgentContext): number {
  const { number } = context.request;
  if (number === null)
    throw new TypeError(`${context.request.agent} was started without an issue or pull request`);
  return number;
}
