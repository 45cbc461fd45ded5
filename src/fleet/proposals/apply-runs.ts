/**
 * The half of runs that makes changes: the open events of some agents are handled, and their open runs are walked on, with
 * the answers of a proposal where a run asks a model. Where it has none, the run waits.
 */

import { isOfRun } from '../../domain/fleet/actions-delivery.ts';
import type { WorkerName, WorkflowName } from '../../domain/fleet/agent-names.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { readTold } from '../../domain/fleet/told-delivery.ts';
import { workflowFileOfWorker } from '../../domain/fleet/workflow-files.ts';
import type { RunSummary } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { Proposal } from '../../domain/proposals/proposal.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { OpenEvent } from '../../ports/ledger.ts';
import type { FleetTools } from '../../runs/house.ts';
import { type Failure, Failures } from '../failures.ts';
import { type EventOutcome, handleEvent } from '../handle-event.ts';
import { readEvent, refuseUnreadable } from '../read-event.ts';
import { resumeAny } from '../resume-any.ts';
import type { FleetSession } from '../run-agent.ts';
import type { ProposedAnswers } from './proposed-answers.ts';
import { stopRefused } from './stop-refused.ts';
import { listWaitingRuns } from './waiting-runs.ts';

type Agents = readonly (WorkerName | WorkflowName)[];

/** The workflow files of these agents. */
function filesOf(agents: Agents): ReadonlySet<string | null> {
  return new Set(agents.map(workflowFileOfWorker));
}

/** Whether these agents are the ones to handle it. Events that came in another way are for another process. */
function isFor(event: FleetEvent, agents: Agents): boolean {
  if (event.kind === 'handed-on') return agents.includes(event.to);
  if (event.kind === 'schedule-due') return agents.includes(event.schedule);
  const told = readTold(event.delivery);
  if (told !== null) return filesOf(agents).has(told.file);
  return isOfRun(event.delivery, agents);
}

/** Every run of a proposal was walked from what is on this ledger. */
export async function checkTips(
  { ledger }: Pick<FleetTools, 'ledger'>,
  { runs }: Pick<Proposal, 'runs'>,
): Promise<void> {
  for (const { run, tip, subject } of runs) {
    const found = (await ledger.readRun(run)).find(({ hash }) => hash === tip);
    if (found === undefined || found.subject !== subject)
      throw new GatewrightError(
        'proposal-refused',
        `The proposal is refused: the ledger does not hold its run ${run} as it says.`,
      );
  }
}

/** An open event that other agents are to handle, with the workflow file that is theirs. */
export interface EventForOthers {
  readonly delivery: string;
  readonly file: string;
  /** The run that it comes of. */
  readonly from: string;
}

/** What could not be gone on with, since another process works on what it is about. */
export interface LeftHeld {
  /** The delivery of the event, or the id of the run. */
  readonly id: string;
  readonly subject: Subject;
}

/** Longer than a lease on the ref lasts whose holder is gone. */
const patienceMilliseconds = 180_000;
/** A job that is cancelled has a little more time than this. */
const pauseMilliseconds = 5_000;

export interface Applied {
  readonly outcomes: readonly EventOutcome[];
  /** Those of these agents. */
  readonly waiting: readonly RunSummary[];
  readonly others: readonly EventForOthers[];
  readonly left: readonly LeftHeld[];
  /** What could not be handled. It stays open; everything else was handled. */
  readonly failures: readonly Failure[];
  /** Answers that were paid for and are of no use any more. */
  readonly unused: number;
}

class Applying {
  readonly #house: FleetTools;
  readonly #agents: Agents;
  readonly #session: FleetSession;
  readonly #touched = new Set<string>();
  readonly #failures = new Failures();
  readonly #outcomes = new Map<string, EventOutcome>();
  readonly #seen = new Set<string>();
  readonly #waiting = new Set<Subject>();
  readonly #heldEvents = new Map<string, Subject>();
  readonly #heldRuns = new Map<string, Subject>();

  constructor(house: FleetTools, agents: Agents, session: FleetSession) {
    this.#house = house;
    this.#agents = agents;
    this.#session = {
      ...session,
      only: agents,
      onStart: (run, isResumed) => {
        this.#touched.add(run.id);
        session.onStart?.(run, isResumed);
      },
    };
  }

  get outcomes(): EventOutcome[] {
    return [...this.#outcomes.values()];
  }

  get left(): LeftHeld[] {
    return [...this.#heldEvents, ...this.#heldRuns].map(([id, subject]) => ({ id, subject }));
  }

  get failures(): readonly Failure[] {
    return this.#failures.all;
  }

  /**
   * True when it is settled; false when what comes after it about the same subject has to wait; null when it is for others
   * or failed.
   */
  async #handle(open: OpenEvent): Promise<boolean | null> {
    const event = await readEvent(this.#house, open);
    if (event === null) {
      await refuseUnreadable(this.#house, open);
      this.#session.onUnreadable?.(open);
      return null;
    }
    if (!isFor(event, this.#agents)) return null;
    const outcome = await handleEvent(this.#house, event, this.#session);
    this.#outcomes.set(event.delivery, outcome);
    if (outcome.isHeld) this.#heldEvents.set(open.delivery, open.subject);
    return outcome.isSettled;
  }

  /** All open events, and those that follow from them. */
  async handleEvents(): Promise<void> {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      const open = await this.#house.views.listOpenEvents({ repository: this.#house.repositoryName });
      for (const one of open) {
        if (this.#seen.has(one.delivery) || this.#session.signal?.aborted === true) continue;
        // One run at a time works on a subject: a second one would not know what comes of the first.
        if (this.#waiting.has(one.subject)) continue;
        this.#seen.add(one.delivery);
        const isSettled = await this.#failures.collect(one.subject, null, () => this.#handle(one));
        if (isSettled === true) hasMoved = true;
        if (isSettled === false) this.#waiting.add(one.subject);
      }
    }
  }

  async #resume(run: RunSummary): Promise<void> {
    try {
      const outcome = await resumeAny(this.#house, run, this.#session);
      if (outcome === null) await stopRefused(this.#house, run);
    } catch (error) {
      if (!isGatewrightError(error, 'lease-held', 'lease-lost')) throw error;
      if (error.code === 'lease-held') this.#heldRuns.set(run.id, run.subject);
    }
  }

  /** Runs that wait although no open event leads to them any more. @param only these, when it is given */
  async resumeRest(only: ReadonlySet<string> | null = null): Promise<void> {
    for (const run of await listWaitingRuns(this.#house, this.#agents)) {
      if (only?.has(run.id) === false) continue;
      if (this.#touched.has(run.id) || this.#session.signal?.aborted === true) continue;
      await this.#failures.collect(run.subject, undefined, () => this.#resume(run));
    }
  }

  /** Once more what another process was working on, and what waited for it. */
  async retryHeld(): Promise<void> {
    for (const [delivery, subject] of this.#heldEvents) {
      this.#seen.delete(delivery);
      this.#waiting.delete(subject);
    }
    this.#heldEvents.clear();
    const runs = new Set(this.#heldRuns.keys());
    this.#heldRuns.clear();
    await this.handleEvents();
    if (runs.size > 0) await this.resumeRest(runs);
  }
}

async function listOthers(house: FleetTools, agents: Agents): Promise<EventForOthers[]> {
  const others: EventForOthers[] = [];
  for (const open of await house.views.listOpenEvents({ repository: house.repositoryName })) {
    const event = await readEvent(house, open);
    if (event === null || isFor(event, agents)) continue;
    const { delivery } = event;
    const told = readTold(delivery);
    if (told !== null) others.push({ delivery, file: told.file, from: told.run });
    const file = event.kind === 'handed-on' ? workflowFileOfWorker(event.to) : null;
    if (event.kind === 'handed-on' && file !== null) others.push({ delivery, file, from: event.from });
  }
  return others;
}

/** @param isFirst whether another job of this workflow run looks again, if a run waits for a model */
export async function applyRuns(
  house: FleetTools,
  agents: Agents,
  answers: ProposedAnswers,
  session: FleetSession,
  isFirst: boolean,
): Promise<Applied> {
  const acting = { ...house, half: answers };
  const applying = new Applying(acting, agents, session);
  await applying.handleEvents();
  await applying.resumeRest();
  const { clock } = house;
  const until = clock.now().getTime() + patienceMilliseconds;
  // The event stays open when this job ends, and nothing on GitHub would have another one look at it.
  while (applying.left.length > 0 && session.signal?.aborted !== true && clock.now().getTime() < until) {
    if (isFirst && (await listWaitingRuns(house, agents)).length > 0) break;
    await clock.sleep(pauseMilliseconds);
    await applying.retryHeld();
  }
  return {
    outcomes: applying.outcomes,
    waiting: await listWaitingRuns(house, agents),
    others: await listOthers(house, agents),
    left: applying.left,
    failures: applying.failures,
    unused: await answers.recordUnused(house),
  };
}
