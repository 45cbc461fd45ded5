/** The small GitHub with one person for each permission, and forges that act for them. */
import { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { GithubServer } from '../support/github-server.ts';
import type { ForgeWorld } from './forge-world.ts';

export const actors = {
  none: 'nobody',
  read: 'reader',
  triage: 'triager',
  write: 'writer',
  maintain: 'maintainer',
  admin: 'owner',
} as const;

export const tokenOf = (actor: string): string => `ghp_canary_${actor}_0123456789`;

export async function makeGithubWorld(): Promise<
  ForgeWorld & { readonly server: GithubServer; readonly forge: GithubForge }
> {
  const server = await GithubServer.start();
  // Three to a page: no list of more than that passes without turning pages.
  server.mostPerPage = 3;
  const repository = 'acme/project';
  for (const actor of Object.values(actors)) server.addUser(actor, tokenOf(actor));
  server.state.addRepository(
    repository,
    Object.fromEntries(Object.entries(actors).map(([permission, actor]) => [actor, permission])) as Record<
      string,
      keyof typeof actors
    >,
  );
  const forgeAs = (actor: string): GithubForge =>
    new GithubForge({
      apiUrl: server.url,
      token: tokenOf(actor),
      clock: systemClock,
      userAgent: 'gatewright-test',
      isHurried: true,
    });
  return {
    server,
    forge: forgeAs(actors.admin),
    forgeAs,
    repository,
    actors,
    pause: async () => server.state.advance(1000),
    close: () => server.close(),
  };
}
