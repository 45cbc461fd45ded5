/** Composition of the GitHub side; loaded only when GitHub is the forge, because Octokit takes a while. */
import { DiskAnswerCache } from './adapters/github/disk-answer-cache.ts';
import { findToken } from './adapters/github/find-token.ts';
import { type GithubForge, makeGithubForge } from './adapters/github/github-forge.ts';
import { parseRemote } from './adapters/github/parse-remote.ts';
import { systemClock } from './adapters/system/system-clock.ts';
import type { Config } from './config/read-config.ts';
import { readGithubAccess } from './config/read-github-access.ts';
import { GatewrightError } from './errors.ts';

/** The host that people and git see, which is not always the one of the API. */
function webHostOf(apiUrl: string): string {
  const { hostname } = new URL(apiUrl);
  return hostname === 'api.github.com' ? 'github.com' : hostname;
}

/** A loopback server stands for any GitHub. */
function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(host);
}

function nameFromOrigin(origin: string | null, host: string): string {
  if (origin === null)
    throw new GatewrightError('forge-repository-unknown', 'The git repository has no remote "origin".');
  const remote = parseRemote(origin);
  if (remote === null)
    throw new GatewrightError(
      'forge-repository-unknown',
      'The git remote "origin" is not the address of a repository on GitHub.',
    );
  if (remote.host !== host && !isLoopback(host))
    throw new GatewrightError(
      'forge-repository-unknown',
      `The git remote "origin" is on ${remote.host}, and the forge is ${host}.`,
    );
  return remote.name;
}

interface GithubSide {
  readonly forge: GithubForge;
  readonly repositoryName: string;
  /** The login that the token belongs to: on GitHub that is who acts. */
  readonly actor: string;
}

/** An App goes before every token: a job of GitHub Actions always has one of its own. */
async function makeForge(config: Config, host: string, repository: string): Promise<GithubForge> {
  const { apiUrl, token } = config.github;
  const { app, cache, cacheFolder } = readGithubAccess(config.environment);
  return makeGithubForge({
    apiUrl,
    credential:
      app === null
        ? { kind: 'token', token: await findToken(token, host, config.environment) }
        : { kind: 'app', ...app, repository },
    clock: systemClock,
    userAgent: 'gatewright',
    ...(cache === 'off' ? { makeCache: null } : {}),
    ...(cacheFolder === null ? {} : { makeCache: (lock: string) => new DiskAnswerCache(cacheFolder, lock) }),
  });
}

export async function openGithub(
  config: Config,
  name: string | null,
  readOrigin: () => Promise<string | null>,
): Promise<GithubSide> {
  const { apiUrl, problem } = config.github;
  if (problem !== null) throw new GatewrightError('config-invalid', problem);
  const host = webHostOf(apiUrl);
  const repositoryName = name ?? nameFromOrigin(await readOrigin(), host);
  const forge = await makeForge(config, host, repositoryName);
  return { forge, repositoryName, actor: await forge.whoAmI() };
}
