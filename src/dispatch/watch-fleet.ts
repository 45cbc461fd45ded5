/**
 * Keeps a repository alive in one process: takes what happened on its forge and what the clock says, lets several agents
 * work at once on different subjects, and takes up what time has freed. May be stopped at any moment; the next one goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetEvent } from '../domain/event.ts';
import type { AgentRequest, RunSummary } from '../domain/run.ts';
import type { Subject } from '../domain/subject.ts';
import type { Happenings } from '../ports/happenings.ts';
import type { House } from './house.ts';
import { type ActorRefusal, judgeActor } from './judge-actor.ts';
import { receiveEvent, subjectOfEvent, takeHappenings } from './receive-event.ts';
import { type FleetSession, resumeAgentRun } from './run-agent.ts';
import { type EventOutcome, readEvent, settleEvent } from './settle-event.ts';

export interface WatchOptions extends FleetSession {
  readonly signal: AbortSignal;
  /** Subjects that are worked on at the same time. */
  readonly workers: number;
  readonly pollMilliseconds: number;
  readonly dueEvents: () => Promise<readonly FleetEvent[]>;
  readonly onEvent: (event: FleetEvent) => void;
  readonly onSettled: (outcome: EventOutcome) => void;
  /** Something went wrong that belongs to no run, such as a forge that cannot be reached; the watch goes on. */
  readonly onTrouble: (error: unknown) => void;
}

/** A run that time alone can help is tried again after this long, and not for ever. */
const retryAfter = 600_000;
const mostRetries = 5;

function isAgentRun(run: RunSummary): run is RunSummary<AgentRequest> {
  return run.request.workflow === 'agent';
}

/** Whether time, and nothing else, has freed a stopped run. */
export function isDueToResume(run: RunSummary, now: Date): boolean {
  const { status, reason } = run;
  if (status === 'done' || status === 'running' || reason === null || run.request.dryRun) return false;
  // Stopped by whoever watched before.
  if (reason.code === 'cancelled') return true;
  if (status === 'paused') return new Date(reason.until ?? 0) <= now;
  return reason.owner === 'time' && now.getTime() - new Date(run.changedAt).getTime() >= retryAfter;
}

class Watch {
  readonly #house: House;
  readonly #options: WatchOptions;
  readonly #happenings: Happenings;
  readonly #busy = new Map<Subject, Promise<void>>();
  /** Left for a while because somebody else is at it. */
  readonly #later = new Map<string, number>();
  /** Runs that are not taken up again by this watch. */
  readonly #refused = new Set<string>();
  #cursor = 0;

  constructor(house: House, happenings: Happenings, options: WatchOptions) {
    this.#house = house;
    this.#options = options;
    this.#happenings = happenings;
  }

  async run(): Promise<void> {
    const { signal, onTrouble, pollMilliseconds } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#take();
        await this.#startWork();
      } catch (error) {
        onTrouble(error);
      }
      const pause = sleep(pollMilliseconds, undefined, { signal, ref: true }).catch(() => undefined);
      await Promise.race([pause, ...this.#busy.values()]);
    }
    await Promise.all(this.#busy.values());
  }

  async #take(): Promise<void> {
    const { onEvent } = this.#options;
    this.#cursor = await takeHappenings(this.#house, this.#happenings, this.#cursor, onEvent);
    for (const event of await this.#options.dueEvents())
      if (await receiveEvent(this.#house, event)) onEvent(event);
  }

  async #startWork(): Promise<void> {
    const { repositoryName, views, clock } = this.#house;
    const now = clock.now();
    for (const open of views.listOpenEvents()) {
      if (this.#options.signal.aborted || this.#busy.size >= this.#options.workers) return;
      if ((this.#later.get(open.delivery) ?? 0) > now.getTime() || this.#busy.has(open.subject)) continue;
      const event = await readEvent(this.#house, open);
      if (event.repository === repositoryName) this.#begin(subjectOfEvent(event), () => this.#settle(event));
    }
    for (const run of views.listRuns().filter(isAgentRun)) {
      if (this.#options.signal.aborted || this.#busy.size >= this.#options.workers) return;
      if (run.request.repository !== repositoryName || run.request.root !== this.#house.repository.root)
        continue;
      if (isDueToResume(run, now) && !this.#busy.has(run.subject) && !this.#refused.has(run.id))
        this.#begin(run.subject, () => this.#resume(run));
    }
  }

  #begin(subject: Subject, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#options.onTrouble(error))
      .finally(() => this.#busy.delete(subject));
    this.#busy.set(subject, done);
  }

  async #settle(event: FleetEvent): Promise<void> {
    const wait = (): void => {
      const now = this.#house.clock.now().getTime();
      this.#later.set(event.delivery, now + 10 * this.#options.pollMilliseconds);
    };
    try {
      const outcome = await settleEvent(this.#house, event, this.#options);
      if (!outcome.isSettled) wait();
      this.#options.onSettled(outcome);
    } catch (error) {
      wait();
      throw error;
    }
  }

  async #resume(run: RunSummary<AgentRequest>): Promise<void> {
    const { ledger } = this.#house;
    const resumed = (await ledger.readRun(run.id)).filter((entry) => entry.kind === 'run-resumed');
    if (run.reason?.code !== 'cancelled' && resumed.length >= mostRetries) return;
    const received = await ledger.find('event-received', run.request.delivery);
    if (received === null) return;
    const event = await readEvent(this.#house, received.data);
    // Whoever asked for it may have lost the right to since; then it takes a person to go on.
    const isOrder = run.request.agent === 'implementer' && event.kind !== 'handed-on';
    const refusal = isOrder ? await judgeActor(this.#house, event) : null;
    if (refusal === null) await resumeAgentRun(this.#house, run, event, this.#options);
    else {
      this.#refused.add(run.id);
      await this.#refuse(run, event, refusal);
    }
  }

  async #refuse(run: RunSummary, event: FleetEvent, refusal: ActorRefusal): Promise<void> {
    const { ledger, actor } = this.#house;
    const { because, detail } = refusal;
    const key = `${event.delivery}/implementer/${run.id}`;
    if ((await ledger.find('event-refused', key)) !== null) return;
    const data = {
      delivery: event.delivery,
      agent: 'implementer',
      by: event.actor,
      because,
      detail,
    } as const;
    await ledger.append([{ subject: run.subject, run: '', actor, kind: 'event-refused', key, data }]);
  }
}

/** Runs until the signal fires. */
export function watchFleet(house: House, happenings: Happenings, options: WatchOptions): Promise<void> {
  return new Watch(house, happenings, options).run();
}
