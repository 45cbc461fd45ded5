/**
 * Tells people outside the forge what waits for them and what has stopped, beside the work of the fleet: each message is
 * an effect with its intent and receipt on a chain of its own, so that it is neither lost nor repeated by a crash before
 * or after it is sent. One process of a repository tells at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { choreSubject } from '../../domain/ledger/subject.ts';
import { notificationChore, runOfMessage } from '../../domain/notifications/notification.ts';
import type { NotificationSettings } from '../../domain/notifications/notification-settings.ts';
import { isGatewrightError, toGatewrightError } from '../../errors.ts';
import type { ClosedIssues } from '../../ports/closed-issues.ts';
import type { Lease } from '../../ports/leases.ts';
import type { NotificationChannel } from '../../ports/notifications/notification-channel.ts';
import { holdLease } from '../../runs/hold-lease.ts';
import type { RepositoryAccess } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import { readStatus } from '../../runs/read-status.ts';
import { gatherMatters, type RunMemory } from './gather-matters.ts';
import { foldTold, nothingTold, type Told } from './rules/fold-told.ts';
import { type Plan, type PlannedMessage, planMessages } from './rules/plan-messages.ts';

export interface NotificationDesk {
  readonly people: NotificationSettings['people'];
  readonly channels: ReadonlyMap<string, NotificationChannel>;
  /** What this machine knows to be closed, and what the forge says when it is asked. */
  readonly closed: ClosedIssues;
  readonly closedFreshly: ClosedIssues;
  readonly webBase: string | null;
  /** Whether a folder exists. */
  readonly exists: (folder: string) => boolean;
}

export interface ToldOutcome {
  readonly channel: string;
  readonly to: string;
  /** What was answered; null when the message was not taken. */
  readonly answer: string | null;
  readonly why: string;
}

export interface Round {
  readonly outcomes: readonly ToldOutcome[];
  readonly held: number;
  /** Another process tells. */
  readonly isElsewhere: boolean;
}

/** What is known to be closed by now is asked about again after this long. */
const closedFor = 600_000;
/** A channel that did not take a message is left alone for this long. */
const restAfterFailure = 30_000;
const elsewherePause = 10_000;
const partSize = 500;

const nothingDone: Round = { outcomes: [], held: 0, isElsewhere: false };

/** A channel that sends until the signal fires. */
function giveUpBy(channel: NotificationChannel, signal: AbortSignal | undefined): NotificationChannel {
  const { name, kind, address } = channel;
  const send: NotificationChannel['send'] = (message) => channel.send(message, signal);
  return { name, kind, address, send, check: (until) => channel.check(until) };
}

export class Teller {
  readonly #house: RepositoryAccess;
  readonly #desk: NotificationDesk;
  readonly #subject: string;
  readonly #memory: RunMemory = new Map();
  /** Subjects that the forge said are closed, with until when that is believed. */
  readonly #closed = new Map<string, number>();
  readonly #resting = new Map<string, number>();
  #told: Told = nothingTold;
  #read = 0;
  #position = -1;
  #nextAt: number | null = null;

  /** @param signal gives up what is being sent */
  constructor(house: RepositoryAccess, desk: NotificationDesk, signal?: AbortSignal) {
    this.#house = house;
    this.#desk = {
      ...desk,
      channels: new Map([...desk.channels].map(([name, one]) => [name, giveUpBy(one, signal)])),
    };
    this.#subject = choreSubject(house.repositoryName, notificationChore);
  }

  /** Whether there may be something to tell: looking costs more than asking this. */
  async isDue(): Promise<boolean> {
    const now = this.#house.clock.now().getTime();
    if (this.#nextAt !== null && this.#nextAt <= now) return true;
    return (await this.#house.ledger.readPosition()) !== this.#position;
  }

  async tell(): Promise<Round> {
    try {
      return await this.#tellWhatIsDue();
    } catch (error) {
      // What is due now has to be looked for again, also when nothing more is written.
      this.#position = -1;
      throw error;
    }
  }

  async #tellWhatIsDue(): Promise<Round> {
    const { ledger, leases } = this.#house;
    this.#position = await ledger.readPosition();
    await this.#catchUp();
    const first = await this.#plan(this.#desk.closed);
    if (first.due.length === 0) return { ...nothingDone, held: first.held };
    const got = await leases.acquire(this.#subject);
    if ('heldBy' in got) {
      this.#nextAt = this.#house.clock.now().getTime() + elsewherePause;
      return { ...nothingDone, isElsewhere: true };
    }
    try {
      return await holdLease(got.lease, undefined, () => this.#tellUnder(got.lease));
    } finally {
      await got.lease.release();
    }
  }

  async #tellUnder(lease: Lease): Promise<Round> {
    // Another process may have told some of it until now.
    await this.#catchUp();
    const plan = await this.#plan(this.#desk.closedFreshly);
    const byChannel = Map.groupBy(plan.due, ({ channel }) => channel);
    // Side by side, so that a channel that is slow keeps no other waiting.
    const told = await Promise.allSettled(
      [...byChannel.values()].map((messages) => this.#tellChannel(lease, messages)),
    );
    // Only then: while one of them sends, the lease has to be held.
    for (const one of told) if (one.status === 'rejected') throw one.reason;
    await this.#catchUp();
    return {
      outcomes: told.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
      held: plan.held,
      isElsewhere: false,
    };
  }

  /** Reads what was told since. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const entries = await this.#house.ledger.readPart(this.#subject, this.#read, partSize);
      this.#told = foldTold(this.#told, entries);
      this.#read = entries.at(-1)?.seq ?? this.#read;
      if (entries.length < partSize) return;
    }
  }

  async #plan(closed: ClosedIssues): Promise<Plan> {
    const { ledger, views, leases, clock, repositoryName, repository } = this.#house;
    const { people, channels, exists, webBase } = this.#desk;
    const now = clock.now();
    const place = { folder: repository.root, onlyOf: repositoryName, exists };
    const status = await readStatus({ views, leases, closed: this.#remembering(closed), ...place }, now);
    const sources = { ledger, views, leases, memory: this.#memory, webBase, now };
    const { matters, nextAt } = await gatherMatters(sources, status);
    const awake = [...channels.values()].filter(
      ({ name }) => (this.#resting.get(name) ?? 0) <= now.getTime(),
    );
    const addresses = new Map(awake.map(({ name, address }) => [name, address]));
    const facts = { repository: repositoryName, matters, people, addresses, told: this.#told, now };
    const plan = planMessages(facts);
    const times = [plan.nextAt, nextAt, ...this.#resting.values()].filter(
      (at) => at !== null && at > now.getTime(),
    );
    this.#nextAt = times.length === 0 ? null : Math.min(...(times as number[]));
    return plan;
  }

  /** What was closed a moment ago is not asked about again and again. */
  #remembering(closed: ClosedIssues): ClosedIssues {
    return {
      listHeld: (subjects) => closed.listHeld(subjects),
      listClosed: async (subjects) => {
        const now = this.#house.clock.now().getTime();
        for (const [subject, until] of this.#closed) if (until <= now) this.#closed.delete(subject);
        const known = subjects.filter((subject) => this.#closed.has(subject));
        const found = await closed.listClosed(subjects.filter((subject) => !this.#closed.has(subject)));
        for (const subject of found) this.#closed.set(subject, now + closedFor);
        return [...known, ...found];
      },
    };
  }

  async #tellChannel(lease: Lease, messages: readonly PlannedMessage[]): Promise<ToldOutcome[]> {
    const outcomes: ToldOutcome[] = [];
    for (const planned of messages) {
      const outcome = await this.#send(lease, planned);
      outcomes.push(outcome);
      if (outcome.answer !== null) continue;
      // The others would fail in the same way, each after its own wait.
      this.#resting.set(planned.channel, this.#house.clock.now().getTime() + restAfterFailure);
      break;
    }
    return outcomes;
  }

  async #send(lease: Lease, planned: PlannedMessage): Promise<ToldOutcome> {
    const { ledger } = this.#house;
    const { channels } = this.#desk;
    const before = planned.is === 'again' ? this.#told.get(planned.id)?.effect : undefined;
    const id = planned.is === 'again' ? planned.id : planned.message.id;
    const channel = planned.channel;
    const to = planned.is === 'again' ? (before?.to ?? '') : planned.message.to;
    const effects = makeEffects(this.#house, {
      run: runOfMessage(id),
      subject: this.#subject,
      fence: lease,
      allowance: { 'send-notification': 1 },
      dryRun: false,
      channels,
    });
    try {
      const { answer } = await effects.perform('send', 'send-notification', async () => ({
        ...{ channel, to, id },
        address: channels.get(channel)?.address ?? '',
        matters: planned.is === 'again' ? (before?.matters ?? []) : planned.matters,
        message:
          planned.is === 'again' ? planned.text : await ledger.putText(JSON.stringify(planned.message)),
      }));
      return { channel, to, answer, why: '' };
    } catch (error) {
      if (!isGatewrightError(error, 'notification-failed', 'notification-refused')) throw error;
      return { channel, to, answer: null, why: toGatewrightError(error).message };
    }
  }
}

export interface TellOptions {
  readonly signal: AbortSignal;
  readonly pollMilliseconds: number;
  readonly onOutcome: (outcome: ToldOutcome) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** A message that is on its way when the program is stopped may still arrive. */
const graceToArrive = 3_000;

/** Tells until the signal fires. */
export async function tellPeople(
  house: RepositoryAccess,
  desk: NotificationDesk,
  { signal, pollMilliseconds, onOutcome, onTrouble }: TellOptions,
): Promise<void> {
  const giveUp = new AbortController();
  const stop = (): void => void setTimeout(() => giveUp.abort(), graceToArrive).unref();
  signal.addEventListener('abort', stop, { once: true });
  const teller = new Teller(house, desk, giveUp.signal);
  while (!signal.aborted) {
    try {
      if (await teller.isDue()) for (const outcome of (await teller.tell()).outcomes) onOutcome(outcome);
    } catch (error) {
      onTrouble(error);
      await sleep(10 * pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
    await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
