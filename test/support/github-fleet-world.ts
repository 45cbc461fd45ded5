/** The same as a fleet world, on GitHub: our small GitHub on loopback with real git behind it, and a clone of it. */

import { join } from 'node:path';
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { composeHouse } from '../../src/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { House } from '../../src/dispatch/house.ts';
import type { Permission } from '../../src/domain/permission.ts';
import { openForge, tokenOf } from '../contracts/github-world.ts';
import { type Environment, FleetRoom, packageRoot } from './fleet-room.ts';
import { GithubServer } from './github-server.ts';
import type { StoredRepository } from './github-state.ts';
import { Playground } from './playground.ts';

const name = 'acme/project';
const own = 'gatewright-agent[bot]';

function accessTo(server: GithubServer): Environment {
  return { GATEWRIGHT_FORGE: 'github', GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: tokenOf(own) };
}

export class GithubFleetWorld extends FleetRoom {
  readonly server: GithubServer;
  readonly stored: StoredRepository;

  private constructor(
    playground: Playground,
    house: House,
    environment: Environment,
    server: GithubServer,
    stored: StoredRepository,
  ) {
    super(playground, house, own, { ...accessTo(server), ...environment });
    this.server = server;
    this.stored = stored;
  }

  static async open(
    files: Readonly<Record<string, string>> = {},
    environment: Environment = {},
  ): Promise<GithubFleetWorld> {
    const playground = new Playground({ brief: null });
    playground.commit(files);
    const server = await GithubServer.start();
    for (const login of [own, 'alice', 'mallory']) server.addUser(login, tokenOf(login));
    const stored = server.state.addRepository(name, { [own]: 'write', alice: 'admin' });
    playground.git('push', '--quiet', '--force', stored.git.folder, 'main');
    playground.git('remote', 'add', 'origin', `git@github.com:${name}.git`);
    const house = await GithubFleetWorld.#compose(playground, server, environment);
    return new GithubFleetWorld(playground, house, environment, server, stored);
  }

  static async #compose(
    playground: Playground,
    server: GithubServer,
    environment: Environment,
  ): Promise<House> {
    const config = readConfig({
      ...playground.environment,
      ...accessTo(server),
      ...environment,
    });
    const place = { repository: playground.repository, forge: 'github', name: null, asAgent: true } as const;
    const house = await composeHouse(config, packageRoot, place);
    // Without the second between two writes that GitHub asks for.
    const forge = openForge(server.url, { kind: 'token', token: tokenOf(own) });
    const git = new BareGit(playground.repository, playground.environment);
    return { ...house, forge, transport: forge.openTransport(git, join(playground.folder, 'transport')) };
  }

  override async reopen(environment: Environment): Promise<GithubFleetWorld> {
    const { playground, server, stored } = this;
    const house = await GithubFleetWorld.#compose(playground, server, environment);
    return new GithubFleetWorld(playground, house, environment, server, stored);
  }

  override async as(login: string, permission?: Permission): Promise<GithubForge> {
    this.server.addUser(login, tokenOf(login));
    if (permission !== undefined) this.stored.roles.set(login, permission);
    return openForge(this.server.url, { kind: 'token', token: tokenOf(login) });
  }

  override headOf(branch: string): string | null {
    return this.stored.git.resolve(`refs/heads/${branch}`);
  }

  override fileAt(branch: string, path: string): string {
    return this.stored.git.run('show', `${branch}:${path}`);
  }

  override async remove(): Promise<void> {
    await this.server.close();
    await super.remove();
  }
}
