/** The small GitHub, and a clone of its repository on this machine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { GitStore } from '../support/git-store.ts';
import { type GithubWorld, makeGithubWorld, tokenOf } from './github-world.ts';
import { gitEnvironment } from './local-world.ts';
import type { TransportWorld } from './transport.contract.ts';

export interface GithubTransportWorld extends TransportWorld {
  readonly server: GithubWorld['server'];
  readonly stored: GithubWorld['stored'];
  /** Everything that is written on this machine is below it. */
  readonly folder: string;
  open(forge: GithubForge, environment?: Readonly<Record<string, string>>): Transport;
  forgeAs(actor: string): GithubForge;
}

export async function makeGithubTransportWorld(): Promise<GithubTransportWorld> {
  const world = await makeGithubWorld();
  const { actors, repository, server } = world;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-transport-')));
  const [home, scratch, place] = ['home', 'scratch', 'clone'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  // As it was a while ago, when it was cloned.
  world.git.run('clone', '--quiet', '--no-hardlinks', world.git.folder, place);
  const clone = GitStore.open(place);
  clone.run('remote', 'set-url', 'origin', 'git@github.com:acme/project.git');
  const environment = { ...gitEnvironment, HOME: home };
  const forgeAs = (actor: string) => world.forgeAs(actor) as GithubForge;
  const open: GithubTransportWorld['open'] = (forge, more = {}) =>
    forge.openTransport(new BareGit(place, { ...environment, ...more }), scratch);
  const transportAs = (actor: string): Transport => open(forgeAs(actor));
  return {
    server,
    stored: world.stored,
    folder,
    open,
    forgeAs,
    transport: transportAs(actors.write),
    transportAs,
    forge: world.forge,
    repository,
    actors,
    git: world.git,
    clone,
    childArguments: ['github', server.url, repository, tokenOf(actors.write), place, scratch],
    close: async () => {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
