/** A run: one workflow or agent on one subject. Every status but `running` comes with a reason. */
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import { type AgentModels, writeModelOptions } from '../fleet/agent-models.ts';
import type { WorkerName, WorkflowName } from '../fleet/agent-names.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';
import type { Sha256 } from './hash.ts';
import type { Subject } from './subject.ts';

export type RunStatus = 'running' | 'waiting' | 'paused' | 'blocked' | 'failed' | 'done';

/** Why a run is not running, who can change that, and how. */
export interface StopReason {
  readonly code: ErrorCode | 'gate' | 'finished';
  readonly message: string;
  readonly owner: 'person' | 'time' | 'nobody';
  /** The command that continues it; empty when there is nothing to continue. */
  readonly resume: string;
  /** What to do about it, where it is something else than what the catalogue says of the code. */
  readonly advice?: string;
  /** Set for `paused`: when it may go on, ISO 8601. */
  readonly until?: string;
  /** Waiting has not helped, so that the run waits for a person; that person is told on the forge. */
  readonly isGivenUp?: true;
}

export const authoringWorkflows = ['issue', 'lld'] as const;

export type AuthoringWorkflow = (typeof authoringWorkflows)[number];

/** What every request for a run has, for workflows and agents. */
interface CommonRequest {
  /** For lists: the title of the brief, or the event that started the agent. */
  readonly title: string;
  /** Where that repository is; runs from before there was a choice have none, and are local. */
  readonly forge?: 'local' | 'github';
  /** The forge repository that the result goes to. */
  readonly repository: string;
  readonly root: string;
  /** The random name in the git folder of that repository; runs from before it was kept have none. */
  readonly home?: string;
  readonly dryRun: boolean;
}

/**
 * How a run was asked for; kept so that a resume behaves as the start did, except where its own options say otherwise.
 */
export interface AuthoringRequest extends CommonRequest {
  readonly workflow: AuthoringWorkflow;
  readonly slug: string;
  /** The brief, relative to the root when it is inside it, absolute otherwise; `#42` when it is an issue. */
  readonly brief: string;
  /** Of the brief's text, or of the issue's. */
  readonly briefHash: string;
  /** The issue that a design is made for. */
  readonly issue?: { readonly number: number; readonly url: string };
  /** What else the drafter is shown, such as the files there are; fixed at the start, so that prompts only grow. */
  readonly contextHash?: string;
  readonly drafter: string;
  readonly reviewer: string;
  readonly strict: boolean;
  readonly maxIterations: number;
  /** The file that a recording is written to whenever the run stops. */
  readonly record?: string;
  readonly fork?: RunFork;
}

/** One run of an agent of the fleet, started by one event. */
export interface AgentRequest extends CommonRequest {
  readonly workflow: 'agent';
  readonly agent: WorkerName;
  /** The delivery of the event that started it. */
  readonly delivery: string;
  /** The issue or pull request that it works on; null when it is about the repository or a commit. */
  readonly number: number | null;
  /** The models that the command line named; a command that continues the run names them again. */
  readonly models?: Readonly<Partial<AgentModels>>;
  readonly fork?: AgentFork;
}

/** What a fork of an agent's run takes over, and what is changed in it. */
export interface AgentFork {
  /** The run that it was forked from. */
  readonly run: string;
  /** The question to a model before which everything is taken over, such as `reviewer#1`. */
  readonly step: string;
  /** What the model is told besides its instructions. */
  readonly prompt?: Sha256;
}

/** One issue from its plan to its pull request, task by task. */
export interface LoopRequest extends CommonRequest {
  readonly workflow: 'loop';
  /** The issue. */
  readonly number: number;
  /** The questions about the scope are left out. */
  readonly isQuick: boolean;
  /** The delivery of the event that started it; missing when a command did. */
  readonly delivery?: string;
  /** The models that the command line named; a command that continues the run names them again. */
  readonly models?: Readonly<Partial<AgentModels>>;
}

/** One issue through the six stages, from its triage to its pull request. */
export interface PipelineRequest extends CommonRequest {
  readonly workflow: 'pipeline';
  /** The issue. */
  readonly number: number;
  /** The delivery of the event that started it; missing when a command did. */
  readonly delivery?: string;
  /** The models that the command line named; a command that continues the run names them again. */
  readonly models?: Readonly<Partial<AgentModels>>;
}

/** Every kind of run. A new kind does not compile until every caller of `matchRequest` handles it. */
interface RequestOfKind {
  readonly authoring: AuthoringRequest;
  readonly agent: AgentRequest;
  readonly loop: LoopRequest;
  readonly pipeline: PipelineRequest;
}

type RunKind = keyof RequestOfKind;

export type RunRequest = RequestOfKind[RunKind];

const kindOfWorkflow: Readonly<Record<RunRequest['workflow'], RunKind>> = {
  issue: 'authoring',
  lld: 'authoring',
  agent: 'agent',
  loop: 'loop',
  pipeline: 'pipeline',
};

/** Does what the kind of run asks for; there is no default, so that no kind is taken for another. */
export function matchRequest<T>(
  request: RunRequest,
  cases: { readonly [Kind in RunKind]: (request: RequestOfKind[Kind]) => T },
): T {
  const kind = kindOfWorkflow[request.workflow];
  switch (kind) {
    case 'authoring':
      return cases.authoring(request as AuthoringRequest);
    case 'agent':
      return cases.agent(request as AgentRequest);
    case 'loop':
      return cases.loop(request as LoopRequest);
    case 'pipeline':
      return cases.pipeline(request as PipelineRequest);
    default:
      kind satisfies never;
      throw new GatewrightError('internal', `This version knows no workflow called "${request.workflow}".`);
  }
}

/** What a fork takes over, and what is changed in it. Texts by their hash, so that a resume needs no file. */
export interface RunFork {
  /** The run that it was forked from. */
  readonly run: string;
  /** Everything before this step is taken over. */
  readonly step: number;
  /** The recording of that run. */
  readonly record: Sha256;
  /** The draft to show to the person or the model that is asked at that step. */
  readonly draft?: Sha256;
  /** What the prompt of the drafter says besides its instructions. */
  readonly prompt?: Sha256;
}

/** What came of it: the issue that was filed, or the design that was approved for it. */
export interface RunResult {
  readonly number: number;
  readonly url: string;
  /** Where the design is. */
  readonly path?: string;
}

export interface RunSummary<Request extends RunRequest = RunRequest> {
  readonly id: string;
  readonly subject: Subject;
  readonly request: Request;
  readonly status: RunStatus;
  readonly reason: StopReason | null;
  readonly result: RunResult | null;
  readonly startedAt: string;
  readonly changedAt: string;
  readonly costUsd: number;
  /** How much of that is only the most that it can have been: of work that was cut off, or goes on. */
  readonly costAtMostUsd: number;
  /** Whether a model without a known price took part: its cost is in no number. */
  readonly hasUnpriced?: boolean;
  /** The last node that was begun. */
  readonly node: string | null;
  /** Where its folder was when it was recorded, if the folder is elsewhere now; `request.root` is where it is. */
  readonly movedFrom?: string;
  /** A person put it aside after it had stopped. It can be resumed, and is not resumed by itself. */
  readonly isDismissed: boolean;
}

export type AuthoringRun = RunSummary<AuthoringRequest>;

export type AgentRun = RunSummary<AgentRequest>;

export function isAuthoringRun(run: RunSummary): run is AuthoringRun {
  return kindOfWorkflow[run.request.workflow] === 'authoring';
}

export type LoopRun = RunSummary<LoopRequest>;

export function isLoopRun(run: RunSummary): run is LoopRun {
  return kindOfWorkflow[run.request.workflow] === 'loop';
}

export type PipelineRun = RunSummary<PipelineRequest>;

export function isPipelineRun(run: RunSummary): run is PipelineRun {
  return kindOfWorkflow[run.request.workflow] === 'pipeline';
}

export function isAgentRun(run: RunSummary): run is AgentRun {
  return kindOfWorkflow[run.request.workflow] === 'agent';
}

/** The same for a run as lists show it. */
export function matchRun<T>(
  run: RunSummary,
  cases: { readonly [Kind in RunKind]: (run: RunSummary<RequestOfKind[Kind]>) => T },
): T {
  return matchRequest(run.request, {
    authoring: (request) => cases.authoring({ ...run, request }),
    agent: (request) => cases.agent({ ...run, request }),
    loop: (request) => cases.loop({ ...run, request }),
    pipeline: (request) => cases.pipeline({ ...run, request }),
  });
}

/** The workflow that a run is of, of those that events start and continue; null for agents and for authoring. */
export function workflowOf(request: RunRequest): WorkflowName | null {
  return matchRequest<WorkflowName | null>(request, {
    authoring: () => null,
    agent: () => null,
    loop: ({ workflow }) => workflow,
    pipeline: ({ workflow }) => workflow,
  });
}

/** The agent that a run is of; null for a workflow's. */
export function agentOf(request: RunRequest): AgentRequest['agent'] | null {
  return matchRequest(request, {
    authoring: () => null,
    agent: ({ agent }) => agent,
    loop: () => null,
    pipeline: () => null,
  });
}

/** A run in lists: an agent's says whose it is. */
export function nameOfRun({ request }: Pick<RunSummary, 'request'>): string {
  return matchRequest(request, {
    authoring: ({ title }) => title,
    agent: ({ agent, title }) => `${agent}: ${title}`,
    loop: ({ number, title }) => `loop of #${number}: ${title}`,
    pipeline: ({ number, title }) => `pipeline of #${number}: ${title}`,
  });
}

/** Of runs, newest first, those that count: of each agent on each subject only the last. */
export function withoutOvertaken<R extends RunSummary>(runs: readonly R[]): R[] {
  const seen = new Set<string>();
  return runs.filter(({ request, subject }) => {
    const agent = agentOf(request);
    if (agent === null) return true;
    const whose = `${agent} ${subject}`;
    const isLast = !seen.has(whose);
    seen.add(whose);
    return isLast;
  });
}

const resumeOfWorkflow: Readonly<Record<RunRequest['workflow'], string>> = {
  issue: 'issue --resume',
  lld: 'lld --resume',
  agent: 'dispatch --resume',
  loop: 'loop resume',
  pipeline: 'solve --resume',
};

/** The command that continues a run, from any folder. */
export function resumeCommandOf(
  { workflow }: Pick<RunRequest, 'workflow'>,
  run: string,
  commandSuffix = '',
): string {
  return `gatewright ${resumeOfWorkflow[workflow]} ${run}${commandSuffix}`;
}

/** The command that begins the same work anew, in the folder of the repository; empty where an event begins it. */
export function beginCommandOf(request: RunRequest): string {
  return matchRequest(request, {
    authoring: ({ workflow, brief, issue }) => {
      if (issue !== undefined) return `gatewright ${workflow} ${issue.number}`;
      return brief === '' ? '' : `gatewright ${workflow} --brief ${quoteForShell(brief)}`;
    },
    agent: () => '',
    loop: ({ number }) => `gatewright loop plan ${number}`,
    pipeline: ({ number }) => `gatewright solve ${number}`,
  });
}

/**
 * The options with which a run was started, for a command that a person runs on this machine. They can name files here,
 * so they are never published.
 */
export function optionsOfRun(request: RunRequest, now: Readonly<Partial<AgentModels>> = {}): string {
  return matchRequest(request, {
    authoring: () => '',
    agent: ({ models }) => writeModelOptions({ ...models, ...now }),
    loop: ({ models }) => writeModelOptions({ ...models, ...now }),
    pipeline: ({ models }) => writeModelOptions({ ...models, ...now }),
  });
}
