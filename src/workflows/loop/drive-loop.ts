/** The loop as a run on an issue: how it is started, resumed and answered. */
import type { LoopRequest, LoopRun } from '../../domain/ledger/run.ts';
import { findIssueRun, resumeIssueRun, startIssueRun } from '../issue-runs/drive-issue-run.ts';
import type { DriveOptions, DriveOutcome, IssueWorkflow } from '../issue-runs/issue-run.ts';
import { hearForge } from './answer-on-forge.ts';
import { followUp } from './follow-up.ts';
import { type DrivenLoop, type LoopContext, type LoopTools, makeLoopContext } from './loop-context.ts';
import { loopManifest } from './manifest.ts';
import type { LoopState } from './state.ts';

export type LoopOptions = DriveOptions;

export type LoopOutcome = DriveOutcome<LoopRequest>;

/** What a loop is started for. */
interface LoopStart {
  readonly number: number;
  readonly isQuick: boolean;
  /** The event that started it. */
  readonly delivery?: string;
}

export const loopWorkflow: IssueWorkflow<LoopRequest, LoopState, LoopContext> = {
  manifest: loopManifest,
  noun: 'loop',
  makeContext: makeLoopContext,
  openGraph: async (context, checkpoints) => (await import('./graph.ts')).openLoopGraph(context, checkpoints),
  conclude: ({ request }, { result }) => ({
    message: result === null ? 'it had no result' : `#${request.number} is merged with #${result.number}`,
    result,
  }),
  waitsFor: {
    scope: 'the issue leaves questions open',
    plan: 'the plan waits for its approval',
    work: 'the next task waits to be begun',
    blocked: 'a person has to decide how it goes on',
    testing: 'all tasks passed; a person has to test it',
    close: 'it was tested; it waits to be closed',
    merge: 'it waits for its pull request to be merged',
  },
  hear: hearForge,
  followUp,
};

/** The loop of an issue that is not done yet. */
export function findLoop(tools: LoopTools, number: number): Promise<LoopRun | null> {
  return findIssueRun<LoopRequest>(tools, 'loop', number);
}

export function startLoop(
  tools: LoopTools,
  { isQuick, ...input }: LoopStart,
  options: LoopOptions,
  onStart: (run: DrivenLoop) => void = () => undefined,
): Promise<LoopOutcome> {
  const makeRequest = (common: Omit<LoopRequest, 'workflow' | 'isQuick'>): LoopRequest => ({
    ...common,
    ...{ workflow: 'loop', isQuick },
  });
  return startIssueRun(tools, loopWorkflow, input, makeRequest, options, onStart);
}

export function resumeLoop(tools: LoopTools, found: LoopRun, options: LoopOptions): Promise<LoopOutcome> {
  return resumeIssueRun(tools, loopWorkflow, found, options);
}
