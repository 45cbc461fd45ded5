/** Drives an authoring run from gate to gate until it is done or has to stop, and writes down why it stopped. */

import type { GateQuestion } from '../domain/gate.ts';
import type { NewEntry } from '../domain/ledger-entry.ts';
import {
  type AuthoringRequest,
  type RunResult,
  type RunStatus,
  resumeCommandOf,
  type StopReason,
} from '../domain/run.ts';
import type { Subject } from '../domain/subject.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import type { Progress } from '../ports/progress.ts';
import type { AuthoringContext } from '../workflows/authoring/definition.ts';
import { definitions } from '../workflows/authoring/definitions.ts';
import { requireIndependence } from '../workflows/authoring/independence.ts';
import { explainStop, type Stop } from './explain-stop.ts';
import type { RunMode } from './gate-policy.ts';
import { holdLease } from './hold-lease.ts';
import type { House } from './house.ts';
import { keepRecord } from './keep-record.ts';
import { LoopGuard } from './loop-guard.ts';
import { makeEffects } from './make-effects.ts';
import { noteFiles } from './note-files.ts';
import { type RecordedRun, readFork } from './recorded-run.ts';
import { type Dialogue, LeftOpen, settleGate } from './settle-gate.ts';

export interface RunOptions {
  readonly mode: RunMode;
  /** Null: what the run was started with. */
  readonly maxIterations: number | null;
  readonly needsEditor: boolean;
  readonly independenceWaiver: string | null;
  /** Null: what the run was started with. */
  readonly drafter: string | null;
  readonly reviewer: string | null;
  readonly dialogue: Dialogue;
  readonly progress: Progress;
  readonly isResumed?: boolean;
  /** The file to record the run to; absent or null: the one that it was recorded to before, if any. */
  readonly record?: string | null;
  /** What is taken over from another run, where that does not follow from the request. */
  readonly recorded?: RecordedRun;
}

export interface Run {
  readonly id: string;
  readonly subject: Subject;
  readonly request: AuthoringRequest;
}

export interface RunOutcome {
  readonly run: Run;
  readonly status: RunStatus;
  readonly reason: StopReason;
  readonly result: RunResult | null;
  /** The open gate that it waits at. */
  readonly gate: GateQuestion | null;
}

/** The command that continues a run, from any folder. */
function resumeCommand(house: House, run: Run): string {
  return run.request.dryRun ? '' : resumeCommandOf(run.request, run.id, house.commandSuffix);
}

interface Taken {
  readonly recorded: RecordedRun | null;
  readonly extraInstructions: string;
}

function makeContext(
  house: House,
  run: Run,
  lease: Lease,
  options: RunOptions,
  taken: Taken,
): AuthoringContext {
  const { ledger } = house;
  const definition = definitions[run.request.workflow];
  const record = async (entry: NewEntry): Promise<void> => {
    try {
      await ledger.append([entry], lease);
    } catch (error) {
      // After a crash a node runs again: what it wrote down the first time stands.
      if (!isGatewrightError(error, 'ledger-conflict')) throw error;
    }
  };
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
    budget: house.budget,
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
  };
}

function describeResult(result: RunResult | null): string {
  if (result === null) return 'nothing came of it';
  return result.path === undefined
    ? `filed as #${result.number}`
    : `the design of #${result.number} is approved: ${result.path}`;
}

/** Loads the workflow engine, which takes a while; called early, it loads while git and the disk are waited for. */
export function loadGraph(): Promise<typeof import('../workflows/authoring/graph.ts')> {
  return import('../workflows/authoring/graph.ts');
}

/** Runs as far as it goes. The lease is held by the caller and renewed here. */
export async function driveRun(
  house: House,
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

async function walk(house: House, run: Run, options: RunOptions, lease: Lease): Promise<RunOutcome> {
  const entry = { subject: run.subject, run: run.id, actor: house.actor };
  try {
    const { AuthoringGraph } = await loadGraph();
    const taken = options.recorded
      ? { recorded: options.recorded, extraInstructions: '' }
      : ((await readFork(house.ledger, run.id, run.request)) ?? { recorded: null, extraInstructions: '' });
    const context = makeContext(house, run, lease, options, taken);
    if (options.isResumed === true) await requireIndependence(context);
    const graph = new AuthoringGraph(context, await house.openCheckpoints());
    const mode = {
      ...options.mode,
      strict: !options.mode.auto && (options.mode.strict || run.request.strict),
    };
    const guard = new LoopGuard();
    let standing = await graph.proceed();
    while (standing.at === 'gate') {
      guard.pass(standing.question);
      options.progress({ kind: 'node', node: standing.node });
      standing = await graph.answer(
        await settleGate(house, run, { ...options, ...taken, mode, fence: lease }, standing.question),
      );
    }
    const { result } = standing.state;
    const reason: StopReason = {
      code: 'finished',
      message: run.request.dryRun ? 'dry run: nothing was changed' : describeResult(result),
      owner: 'nobody',
      resume: '',
    };
    await house.ledger.append(
      [{ ...entry, kind: 'run-ended', data: { reason, result: run.request.dryRun ? null : result } }],
      lease,
    );
    return { run, status: 'done', reason, result, gate: null };
  } catch (error) {
    const stop = explainAuthoringStop(error, resumeCommand(house, run));
    if (stop === null) throw error;
    const { gate, failure, ...data } = stop;
    try {
      await house.ledger.append([{ ...entry, kind: 'run-stopped', data }], lease);
    } catch (second) {
      // A full disk refuses this entry too. What stopped the run is the better thing to tell.
      if (failure === null) throw second;
    }
    // A dry run that would stop shows its plan up to there.
    if (failure !== null && !run.request.dryRun) {
      failure.stop = {
        run: run.id,
        status: data.status,
        owner: data.reason.owner,
        resume: data.reason.resume,
      };
      throw failure;
    }
    return { run, ...data, result: null, gate };
  }
}

interface GateStop extends Stop {
  readonly gate: GateQuestion | null;
}

function explainAuthoringStop(error: unknown, resume: string): GateStop | null {
  if (!(error instanceof LeftOpen)) {
    const stop = explainStop(error, resume);
    return stop === null ? null : { ...stop, gate: null };
  }
  const { question, choice, unclear } = error;
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
  const message = `waiting for a person at the ${question.kind} gate (${question.id})${why}`;
  return {
    status: 'waiting',
    reason: { code: 'gate', message, owner: 'person', resume },
    gate: question,
    failure: null,
  };
}
