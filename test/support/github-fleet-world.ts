/** The same as a fleet world, on GitHub: our small GitHub on loopback with real git behind it, and a clone of it. */

import { join } from 'node:path';
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { readWebhook } from '../../src/adapters/github/payloads/read-webhook.ts';
import { composeHouse } from '../../src/compose/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import { handleOpenEvents } from '../../src/fleet/handle-event.ts';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import type { House } from '../../src/runs/house.ts';
import type { SeededRun } from '../contracts/forge-world.ts';
import { openForge, seedWorkflowRun, tokenOf } from '../contracts/github-world.ts';
import { type Environment, FleetRoom, packageRoot } from './fleet-room.ts';
import { type Delivery, listDeliveries } from './github-deliveries.ts';
import { jobLogin } from './github-job-tokens.ts';
import { GithubServer } from './github-server.ts';
import type { StoredRepository } from './github-state.ts';
import { Playground } from './playground.ts';

const name = 'acme/project';

/** Whose token the agents work with. */
interface Identity {
  readonly own: string;
  readonly token: string;
}

export const agentAccount: Identity = {
  own: 'gatewright-agent[bot]',
  token: tokenOf('gatewright-agent[bot]'),
};
/** A job of GitHub Actions, with nothing but its own token. */
export const actionsJob: Identity = { own: jobLogin, token: 'ghs_canaryjob0123456789abcdefghijklmnopqr' };

function accessTo(server: GithubServer, { token }: Identity): Environment {
  return { GATEWRIGHT_FORGE: 'github', GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token };
}

export class GithubFleetWorld extends FleetRoom {
  readonly server: GithubServer;
  readonly stored: StoredRepository;
  readonly identity: Identity;
  /** Deliveries that are known to have been delivered, or that nobody reacts to. */
  readonly #known = new Set<string>();

  private constructor(
    playground: Playground,
    house: House,
    environment: Environment,
    server: GithubServer,
    stored: StoredRepository,
    identity: Identity,
  ) {
    super(playground, house, identity.own, { ...accessTo(server, identity), ...environment });
    this.server = server;
    this.stored = stored;
    this.identity = identity;
  }

  static async open(
    files: Readonly<Record<string, string>> = {},
    environment: Environment = {},
    identity: Identity = agentAccount,
  ): Promise<GithubFleetWorld> {
    const playground = new Playground({ brief: null });
    playground.commit(files);
    const server = await GithubServer.start();
    for (const login of ['alice', 'mallory']) server.addUser(login, tokenOf(login));
    const { own, token } = identity;
    if (identity === actionsJob) server.jobs.add(token, name);
    else server.addUser(own, token);
    const stored = server.state.addRepository(name, {
      ...(identity === actionsJob ? {} : { [own]: 'write' }),
      alice: 'admin',
    });
    playground.git('push', '--quiet', '--force', stored.git.folder, 'main');
    playground.git('remote', 'add', 'origin', `git@github.com:${name}.git`);
    const house = await GithubFleetWorld.#compose(playground, server, environment, identity);
    return new GithubFleetWorld(playground, house, environment, server, stored, identity);
  }

  static async #compose(
    playground: Playground,
    server: GithubServer,
    environment: Environment,
    identity: Identity,
  ): Promise<House> {
    const config = readConfig({
      ...playground.environment,
      ...accessTo(server, identity),
      ...environment,
    });
    const place = { repository: playground.repository, forge: 'github', name: null, asAgent: true } as const;
    const house = await composeHouse(config, packageRoot, place);
    // Without the second between two writes that GitHub asks for.
    const forge = openForge(server.url, { kind: 'token', token: identity.token });
    const git = new BareGit(playground.repository, playground.environment);
    return { ...house, forge, transport: forge.openTransport(git, join(playground.folder, 'transport')) };
  }

  override async reopen(environment: Environment): Promise<GithubFleetWorld> {
    const { playground, server, stored, identity } = this;
    const house = await GithubFleetWorld.#compose(playground, server, environment, identity);
    return new GithubFleetWorld(playground, house, environment, server, stored, identity);
  }

  override async as(login: string, permission?: Permission): Promise<GithubForge> {
    if (login === this.own) return openForge(this.server.url, { kind: 'token', token: this.identity.token });
    this.server.addUser(login, tokenOf(login));
    if (permission !== undefined) this.stored.roles.set(login, permission);
    return openForge(this.server.url, { kind: 'token', token: tokenOf(login) });
  }

  override branch(name: string, files: Readonly<Record<string, string>>): string {
    return this.stored.git.commit(name, files);
  }

  override async build(run: SeededRun): Promise<number> {
    return seedWorkflowRun(this.server.state, this.stored, run);
  }

  override headOf(branch: string): string | null {
    return this.stored.git.resolve(`refs/heads/${branch}`);
  }

  override fileAt(branch: string, path: string): string {
    return this.stored.git.run('show', `${branch}:${path}`);
  }

  override commitToMain(files: Readonly<Record<string, string>>): void {
    this.playground.commit(files);
    this.playground.git('push', '--quiet', this.stored.git.folder, 'main');
  }

  override async inThePast(days: number, act: (alice: GithubForge) => Promise<unknown>): Promise<void> {
    const { state } = this.server;
    state.advance(-days * 86_400_000);
    await act(await this.as('alice'));
    state.advance(days * 86_400_000);
  }

  /** What GitHub has told nobody yet. */
  async pending(): Promise<Delivery[]> {
    const isNew = (id: string): boolean => !this.#known.has(id);
    for (const { id } of listDeliveries(this.stored, isNew))
      if ((await this.house.ledger.find('event-received', id)) !== null) this.#known.add(id);
    return listDeliveries(this.stored, isNew);
  }

  /** As an event of ours, received; false when nobody reacts to it. */
  async receive(house: House, { id, name: kind, payload }: Delivery): Promise<boolean> {
    const event = readWebhook(kind, id, payload);
    if (!('ignored' in event)) await receiveEvent(house, event);
    this.#known.add(id);
    return !('ignored' in event);
  }

  override async catchUp(house = this.house): Promise<void> {
    await handleOpenEvents(house, { own: this.own }, () => undefined);
    for (let [next] = await this.pending(); next !== undefined; [next] = await this.pending()) {
      await this.receive(house, next);
      await handleOpenEvents(house, { own: this.own }, () => undefined);
    }
  }

  override git(...args: string[]): string {
    return this.stored.git.run(...args);
  }

  override look(): Promise<GithubForge> {
    return this.as('alice');
  }

  override async remove(): Promise<void> {
    await this.server.close();
    await super.remove();
  }
}
