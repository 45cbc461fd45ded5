/** A repository on the local forge with agents that listen, in this process: real git, real SQLite, recorded models. */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { composeHouse } from '../../src/compose/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import { handleFeed } from '../../src/fleet/handle-event.ts';
import type { House } from '../../src/runs/house.ts';
import type { SeededRun } from '../contracts/forge-world.ts';
import { type Environment, FleetRoom, packageRoot } from './fleet-room.ts';
import { Playground } from './playground.ts';

const own = 'gatewright[bot]';

export class FleetWorld extends FleetRoom {
  /** Alice owns it; files are written and committed first. */
  static async open(
    files: Readonly<Record<string, string>> = {},
    environment: Environment = {},
  ): Promise<FleetWorld> {
    const playground = new Playground({ brief: null });
    playground.commit(files);
    return new FleetWorld(playground, await FleetWorld.#compose(playground, environment), own, environment);
  }

  static #compose(playground: Playground, environment: Environment): Promise<House> {
    const config = readConfig({ ...playground.environment, ...environment });
    const place = { repository: playground.repository, forge: 'local', name: null, asAgent: true } as const;
    return composeHouse(config, packageRoot, place);
  }

  override async reopen(environment: Environment): Promise<FleetWorld> {
    return new FleetWorld(
      this.playground,
      await FleetWorld.#compose(this.playground, environment),
      own,
      environment,
    );
  }

  override async as(login: string, permission?: Permission): Promise<LocalForge> {
    const open = (actor: string) =>
      new LocalForge(openDatabase(this.playground.database), systemClock, actor, this.playground.environment);
    if (permission !== undefined) await open('alice').setPermission(this.repository, login, permission);
    return open(login);
  }

  override branch(branch: string, files: Readonly<Record<string, string>>): string {
    const { playground } = this;
    playground.git('checkout', '--quiet', '-b', branch, 'main');
    for (const [path, content] of Object.entries(files)) playground.write(path, content);
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', `Work on ${branch}`);
    const head = playground.git('rev-parse', 'HEAD');
    playground.git('checkout', '--quiet', 'main');
    return head;
  }

  override async build(run: SeededRun): Promise<number> {
    return (await this.as('alice')).recordWorkflowRun(this.repository, run);
  }

  override headOf(branch: string): string | null {
    const found = this.playground.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
    return found === '' ? null : found;
  }

  override fileAt(branch: string, path: string): string {
    return this.playground.git('show', `${branch}:${path}`);
  }

  override commitToMain(files: Readonly<Record<string, string>>): void {
    this.playground.commit(files);
  }

  override async inThePast(days: number, act: (alice: LocalForge) => Promise<unknown>): Promise<void> {
    const { database, environment } = this.playground;
    const now = () => new Date(systemClock.now().getTime() - days * 86_400_000);
    const connection = openDatabase(database);
    await act(new LocalForge(connection, { ...systemClock, now }, 'alice', environment));
    connection.close();
  }

  override async catchUp(house = this.house): Promise<void> {
    await handleFeed(house, { own: this.own }, () => undefined);
  }

  override git(...args: string[]): string {
    return this.playground.git(...args);
  }

  override look(): Promise<LocalForge> {
    return this.as('alice');
  }
}
