/** What a place with agents that listen has on every forge: events to deliver, a ledger to look into, recorded models. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventKind, EventOf } from '../../src/domain/fleet/event.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { type EventOutcome, handleOpenEvents } from '../../src/fleet/handle-event.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { Forge } from '../../src/ports/forge/forge.ts';
import type { House } from '../../src/runs/house.ts';
import type { SeededRun } from '../contracts/forge-world.ts';
import type { Playground } from './playground.ts';

export type Environment = Readonly<Record<string, string>>;

export const packageRoot = join(import.meta.dirname, '..', '..');

/** Filled in when an event leaves them out. */
type Common = 'delivery' | 'at' | 'repository' | 'actor' | 'actorKind';

let deliveries = 0;

export abstract class FleetRoom {
  readonly playground: Playground;
  readonly house: House;
  /** The login that agents act under. */
  readonly own: string;

  /** What it was opened with, for starting the program itself. */
  readonly environment: Environment;

  protected constructor(playground: Playground, house: House, own: string, environment: Environment) {
    this.playground = playground;
    this.house = house;
    this.own = own;
    this.environment = environment;
  }

  get repository(): string {
    return this.house.repositoryName;
  }

  /** The forge as somebody sees it; they get the permission first, if one is named. */
  abstract as(login: string, permission?: Permission): Promise<Forge>;
  /** The same place with other settings, as after a restart. */
  abstract reopen(environment: Environment): Promise<FleetRoom>;
  /** A branch of the forge with these files on top of main; returns its commit. */
  abstract branch(name: string, files: Readonly<Record<string, string>>): string;
  /** A build of a commit, with what its failed steps printed; returns its id. */
  abstract build(run: SeededRun): Promise<number>;
  /** Where a branch of the forge is; null when there is none. */
  abstract headOf(branch: string): string | null;
  abstract fileAt(branch: string, path: string): string;
  /** Commits to main, as somebody who pushes there. */
  abstract commitToMain(files: Readonly<Record<string, string>>): void;
  /** Has Alice do something so many days ago. */
  abstract inThePast(days: number, act: (alice: Forge) => Promise<unknown>): Promise<void>;
  /** Lets agents act on everything that happened, until nothing more comes of it. */
  abstract catchUp(house?: House): Promise<void>;
  /** The repository of the forge, for looking into it. */
  abstract git(...args: string[]): string;
  /** For looking; as somebody who may see everything. */
  abstract look(): Promise<Forge>;

  /** An event as it would arrive; by Alice, unless told otherwise. */
  event<K extends EventKind>(
    kind: K,
    more: Omit<EventOf<K>, Common | 'kind'> & Partial<Pick<EventOf<K>, Common>>,
  ): EventOf<K> {
    deliveries += 1;
    return {
      kind,
      delivery: `d-${deliveries}`,
      at: new Date().toISOString(),
      repository: this.repository,
      actor: 'alice',
      actorKind: 'person',
      ...more,
    } as unknown as EventOf<K>;
  }

  /** Delivers events and settles everything that comes of them. */
  async deliver(...events: readonly EventOf<EventKind>[]): Promise<EventOutcome[]> {
    for (const event of events) await receiveEvent(this.house, event);
    return this.settle();
  }

  async settle(): Promise<EventOutcome[]> {
    const outcomes: EventOutcome[] = [];
    await handleOpenEvents(this.house, { own: this.own }, (outcome) => outcomes.push(outcome));
    return outcomes;
  }

  entries(number: number): Promise<LedgerEntry[]> {
    return this.house.ledger.readSubject(`${this.repository}#${number}`);
  }

  /** A file with recorded answers; used as `cassette:FILE`. */
  cassette(content: object): string {
    const name = `cassette-${deliveries}-${Math.random().toString(36).slice(2)}.json`;
    const file = join(this.playground.folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  /** A branch with these files on top of main, and a pull request for it. */
  async openPullRequest(
    branch: string,
    files: Readonly<Record<string, string>>,
    more: { readonly title?: string; readonly body?: string; readonly as?: string } = {},
  ): Promise<{ readonly number: number; readonly head: string }> {
    const head = this.branch(branch, files);
    const forge = await this.as(more.as ?? 'alice');
    const { number } = await forge.createPullRequest(this.repository, {
      title: more.title ?? `Work on ${branch}`,
      body: more.body ?? '',
      head: branch,
      base: 'main',
    });
    return { number, head };
  }

  remove(): void | Promise<void> {
    this.playground.remove();
  }
}
