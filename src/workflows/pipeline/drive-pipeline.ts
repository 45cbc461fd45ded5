/** The pipeline as a run on an issue: how it is started, resumed and answered. */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import { isPipelineRun, type PipelineRequest, type PipelineRun } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import type { FleetTools } from '../../runs/house.ts';
import { findIssueRun, resumeIssueRun, startIssueRun } from '../issue-runs/drive-issue-run.ts';
import { findAsking, hearComments, nothingHeard } from '../issue-runs/hear-forge.ts';
import type {
  DrivenRun,
  DriveOptions,
  DriveOutcome,
  Heard,
  HeardIssue,
  IssueWorkflow,
} from '../issue-runs/issue-run.ts';
import { pipelineManifest } from './manifest.ts';
import { makePipelineContext, type PipelineContext, type PipelineSession } from './pipeline-context.ts';
import { openOrderedGraph } from './return-to-stage.ts';
import { readPipelineAnswer } from './rules/comments/gate-answers.ts';
import type { PipelineState } from './state.ts';

export type PipelineOptions = DriveOptions & PipelineSession;

export type PipelineOutcome = DriveOutcome<PipelineRequest>;

async function hearForge(tools: FleetTools, issue: HeardIssue, question: GateQuestion): Promise<Heard> {
  const asking = await findAsking(tools, issue.run, question);
  if (asking === null) return nothingHeard;
  const comments = await tools.forge.listComments(tools.repositoryName, issue.number);
  return hearComments(tools, question, asking, comments, { read: readPipelineAnswer });
}

export const pipelineWorkflow: IssueWorkflow<PipelineRequest, PipelineState, PipelineContext> = {
  manifest: pipelineManifest,
  noun: 'pipeline',
  makeContext: makePipelineContext,
  openGraph: openOrderedGraph,
  conclude: ({ request }, { result, because }) => ({
    message:
      result === null
        ? because || 'it was stopped'
        : `#${request.number} became pull request #${result.number}`,
    result,
  }),
  waitsFor: {
    escalation: 'only a person may decide this',
    blocked: 'a person has to decide how it goes on',
    work: 'it was asked to stop here',
  },
  hear: hearForge,
  followUp: async () => null,
};

/** The pipeline of an issue that is not done yet. */
export function findPipeline(
  tools: Pick<FleetTools, 'views' | 'repositoryName'>,
  number: number,
): Promise<PipelineRun | null> {
  return findIssueRun<PipelineRequest>(tools, 'pipeline', number);
}

interface OpenPull {
  readonly run: PipelineRun;
  readonly pull: number;
}

/** The pull request of a pipeline that has ended on this issue, while it is open: a second one would do the work again. */
export async function findOpenPull(
  { views, forge, repositoryName }: Pick<FleetTools, 'views' | 'forge' | 'repositoryName'>,
  number: number,
): Promise<OpenPull | null> {
  const filter = { repository: repositoryName, workflows: ['pipeline'], issue: number } as const;
  for (const run of (await views.listRuns(filter)).filter(isPipelineRun)) {
    if (run.result === null) continue;
    const { state } = await forge.getPullRequest(repositoryName, run.result.number);
    if (state === 'open') return { run, pull: run.result.number };
  }
  return null;
}

export function describeOpenPull({ run, pull }: OpenPull): string {
  return `The pipeline of #${run.request.number} ended with pull request #${pull}, which is open.`;
}

export const whatToDoWithPull = 'Merge it, or close it to have the issue worked on anew.';

export async function startPipeline(
  tools: FleetTools,
  input: { readonly number: number; readonly delivery?: string },
  options: PipelineOptions,
  onStart: (run: DrivenRun<PipelineRequest>) => void = () => undefined,
): Promise<PipelineOutcome> {
  const makeRequest = (common: Omit<PipelineRequest, 'workflow'>): PipelineRequest => ({
    ...common,
    workflow: 'pipeline',
  });
  const open = await findOpenPull(tools, input.number);
  if (open !== null)
    throw new GatewrightError('run-finished', describeOpenPull(open), { hint: whatToDoWithPull });
  return startIssueRun(tools, pipelineWorkflow, input, makeRequest, options, onStart);
}

export function resumePipeline(
  tools: FleetTools,
  found: PipelineRun,
  options: PipelineOptions,
): Promise<PipelineOutcome> {
  return resumeIssueRun(tools, pipelineWorkflow, found, options);
}
