/** A repository on the local forge with agents that listen, in this process: real git, real SQLite, recorded models. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { composeHouse } from '../../src/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { House } from '../../src/dispatch/house.ts';
import { receiveEvent } from '../../src/dispatch/receive-event.ts';
import { type EventOutcome, settleOpenEvents } from '../../src/dispatch/settle-event.ts';
import type { EventKind, EventOf } from '../../src/domain/event.ts';
import type { LedgerEntry } from '../../src/domain/ledger-entry.ts';
import type { Permission } from '../../src/domain/permission.ts';
import { Playground } from './playground.ts';

type Environment = Readonly<Record<string, string>>;

const packageRoot = join(import.meta.dirname, '..', '..');

/** Filled in when an event leaves them out. */
type Common = 'delivery' | 'at' | 'repository' | 'actor' | 'actorKind';

let deliveries = 0;

export class FleetWorld {
  readonly playground: Playground;
  readonly house: House;
  /** The login that agents act under. */
  readonly own = 'gatewright[bot]';

  private constructor(playground: Playground, house: House) {
    this.playground = playground;
    this.house = house;
  }

  /** Alice owns it; files are written and committed first. */
  static async open(
    files: Readonly<Record<string, string>> = {},
    environment: Environment = {},
  ): Promise<FleetWorld> {
    const playground = new Playground({ brief: null });
    for (const [path, content] of Object.entries(files)) playground.write(path, content);
    if (Object.keys(files).length > 0) {
      playground.git('add', '--all');
      playground.git('commit', '--quiet', '--message', 'Files');
    }
    return new FleetWorld(playground, await FleetWorld.#compose(playground, environment));
  }

  static #compose(playground: Playground, environment: Environment): Promise<House> {
    const config = readConfig({ ...playground.environment, ...environment });
    const place = { repository: playground.repository, forge: 'local', name: null, asAgent: true } as const;
    return composeHouse(config, packageRoot, place);
  }

  /** The same place with other settings, as after a restart. */
  async reopen(environment: Environment): Promise<FleetWorld> {
    return new FleetWorld(this.playground, await FleetWorld.#compose(this.playground, environment));
  }

  get repository(): string {
    return this.house.repositoryName;
  }

  /** The forge as somebody sees it; they get the permission first, if one is named. */
  async as(login: string, permission?: Permission): Promise<LocalForge> {
    const open = (actor: string) =>
      new LocalForge(openDatabase(this.playground.database), systemClock, actor, this.playground.environment);
    if (permission !== undefined) await open('alice').setPermission(this.repository, login, permission);
    return open(login);
  }

  /** A branch with these files on top of main, and a pull request for it. */
  async openPullRequest(
    branch: string,
    files: Readonly<Record<string, string>>,
    more: { readonly title?: string; readonly body?: string; readonly as?: string } = {},
  ): Promise<{ readonly number: number; readonly head: string }> {
    const { playground } = this;
    playground.git('checkout', '--quiet', '-b', branch, 'main');
    for (const [path, content] of Object.entries(files)) playground.write(path, content);
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', `Work on ${branch}`);
    const head = playground.git('rev-parse', 'HEAD');
    playground.git('checkout', '--quiet', 'main');
    const forge = await this.as(more.as ?? 'alice');
    const { number } = await forge.createPullRequest(this.repository, {
      title: more.title ?? `Work on ${branch}`,
      body: more.body ?? '',
      head: branch,
      base: 'main',
    });
    return { number, head };
  }

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
    await settleOpenEvents(this.house, { own: this.own }, (outcome) => outcomes.push(outcome));
    return outcomes;
  }

  entries(number: number): Promise<LedgerEntry[]> {
    return this.house.ledger.readSubject(`${this.repository}#${number}`);
  }

  /** A file with recorded answers; used as `cassette:FILE`. */
  cassette(content: object): string {
    const file = join(
      this.playground.folder,
      `cassette-${deliveries}-${Math.random().toString(36).slice(2)}.json`,
    );
    writeFileSync(file, JSON.stringify(content));
    return file;
  }

  remove(): void {
    this.playground.remove();
  }
}
