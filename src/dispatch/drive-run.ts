/** Drives an authoring run from gate to gate until it is done or has to stop, and writes down why it stopped. */

import type { GateQuestion } from '../domain/gate.ts';
import type { NewEntry } from '../domain/ledger-entry.ts';
import type { RunRequest, RunResult, RunStatus, StopReason } from '../domain/run.ts';
import type { Subject } from '../domain/subject.ts';
import { EffectRunner } from '../effects/effect-runner.ts';
import { makePerformers } from '../effects/performers.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import type { Progress } from '../ports/progress.ts';
import type { AuthoringContext } from '../workflows/authoring/definition.ts';
import { issueDefinition } from '../workflows/authoring/issue-definition.ts';
import type { RunMode } from './gate-policy.ts';
import type { House } from './house.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { type Decide, LeftOpen, settleGate } from './settle-gate.ts';

export interface RunOptions {
  readonly mode: RunMode;
  /** Null: what the run was started with. */
  readonly maxIterations: number | null;
  readonly needsEditor: boolean;
  readonly independenceWaiver: string | null;
  /** Null: what the run was started with. */
  readonly drafter: string | null;
  readonly reviewer: string | null;
  readonly decide: Decide;
  /** Lets a person look at what a policy is about to decide on. */
  readonly preview: (question: GateQuestion) => Promise<void>;
  readonly progress: Progress;
}

export interface Run {
  readonly id: string;
  readonly subject: Subject;
  readonly request: RunRequest;
}

export interface RunOutcome {
  readonly run: Run;
  readonly status: RunStatus;
  readonly reason: StopReason;
  readonly result: RunResult | null;
  /** The open gate that it waits at. */
  readonly gate: GateQuestion | null;
}

const renewEvery = 8_000;

/** The command that continues a run. */
function resumeCommand(request: RunRequest): string {
  return `gatewright issue --resume ${quoteForShell(request.brief.startsWith('/') ? request.slug : request.brief)}`;
}

function makeContext(house: House, run: Run, lease: Lease, options: RunOptions): AuthoringContext {
  const { ledger } = house;
  const definition = issueDefinition;
  const record = async (entry: NewEntry): Promise<void> => {
    try {
      await ledger.append([entry], lease);
    } catch (error) {
      // After a crash a node runs again: what it wrote down the first time stands.
      if (!isGatewrightError(error, 'ledger-conflict')) throw error;
    }
  };
  return {
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
    effects: new EffectRunner({
      ledger,
      performers: makePerformers({ repository: house.repository, forge: house.forge, texts: ledger }),
      signingKey: house.signingKey,
      run: run.id,
      subject: run.subject,
      actor: house.actor,
      fence: lease,
      allowance: definition.allowance,
      dryRun: run.request.dryRun,
    }),
    models: {
      drafter: house.makeModel(options.drafter ?? run.request.drafter, 'drafter'),
      reviewer: house.makeModel(options.reviewer ?? run.request.reviewer, 'reviewer'),
    },
    prompts: house.prompts,
    repository: house.repository,
    forge: house.forge,
    editor: house.editor,
    needsEditor: options.needsEditor,
    maxIterations: options.maxIterations ?? run.request.maxIterations,
    independenceWaiver: options.independenceWaiver,
    readIntendedPaths: async () =>
      (await ledger.readRun(run.id)).flatMap((entry) =>
        entry.kind === 'effect-intended' && entry.data.effect.kind === 'write-file'
          ? [entry.data.effect.path]
          : [],
      ),
  };
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
  const renewal = setInterval(() => void lease.renew().catch(() => undefined), renewEvery);
  const entry = { subject: run.subject, run: run.id, actor: house.actor };
  try {
    const { AuthoringGraph } = await loadGraph();
    const graph = new AuthoringGraph(makeContext(house, run, lease, options), await house.openCheckpoints());
    const mode = {
      ...options.mode,
      strict: !options.mode.auto && (options.mode.strict || run.request.strict),
    };
    let standing = await graph.proceed();
    while (standing.at === 'gate') {
      options.progress({ kind: 'node', node: standing.node });
      standing = await graph.answer(
        await settleGate(house, run, { ...options, mode, fence: lease }, standing.question),
      );
    }
    const { result } = standing.state;
    const reason: StopReason = {
      code: 'finished',
      message: run.request.dryRun ? 'dry run: nothing was changed' : `filed as #${result?.number ?? '?'}`,
      owner: 'nobody',
      resume: '',
    };
    await house.ledger.append(
      [{ ...entry, kind: 'run-ended', data: { reason, result: run.request.dryRun ? null : result } }],
      lease,
    );
    return { run, status: 'done', reason, result, gate: null };
  } catch (error) {
    const stop = explainStop(error, run);
    if (stop === null) throw error;
    const { gate, failure, ...data } = stop;
    try {
      await house.ledger.append([{ ...entry, kind: 'run-stopped', data }], lease);
    } catch (second) {
      // A full disk refuses this entry too. What stopped the run is the better thing to tell.
      if (failure === null) throw second;
    }
    if (failure !== null) throw failure;
    return { run, ...data, result: null, gate };
  } finally {
    clearInterval(renewal);
  }
}

interface Stop {
  readonly status: Exclude<RunStatus, 'running' | 'done'>;
  readonly reason: StopReason;
  readonly gate: GateQuestion | null;
  /** Rethrown after the stop is written down, so that the person sees the error itself. */
  readonly failure: GatewrightError | null;
}

function explainStop(error: unknown, run: Run): Stop | null {
  const resume = resumeCommand(run.request);
  if (error instanceof LeftOpen) {
    const { question, choice } = error;
    if (question.kind === 'filing') {
      const code = choice === null ? 'filing-failed' : 'filing-aborted';
      const message = `${choice === null ? 'filing failed' : 'filing was aborted'}: ${question.because ?? ''}`;
      return {
        status: 'blocked',
        reason: { code, message, owner: 'person', resume },
        gate: question,
        failure: new GatewrightError(code, `The issue was not filed: ${question.because ?? ''}`, {
          hint: `Continue with: ${resume}`,
        }),
      };
    }
    const message = `waiting for a person at the ${question.kind} gate (${question.id})`;
    return {
      status: 'waiting',
      reason: { code: 'gate', message, owner: 'person', resume },
      gate: question,
      failure: null,
    };
  }
  if (!isGatewrightError(error)) {
    const cause = error instanceof Error ? error.message : String(error);
    const failure = new GatewrightError('internal', `Something unexpected happened: ${cause}`, {
      cause: error,
    });
    return {
      status: 'failed',
      reason: { code: 'internal', message: failure.message, owner: 'person', resume },
      gate: null,
      failure,
    };
  }
  // Whoever lost the lease may not write any more; the new holder will.
  if (error.code === 'lease-lost') return null;
  // Not a failure: nothing is wrong but the time, and resuming runs the same node again.
  if (error.code === 'quota-exhausted') {
    const { code, message, until } = error;
    return {
      status: 'paused',
      reason: { code, message, owner: 'time', resume, ...(until === null ? {} : { until }) },
      gate: null,
      failure: null,
    };
  }
  const status = error.code === 'cancelled' ? 'waiting' : error.retry === 'never' ? 'failed' : 'blocked';
  const owner = error.retry === 'later' ? 'time' : 'person';
  return {
    status,
    reason: {
      code: error.code,
      message: error.message,
      owner,
      resume: `${resume} ${error.resumeWith}`.trim(),
    },
    gate: null,
    failure: error,
  };
}
