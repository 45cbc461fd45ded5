/**
 * One run of one agent for one event: begun once, resumed after a crash or a stop, and always ended with a reason. The
 * key of its first entry is made of the event and the agent, so that a repeated delivery begins no second run.
 */
import type { AgentContext } from '../agents/agent.ts';
import { loadAgent } from '../agents/agents.ts';
import type { WorkerName, WorkflowName } from '../domain/fleet/agent-names.ts';
import { agentRunKey } from '../domain/fleet/agent-run-key.ts';
import { describeOccasion } from '../domain/fleet/describe-event.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { Handoff } from '../domain/ledger/fleet-entries.ts';
import { makeRunId } from '../domain/ledger/ids.ts';
import type { EntryOf, LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import {
  type AgentFork,
  type AgentRequest,
  matchRequest,
  optionsOfRun,
  type RunResult,
  type RunStatus,
  type RunSummary,
  resumeCommandOf,
  type StopReason,
} from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { Progress } from '../ports/progress.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import type { RecordedAnswers } from '../runs/ask-model.ts';
import { explainStop } from '../runs/explain-stop.ts';
import { entriesOfHandoffs } from '../runs/hand-on.ts';
import { holdLease } from '../runs/hold-lease.ts';
import type { FleetTools } from '../runs/house.ts';
import type { WorkflowOutcome, WorkflowRun } from '../workflows/workflow.ts';
import { type AgentRun, makeAgentContext } from './agent-context.ts';
import { entriesOfMerges } from './proposals/tell-merges.ts';
import { runOnTape } from './tapes/run-on-tape.ts';

/** What an agent is started for. */
export interface Target {
  readonly agent: WorkerName;
  readonly subject: Subject;
  readonly number: number | null;
}

export interface AgentOutcome {
  readonly run: AgentRun;
  readonly status: RunStatus;
  readonly reason: StopReason;
  readonly result: RunResult | null;
  readonly handoffs: readonly Handoff[];
}

/** Under which login agents work here, and the callbacks that report what they do. */
export interface FleetSession {
  /** The login on the forge. */
  readonly own: string;
  /** Nothing is changed and nothing is kept but the run itself. */
  readonly dryRun?: boolean;
  /** Nothing else is begun or resumed here, and refused to; missing where everything is. */
  readonly only?: readonly (WorkerName | WorkflowName)[];
  /** Takes over what a recorded run did up to a step; only in a dry run. */
  readonly fork?: {
    readonly of: AgentFork;
    readonly recorded: RecordedAnswers;
    readonly take: (context: AgentContext) => AgentContext;
  };
  /**
   * Stops what runs: coding agents, models and commands are ended, nothing new is begun, and the runs can be resumed.
   */
  readonly signal?: AbortSignal;
  /** A received event cannot be read; it is settled, and no agent acts on it. */
  readonly onUnreadable?: (open: OpenEvent) => void;
  readonly onStart?: (run: AgentRun | WorkflowRun, isResumed: boolean) => void;
  readonly progressOf?: (run: AgentRun | WorkflowRun) => Progress;
  readonly onEnd?: (outcome: AgentOutcome | WorkflowOutcome) => void;
  /** Another process took the run over while this one was stopped. */
  readonly onLost?: (run: AgentRun) => void;
}

function toRun(entry: EntryOf<'run-started'>): AgentRun {
  const refuse = (): never => {
    throw new GatewrightError('internal', `${entry.run} is no agent's run.`);
  };
  return matchRequest(entry.data.request, {
    authoring: refuse,
    loop: refuse,
    pipeline: refuse,
    agent: (request) => ({ id: entry.run, subject: entry.subject, request, startedAt: entry.at }),
  });
}

/** The last word on a run; null while it is running or was cut off. */
function readEnd(entries: readonly LedgerEntry[]): EntryOf<'run-ended'> | null {
  const last = entries.findLast((entry) => entry.kind === 'run-ended');
  return last?.kind === 'run-ended' ? last : null;
}

/** How it stopped; null when it did not stop, or was resumed since. */
function readStop(entries: readonly LedgerEntry[]): EntryOf<'run-stopped'> | null {
  const last = entries.findLast((entry) => entry.kind === 'run-stopped' || entry.kind === 'run-resumed');
  return last?.kind === 'run-stopped' ? last : null;
}

function outcomeOf(run: AgentRun, end: EntryOf<'run-ended'>): AgentOutcome {
  const { reason, result, handoffs = [] } = end.data;
  return { run, status: 'done', reason, result, handoffs };
}

/** A person put it aside, so its event is settled: no process resumes it. */
function outcomeOfDismissed(run: AgentRun): AgentOutcome {
  const reason = { code: 'finished', message: 'a person put it aside', owner: 'nobody', resume: '' } as const;
  return { run, status: 'done', reason, result: null, handoffs: [] };
}

/** Reasons to stop that leave the event open: the next process that handles events resumes the run. */
const leftOpenFor: readonly string[] = ['lease-held', 'cancelled', 'waits-for-model'];

export function isLeftOpen({ status, reason }: Pick<AgentOutcome, 'status' | 'reason'>): boolean {
  return status !== 'done' && leftOpenFor.includes(reason.code);
}

/**
 * Starts the run, or resumes the one that was started for this very event. Throws `lease-held` when another process
 * works on it.
 */
export async function runAgent(
  house: FleetTools,
  target: Target,
  event: FleetEvent,
  session: FleetSession,
): Promise<AgentOutcome> {
  const { ledger, clock } = house;
  const { dryRun = false } = session;
  const id = makeRunId(clock.now(), clock.randomBytes(10));
  // A dry run may be repeated any number of times.
  const key = `${agentRunKey(event, target)}${dryRun ? `/${id}` : ''}`;
  const known = await ledger.find('run-started', key);
  const end = known === null ? null : readEnd(await ledger.readRun(known.run));
  if (known !== null && end !== null) return outcomeOf(toRun(known), end);
  const lease = await acquireLease(house, target.subject);
  try {
    // Another process may have begun, or even finished it, while we waited.
    const entry = await ledger.find('run-started', key);
    if (entry !== null) {
      // Killed after it had stopped, before the event was settled: what stopped it still stands, and was paid for.
      const entries = await ledger.readRun(entry.run);
      if (entries.at(-1)?.kind === 'run-dismissed') return outcomeOfDismissed(toRun(entry));
      const stop = readStop(entries);
      // A run that waited for a lease, or that was cancelled with its process, is what the event was left open for.
      if (stop !== null && !leftOpenFor.includes(stop.data.reason.code))
        return { run: toRun(entry), ...stop.data, result: null, handoffs: [] };
      return await resumeWithLease(house, toRun(entry), event, session, lease);
    }
    const request: AgentRequest = {
      workflow: 'agent',
      agent: target.agent,
      title: describeOccasion(event, target.number),
      forge: house.forge.kind,
      repository: house.repositoryName,
      root: house.repository.root,
      delivery: event.delivery,
      number: target.number,
      dryRun,
      ...(session.fork === undefined ? {} : { fork: session.fork.of }),
      ...(Object.keys(house.namedModels).length === 0 ? {} : { models: house.namedModels }),
    };
    const [started] = await ledger.append(
      [{ subject: target.subject, run: id, actor: house.actor, kind: 'run-started', key, data: { request } }],
      lease,
    );
    const startedAt = started?.at ?? clock.now().toISOString();
    const run = { id, subject: target.subject, request, startedAt };
    session.onStart?.(run, false);
    return await drive(house, run, event, session, lease);
  } finally {
    await lease.release();
  }
}

/** Resumes a stopped run, for the event that it was started for. */
export async function resumeAgentRun(
  house: FleetTools,
  summary: RunSummary<AgentRequest>,
  event: FleetEvent,
  session: FleetSession,
): Promise<AgentOutcome> {
  const { id, subject, request, startedAt } = summary;
  const lease = await acquireLease(house, subject);
  try {
    return await resumeWithLease(house, { id, subject, request, startedAt }, event, session, lease);
  } finally {
    await lease.release();
  }
}

async function resumeWithLease(
  house: FleetTools,
  run: AgentRun,
  event: FleetEvent,
  session: FleetSession,
  lease: Lease,
): Promise<AgentOutcome> {
  const entries = await house.ledger.readRun(run.id);
  const end = readEnd(entries);
  if (end !== null) return outcomeOf(run, end);
  if (entries.some(({ kind }) => kind === 'model-answered')) await house.keptWork?.bring(run.id);
  const stopped = entries.findLast((entry) => entry.kind === 'run-stopped');
  const from: RunStatus = stopped?.kind === 'run-stopped' ? stopped.data.status : 'running';
  const entry = { subject: run.subject, run: run.id, actor: house.actor };
  await house.ledger.append([{ ...entry, kind: 'run-resumed', data: { from } }], lease);
  session.onStart?.(run, true);
  return drive(house, run, event, session, lease);
}

async function drive(
  house: FleetTools,
  run: AgentRun,
  event: FleetEvent,
  session: FleetSession,
  lease: Lease,
): Promise<AgentOutcome> {
  try {
    return await holdLease(lease, session.signal, (signal) =>
      walk(house, run, event, { ...session, signal }, lease),
    );
  } catch (error) {
    if (isGatewrightError(error, 'lease-lost')) session.onLost?.(run);
    throw error;
  }
}

async function walk(
  house: FleetTools,
  run: AgentRun,
  event: FleetEvent,
  session: FleetSession,
  lease: Lease,
): Promise<AgentOutcome> {
  const entry = { subject: run.subject, run: run.id, actor: house.actor };
  try {
    const agent = await loadAgent(run.request.agent);
    const own = makeAgentContext(house, agent, run, event, session, lease);
    const context = session.fork?.take(own) ?? own;
    const { message, result = null, handoffs = [] } = await runOnTape(house.tapes, agent, context);
    const reason: StopReason = { code: 'finished', message, owner: 'nobody', resume: '' };
    const { repository, dryRun } = run.request;
    const next = dryRun ? [] : handoffs;
    const data = { reason, result, ...(next.length === 0 ? {} : { handoffs: next }) };
    const following = await entriesOfHandoffs(house, { id: run.id, repository, own: session.own }, next);
    const merges = dryRun
      ? []
      : await entriesOfMerges(house, { id: run.id, agent: run.request.agent }, session.own);
    await house.ledger.append([{ ...entry, kind: 'run-ended', data }, ...following, ...merges], lease);
    await house.keptWork?.drop(run.id);
    const outcome: AgentOutcome = { run, status: 'done', reason, result, handoffs };
    session.onEnd?.(outcome);
    return outcome;
  } catch (error) {
    const options = `${optionsOfRun(run.request, house.namedModels)}${house.commandSuffix}`;
    const stop = explainStop(error, resumeCommandOf(run.request, run.id, options));
    if (stop === null) throw error;
    const { status, reason } = stop;
    await house.ledger.append([{ ...entry, kind: 'run-stopped', data: { status, reason } }], lease);
    // It waits for another run: the event stays open and is handled again soon.
    if (isGatewrightError(error, 'lease-held')) throw error;
    const outcome: AgentOutcome = { run, status, reason, result: null, handoffs: [] };
    session.onEnd?.(outcome);
    return outcome;
  }
}
