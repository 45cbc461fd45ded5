/**
 * Runs the fleet of a repository in one process: it takes events of the forge and of schedules, lets several agents
 * work at once on different subjects, and resumes runs whose waiting time is over. It may be stopped at any moment; the
 * next watch continues.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import { isAgentRun, type RunSummary } from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { isGatewrightError } from '../errors.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { Inbox } from '../ports/inbox.ts';
import type { OpenEvent } from '../ports/ledger.ts';
import type { FleetTools } from '../runs/house.ts';
import { isGivenUp } from './give-up-run.ts';
import { type EventOutcome, handleEvent } from './handle-event.ts';
import { handleQuietEvents } from './handle-quiet-events.ts';
import { readEvent, refuseUnreadable } from './read-event.ts';
import { receiveEvent, takeHappenings } from './receive-event.ts';
import { giveUp, resumeAny, subjectOfWork } from './resume-any.ts';
import type { FleetSession } from './run-agent.ts';
import { takeDeliveries } from './take-deliveries.ts';
import type { WakeSignal } from './wake-signal.ts';

export interface WatchOptions extends FleetSession {
  readonly signal: AbortSignal;
  /** Subjects that are worked on at the same time. */
  readonly workers: number;
  readonly pollMilliseconds: number;
  /** Fires when there is something to do before the next poll. */
  readonly wakeSignal?: WakeSignal;
  /** What the forge has delivered, where it delivers. */
  readonly inbox?: Inbox;
  readonly dueEvents: () => Promise<readonly FleetEvent[]>;
  readonly onEvent: (event: FleetEvent) => void;
  readonly onSettled: (outcome: EventOutcome) => void;
  /** Something went wrong that belongs to no run, such as a forge that cannot be reached; the watch goes on. */
  readonly onTrouble: (error: unknown) => void;
}

/** A run that time alone can help is tried again after this long, and not for ever. */
const retryAfter = 600_000;
const mostRetries = 5;

/** Whether a stopped run can be resumed because its waiting time is over. */
export function isDueToResume(run: RunSummary, now: Date): boolean {
  const { status, reason } = run;
  if (status === 'done' || status === 'running' || reason === null || run.request.dryRun) return false;
  if (run.isDismissed) return false;
  // An earlier watch was stopped, and the run with it.
  if (reason.code === 'cancelled') return true;
  if (status === 'paused') return new Date(reason.until ?? 0) <= now;
  return reason.owner === 'time' && now.getTime() - new Date(run.changedAt).getTime() >= retryAfter;
}

/** Stops after which a run is not tried again but goes on. */
const noFailures: readonly string[] = ['lease-held', 'cancelled', 'waits-for-model', 'gate'];

/** How often a run was tried again since it last came further. */
function countRetries(entries: readonly LedgerEntry[]): number {
  let count = 0;
  let stoppedBy = '';
  for (const entry of entries) {
    if (entry.kind === 'run-stopped') stoppedBy = entry.data.reason.code;
    if (entry.kind === 'run-resumed' && !noFailures.includes(stoppedBy)) count += 1;
    if (entry.kind === 'gate-answered' || entry.kind === 'task-judged') count = 0;
  }
  return count;
}

/**
 * For this many polls, the watch skips subjects that another process works on, and stopped runs, which are not urgent.
 */
const leaveFor = 10;
/** Limits the pause of an event that could not be settled: it doubles from ten seconds up to ten minutes. */
const mostDoublings = 7;

/** After this many events, the watch looks for other work. */
const mostAtOnce = 50;
/** The most events without an agent in one transaction: it must be short, because deliveries wait for it. */
const mostTogether = 32;
/** The most events that wait for an agent; with more, the watch looks for no further quiet events. */
const mostLoud = 1_000;

class Watch {
  readonly #house: FleetTools;
  readonly #options: WatchOptions;
  readonly #eventFeed: EventFeed | null;
  readonly #busy = new Map<Subject, Promise<void>>();
  /** Skipped until that time: another process works on it, or handling it failed. */
  readonly #later = new Map<string, number>();
  readonly #left = new Map<string, number>();
  /** Runs that this watch does not resume again. */
  readonly #refused = new Set<string>();
  /** Events that are known not to be quiet and wait for their turn, each with its subject. */
  readonly #loud = new Map<string, Subject>();
  /** When runs are looked at again. */
  #nextLook = 0;
  #cursor = 0;

  constructor(house: FleetTools, eventFeed: EventFeed | null, options: WatchOptions) {
    this.#house = house;
    this.#options = options;
    this.#eventFeed = eventFeed;
  }

  async run(): Promise<void> {
    const { signal, onTrouble, pollMilliseconds, wakeSignal } = this.#options;
    while (!signal.aborted) {
      wakeSignal?.reset();
      // Each by itself: a schedule that cannot be written must not keep out deliveries, nor these the work that is there.
      for (const step of [this.#takeFeed, this.#takeSchedules, this.#takeInbox, this.#startWork])
        await step.call(this).catch(onTrouble);
      const pause = sleep(pollMilliseconds, undefined, { signal, ref: true }).catch(() => undefined);
      await Promise.race([
        pause,
        ...this.#busy.values(),
        ...(wakeSignal === undefined ? [] : [wakeSignal.heard()]),
      ]);
    }
    await Promise.all(this.#busy.values());
  }

  async #takeFeed(): Promise<void> {
    if (this.#eventFeed === null) return;
    this.#cursor = await takeHappenings(this.#house, this.#eventFeed, this.#cursor, this.#options.onEvent);
  }

  async #takeSchedules(): Promise<void> {
    const { dueEvents, onEvent } = this.#options;
    for (const event of await dueEvents()) if (await receiveEvent(this.#house, event)) onEvent(event);
  }

  async #takeInbox(): Promise<void> {
    const { inbox, wakeSignal } = this.#options;
    // With more in the inbox, the next round begins at once.
    if (inbox !== undefined && (await takeDeliveries(this.#house, inbox, this.#options))) wakeSignal?.ring();
  }

  #isFull(): boolean {
    return this.#options.signal.aborted || this.#busy.size >= this.#options.workers;
  }

  #isLeft(name: string): boolean {
    return (this.#later.get(name) ?? 0) > this.#house.clock.now().getTime();
  }

  /** Longer each time: what always fails must not use up the calls that the forge grants in an hour. */
  #leave(name: string): void {
    const times = Math.min((this.#left.get(name) ?? 0) + 1, mostDoublings);
    this.#left.set(name, times);
    const pause = leaveFor * this.#options.pollMilliseconds * 2 ** (times - 1);
    this.#later.set(name, this.#house.clock.now().getTime() + pause);
  }

  #soon(): number {
    return this.#house.clock.now().getTime() + leaveFor * this.#options.pollMilliseconds;
  }

  async #startWork(): Promise<void> {
    const { views, repositoryName, clock } = this.#house;
    const now = clock.now().getTime();
    for (const [name, until] of this.#later) if (until <= now) this.#later.delete(name);
    // From time to time all are looked at again: another process may have settled some of them.
    if (now >= this.#nextLook) this.#loud.clear();
    await this.#handleQuietEvents();
    // However many are open, only those that can be begun now are looked at.
    for (let begun = 0; begun < mostAtOnce && !this.#isFull(); begun += 1) {
      const without = { subjects: [...this.#busy.keys()], deliveries: [...this.#later.keys()] };
      const [next] = await views.listOpenEvents({ repository: repositoryName, without }, 1);
      if (next === undefined || this.#isFull()) break;
      this.#loud.delete(next.delivery);
      this.#begin(next.subject, () => this.#settle(next));
    }
    if (!this.#isFull() && now >= this.#nextLook) await this.#resumeRuns();
  }

  /** Settles the events that no agent reacts to, even if many others wait for an agent. */
  async #handleQuietEvents(): Promise<void> {
    const { views, repositoryName } = this.#house;
    const { signal, onSettled, inbox } = this.#options;
    for (let count = 0; count < mostAtOnce && !signal.aborted && this.#loud.size < mostLoud; count += 1) {
      const without = {
        subjects: [...this.#busy.keys(), ...this.#loud.values()],
        deliveries: [...this.#later.keys()],
      };
      const open = await views.listOpenEvents({ repository: repositoryName, without }, mostTogether);
      const quiet = await handleQuietEvents(this.#house, open, this.#options);
      const settled = new Set(quiet.map(({ event }) => event.delivery));
      for (const { delivery, subject } of open) if (!settled.has(delivery)) this.#loud.set(delivery, subject);
      for (const { event, refused } of quiet)
        onSettled({ event, isSettled: true, isHeld: false, outcomes: [], workflow: null, refused });
      if (open.length < mostTogether) return;
      if (await inbox?.yieldToReceiver()) return;
    }
  }

  async #resumeRuns(): Promise<void> {
    const { repositoryName, views, clock, repository } = this.#house;
    const now = clock.now();
    const filter = { repository: repositoryName, root: repository.root, doneSince: 'never' };
    for (const run of await views.listRuns(filter)) {
      if (this.#isFull()) return;
      const subject = subjectOfWork(run);
      if (subject === null || this.#busy.has(subject)) continue;
      if (this.#refused.has(run.id) || this.#isLeft(run.id)) continue;
      if (isDueToResume(run, now) || isGivenUp(run) || (await this.#isCutOff(run)))
        this.#begin(subject, () => this.#resume(run));
    }
    this.#nextLook = this.#soon();
  }

  /**
   * Whether the process that resumed this run after its event was settled has died: nothing else resumes such a run.
   */
  async #isCutOff(run: RunSummary): Promise<boolean> {
    if (run.status !== 'running' || run.request.dryRun || run.isDismissed) return false;
    const { ledger, leases } = this.#house;
    // While the event is open, handling it resumes the run.
    const isSettled = !isAgentRun(run) || (await ledger.find('event-settled', run.request.delivery)) !== null;
    if (!isSettled) return false;
    return (await leases.holderOf(run.subject)) === null;
  }

  #begin(subject: Subject, work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#options.onTrouble(error))
      .finally(() => this.#busy.delete(subject));
    this.#busy.set(subject, done);
  }

  async #settle(open: OpenEvent): Promise<void> {
    try {
      const event = await readEvent(this.#house, open);
      if (event === null) {
        await refuseUnreadable(this.#house, open);
        this.#options.onUnreadable?.(open);
        return;
      }
      const outcome = await handleEvent(this.#house, event, this.#options);
      if (!outcome.isSettled) this.#leave(open.delivery);
      this.#options.onSettled(outcome);
    } catch (error) {
      this.#leave(open.delivery);
      throw error;
    }
  }

  async #resume(run: RunSummary): Promise<void> {
    try {
      await this.#goOn(run);
    } catch (error) {
      this.#leave(run.id);
      // Another process works on it, which is not an error.
      if (!isGatewrightError(error, 'lease-held', 'lease-lost')) throw error;
    }
  }

  async #goOn(run: RunSummary): Promise<void> {
    const entries = await this.#house.ledger.readRun(run.id);
    const isTriedEnough = run.reason?.code !== 'cancelled' && countRetries(entries) >= mostRetries;
    // Fails when no person could be told: then it is tried again after a pause.
    if (isTriedEnough) await giveUp(this.#house, run, mostRetries + 1, this.#options);
    const outcome = isTriedEnough
      ? null
      : await resumeAny(this.#house, run, this.#options).catch((error: unknown) => {
          // Reading the event again would fail again.
          if (isGatewrightError(error, 'event-unreadable')) this.#refused.add(run.id);
          throw error;
        });
    if (outcome === null) this.#refused.add(run.id);
  }
}

/** Runs until the signal fires. Without an event feed, the receiver of events gives the wake signal. */
export function watchFleet(
  house: FleetTools,
  eventFeed: EventFeed | null,
  options: WatchOptions,
): Promise<void> {
  return new Watch(house, eventFeed, options).run();
}
