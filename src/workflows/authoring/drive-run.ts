/** Drives an authoring run from gate to gate until it is done or has to stop, and writes down why it stopped. */

import type { GateQuestion } from '../../domain/drafts/gate.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AuthoringRequest, RunResult } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Progress } from '../../ports/progress.ts';
import { appendOnce } from '../../runs/append-once.ts';
import type { RunMode } from '../../runs/gates/gate-policy.ts';
import { type Dialogue, type LeftOpen, resolveGate } from '../../runs/gates/resolve-gate.ts';
import { driveGraph, type GateStop, type GraphOutcome } from '../../runs/graph/drive-graph.ts';
import { holdLease } from '../../runs/hold-lease.ts';
import type { AuthoringTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import type { AuthoringContext } from './definition.ts';
import { definitions } from './definitions.ts';
import { followBrief } from './follow-brief.ts';
import { requireIndependence } from './independence.ts';
import { findFiled } from './recordings/find-filed.ts';
import { keepRecord } from './recordings/keep-record.ts';
import { noteFiles } from './recordings/note-files.ts';
import { type RecordedRun, readFork } from './recordings/recorded-run.ts';
import { replayFrom } from './recordings/replay-gate-answer.ts';
import type { AuthoringState } from './state.ts';

export interface RunOptions {
  readonly mode: RunMode;
  /** Null: what the run was started with. */
  readonly maxIterations: number | null;
  readonly needsEditor: boolean;
  readonly independenceWaiver: string | null;
  /** A person accepts for this process that a model has no known price. */
  readonly acceptsUnpriced?: boolean;
  /** Null: what the run was started with. */
  readonly drafter: string | null;
  readonly reviewer: string | null;
  readonly dialogue: Dialogue;
  readonly progress: Progress;
  readonly isResumed?: boolean;
  /** What the brief says now, instead of its file: in a replay, what was recorded. */
  readonly briefNow?: string;
  /** The file to record the run to; absent or null: the one that it was recorded to before, if any. */
  readonly record?: string | null;
  /** A person wants the issue of this fork although the run that it was forked from has filed one. */
  readonly maySecondIssue?: boolean;
  /** What is taken over from another run, where that does not follow from the request. */
  readonly recorded?: RecordedRun;
}

export interface Run {
  readonly id: string;
  readonly subject: Subject;
  readonly request: AuthoringRequest;
}

export type RunOutcome = GraphOutcome<Run>;

interface Taken {
  readonly recorded: RecordedRun | null;
  readonly extraInstructions: string;
}

function makeContext(
  house: AuthoringTools,
  run: Run,
  lease: Lease,
  options: RunOptions,
  taken: Taken,
): AuthoringContext {
  const { ledger } = house;
  const definition = definitions[run.request.workflow];
  const record = (entry: NewEntry): Promise<void> => appendOnce(ledger, [entry], lease);
  return {
    ...taken,
    runId: run.id,
    subject: run.subject,
    request: run.request,
    definition,
    ledger,
    record,
    note: (entry) => ledger.defer(entry, lease),
    actor: house.actor,
    budget:
      options.acceptsUnpriced === true && house.budget.unpriced !== 'refuse'
        ? { ...house.budget, unpriced: 'allow' }
        : house.budget,
    acceptUnpriced: '--accept-unpriced',
    clock: house.clock,
    progress: options.progress,
    effects: makeEffects(house, {
      run: run.id,
      subject: run.subject,
      fence: lease,
      allowance: definition.allowance,
      dryRun: run.request.dryRun,
    }),
    models: {
      drafter: house.makeModel(options.drafter ?? run.request.drafter, 'drafter'),
      reviewer: house.makeModel(options.reviewer ?? run.request.reviewer, 'reviewer'),
    },
    prompts: house.prompts,
    repository: noteFiles(house, run, lease),
    forge: house.forge,
    editor: house.editor,
    needsEditor: options.needsEditor,
    maxIterations: options.maxIterations ?? run.request.maxIterations,
    independenceWaiver: options.independenceWaiver,
    readEntries: () => ledger.readRun(run.id),
    findFiled: async () =>
      run.request.fork === undefined || options.maySecondIssue === true
        ? null
        : findFiled(house.views, run.request.fork.run, run.id),
  };
}

async function readTaken(house: AuthoringTools, run: Run, options: RunOptions): Promise<Taken> {
  const nothing = { recorded: options.recorded ?? null, extraInstructions: '' };
  if (nothing.recorded !== null) return nothing;
  return (await readFork(house.ledger, run.id, run.request)) ?? nothing;
}

function describeResult(result: RunResult | null): string {
  if (result === null) return 'it had no result';
  return result.path === undefined
    ? `filed as #${result.number}`
    : `the design of #${result.number} is approved: ${result.path}`;
}

/** Loads the workflow engine, which takes a while; called early, it loads while git and the disk are waited for. */
export function loadGraph(): Promise<typeof import('./graph.ts')> {
  return import('./graph.ts');
}

/** Runs as far as it goes. The lease is held by the caller and renewed here. */
export async function driveRun(
  house: AuthoringTools,
  run: Run,
  options: RunOptions,
  lease: Lease,
): Promise<RunOutcome> {
  try {
    return await holdLease(lease, undefined, () => walk(house, run, options, lease));
  } finally {
    await keepRecord(house, run, options);
  }
}

function walk(house: AuthoringTools, run: Run, options: RunOptions, lease: Lease): Promise<RunOutcome> {
  const mode = { ...options.mode, strict: !options.mode.auto && (options.mode.strict || run.request.strict) };
  const open = async () => {
    const { openAuthoringGraph } = await loadGraph();
    const taken = await readTaken(house, run, options);
    const checkpoints = await house.openCheckpoints();
    const openAt = (briefHash: Sha256) => {
      const request = { ...run.request, briefHash };
      const context = makeContext(house, { ...run, request }, lease, options, taken);
      return { context, graph: openAuthoringGraph(context, checkpoints) };
    };
    const { context, graph } = await followBrief(house, run, options, lease, openAt);
    if (options.isResumed === true) await requireIndependence(context);
    const replay = replayFrom(house, run, taken.recorded, lease);
    return {
      graph,
      resolve: (question: GateQuestion) =>
        resolveGate(house, run, { ...options, mode, fence: lease, replay }, question),
    };
  };
  const conclude = ({ result }: AuthoringState) => ({ message: describeResult(result), result });
  return driveGraph(
    house,
    { run, progress: options.progress, open, conclude, explainLeftOpen, tape: null },
    lease,
  );
}

function countQuestions({ questions = [], gaps = [] }: GateQuestion): string {
  if (questions.length === 0)
    return gaps.length === 0 ? '' : `: the draft has ${countOf(gaps.length, 'gap')} to fill`;
  const shown = questions.slice(0, 3).map((text) => `"${escapeForLine(text, 100)}"`);
  const more = questions.length > shown.length ? `, and ${questions.length - shown.length} more` : '';
  const what = questions.length === 1 ? 'an open question' : `${questions.length} open questions`;
  return `: ${what}: ${shown.join('; ')}${more}`;
}

/** The message of a stop for a person who is shown the open questions of the gate as a list beside it. */
export function withoutQuestions(message: string, gate: GateQuestion | null): string {
  const listed = gate === null ? '' : countQuestions(gate);
  return listed !== '' && message.endsWith(listed) ? message.slice(0, -listed.length) : message;
}

function explainLeftOpen({ question, choice, unclear }: LeftOpen, resume: string): GateStop {
  if (question.kind === 'filing') {
    const code = choice === null ? 'filing-failed' : 'filing-aborted';
    const message = `${choice === null ? 'filing failed' : 'filing was aborted'}: ${question.because ?? ''}`;
    return {
      status: 'blocked',
      reason: { code, message, owner: 'person', resume },
      gate: question,
      failure: new GatewrightError(code, `The issue was not filed: ${question.because ?? ''}`),
    };
  }
  const why = unclear === null ? '' : `: the verdict cannot be read: ${unclear}`;
  const message = `waiting for a person at the ${question.kind} gate (${question.id})${why}${countQuestions(question)}`;
  return {
    status: 'waiting',
    reason: { code: 'gate', message, owner: 'person', resume },
    gate: question,
    failure: null,
  };
}
