/** Drives a run of any workflow from gate to gate until it is done or has to stop, and writes down why it stopped. */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import {
  type RunRequest,
  type RunResult,
  type RunStatus,
  resumeCommandOf,
  type StopReason,
} from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import { explainStop, type Stop } from '../explain-stop.ts';
import { LeftOpen } from '../gates/resolve-gate.ts';
import { LoopGuard } from '../loop-guard.ts';
import type { Conclusion, Resolve, SessionTape } from '../tapes/session-tape.ts';
import type { Drivable } from './standing.ts';

/** A stop, with the gate that it waits at, if that is why. */
export interface GateStop extends Stop {
  readonly gate: GateQuestion | null;
}

interface OpenGraph<State> {
  readonly graph: Drivable<State>;
  readonly resolve: Resolve;
}

interface GraphJob<State, Run> {
  readonly run: Run;
  /** Opens the graph at its last checkpoint. What fails here stops the run as a node that fails does. */
  readonly open: () => Promise<OpenGraph<State>>;
  readonly progress: Progress;
  readonly conclude: (state: State) => Conclusion;
  readonly explainLeftOpen: (left: LeftOpen, resume: string) => GateStop;
  /** Null where runs are recorded in another way. */
  readonly tape: SessionTape | null;
}

export interface GraphOutcome<Run> {
  readonly run: Run;
  readonly status: RunStatus;
  readonly reason: StopReason;
  readonly result: RunResult | null;
  /** The open gate that it waits at. */
  readonly gate: GateQuestion | null;
}

interface DriveTools {
  readonly ledger: Pick<Ledger, 'append'>;
  readonly actor: string;
  readonly commandSuffix: string;
}

interface DrivenRun {
  readonly id: string;
  readonly subject: Subject;
  readonly request: RunRequest;
}

async function walk<State, Run extends DrivenRun>(job: GraphJob<State, Run>): Promise<Conclusion> {
  const { tape } = job;
  const { graph, resolve } = await job.open();
  tape?.begin(await graph.look());
  const answer = (question: GateQuestion) => tape?.resolve(question, resolve) ?? resolve(question);
  const guard = new LoopGuard();
  let standing = await graph.proceed();
  while (standing.at === 'gate') {
    guard.pass(standing.question);
    job.progress({ kind: 'node', node: standing.node });
    standing = await graph.answer(await answer(standing.question));
  }
  return job.conclude(standing.state);
}

async function walkOnTape<State, Run extends DrivenRun>(job: GraphJob<State, Run>): Promise<Conclusion> {
  try {
    const conclusion = await walk(job);
    job.tape?.end(conclusion);
    return conclusion;
  } catch (error) {
    job.tape?.fail(error);
    throw error;
  } finally {
    await job.tape?.close();
  }
}

/** Runs as far as it goes. The lease is held by the caller. */
export async function driveGraph<State, Run extends DrivenRun>(
  { ledger, actor, commandSuffix }: DriveTools,
  job: GraphJob<State, Run>,
  lease: Lease,
): Promise<GraphOutcome<Run>> {
  const { run } = job;
  const { dryRun } = run.request;
  const entry = { subject: run.subject, run: run.id, actor };
  try {
    const { message, result } = await walkOnTape(job);
    const reason: StopReason = {
      code: 'finished',
      message: dryRun ? 'dry run: nothing was changed' : message,
      owner: 'nobody',
      resume: '',
    };
    const data = { reason, result: dryRun ? null : result };
    await ledger.append([{ ...entry, kind: 'run-ended', data }], lease);
    return { run, status: 'done', reason, result, gate: null };
  } catch (error) {
    const stop = explain(job, error, dryRun ? '' : resumeCommandOf(run.request, run.id, commandSuffix));
    if (stop === null) throw error;
    const { gate, failure, ...data } = stop;
    try {
      await ledger.append([{ ...entry, kind: 'run-stopped', data }], lease);
    } catch (second) {
      // A full disk refuses this entry too. The reason of the stop is the better error to show.
      if (failure === null) throw second;
    }
    // A dry run that would stop shows its plan up to there.
    if (failure !== null && !dryRun) {
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

function explain<State, Run>(job: GraphJob<State, Run>, error: unknown, resume: string): GateStop | null {
  if (error instanceof LeftOpen) return job.explainLeftOpen(error, resume);
  const stop = explainStop(error, resume);
  return stop === null ? null : { ...stop, gate: null };
}
