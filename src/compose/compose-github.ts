/** Composition of the GitHub side; loaded only when GitHub is the forge, because Octokit takes a while. */
import { join } from 'node:path';
import { BareGit } from '../adapters/git/bare-git.ts';
import { GitKeptWork } from '../adapters/git-ledger/git-kept-work.ts';
import type { LedgerServer } from '../adapters/git-ledger/ledger-place.ts';
import { DiskAnswerCache } from '../adapters/github/client/disk-answer-cache.ts';
import { findToken } from '../adapters/github/client/find-token.ts';
import { type GithubForge, makeGithubForge } from '../adapters/github/github-forge.ts';
import { makeFetch } from '../adapters/network/network-fetch.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Config } from '../config/load-config.ts';
import { readGithubAccess } from '../config/read-github-access.ts';
import type { RecordsUse } from '../entrypoints/cli/app.ts';
import type { CheckupWorld } from '../ports/checkup.ts';
import type { KeptWork } from '../ports/proposals/kept-work.ts';
import type { Transport } from '../ports/transport.ts';
import { findGithub, type GithubPlace, type GitRemotes } from './compose-github-place.ts';

interface GithubSide {
  readonly forge: GithubForge;
  readonly repositoryName: string;
  /** The login that the token belongs to: on GitHub that is who acts. */
  readonly actor: string;
  readonly transport: Transport;
  readonly workflows: GithubForge['workflows'];
  readonly keptWork?: KeptWork;
}

/** An App goes before every token: a job of GitHub Actions always has one of its own. */
async function makeForge(config: Config, place: GithubPlace, keeps: boolean): Promise<GithubForge> {
  const { apiUrl, host, repository } = place;
  const { app, cache, cacheFolder } = readGithubAccess(config.environment);
  return makeGithubForge({
    apiUrl,
    credential:
      app === null
        ? { kind: 'token', token: await findToken(config.github.token, host, config.environment) }
        : { kind: 'app', ...app, repository },
    clock: systemClock,
    userAgent: 'gatewright',
    fetch: makeFetch(config.environment),
    ...(cache === 'off' ? { makeCache: null } : {}),
    ...(cacheFolder === null || !keeps
      ? {}
      : { makeCache: (lock: string) => new DiskAnswerCache(cacheFolder, lock) }),
  });
}

export async function openGithub(
  config: Config,
  name: string | null,
  git: GitRemotes,
  root: string,
  use: RecordsUse = 'write',
): Promise<GithubSide> {
  const place = await findGithub(config, name, git);
  const forge = await makeForge(config, place, true);
  const commits = new BareGit(root, config.environment);
  const scratch = join(config.dataFolder, 'transport');
  return {
    forge,
    repositoryName: place.repository,
    actor: await forge.whoAmI(),
    workflows: forge.workflows,
    transport: forge.openTransport(commits, scratch),
    ...(config.ledger === 'ref'
      ? {
          keptWork: new GitKeptWork({
            ...{ git: commits, scratch, mayKeep: use === 'write' },
            server: forge.openGit(place.repository),
          }),
        }
      : {}),
  };
}

/** The repository's git at GitHub, to keep a ledger there; asks GitHub nothing yet. */
export async function openGithubGit(
  config: Config,
  name: string | null,
  git: GitRemotes,
): Promise<{ readonly server: LedgerServer; readonly address: string }> {
  const place = await findGithub(config, name, git);
  const forge = await makeForge(config, place, true);
  return { server: forge.openGit(place.repository), address: `${place.apiUrl} ${place.repository}` };
}

/** What the repository has set for GitHub Actions; writes nothing either. */
export async function inspectActions(
  config: Config,
  name: string | null,
  git: GitRemotes,
): ReturnType<CheckupWorld['readActionsSettings']> {
  const place = await findGithub(config, name, git);
  const forge = await makeForge(config, place, false);
  return forge.readActionsSettings(place.repository);
}

/** What GitHub says about us; writes nothing, not even what could be remembered. */
export async function inspectGithub(
  config: Config,
  name: string | null,
  git: GitRemotes,
): ReturnType<CheckupWorld['readGithub']> {
  const place = await findGithub(config, name, git);
  const forge = await makeForge(config, place, false);
  const { login, tokenKind, scopes, clockAhead } = await forge.describeAccess();
  const permission = await forge.permissionOf(place.repository, login);
  const { name: current } = await forge.identify(place.repository);
  return {
    ...{
      host: place.host,
      repository: place.repository,
      name: current,
      login,
      permission,
      scopes,
      clockAhead,
    },
    missing: await forge.findMissing(place.repository),
    isApp: tokenKind === 'app',
  };
}
