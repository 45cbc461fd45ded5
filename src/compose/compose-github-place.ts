/** Finds out which GitHub is meant and which repository there. Loads no Octokit. */
import { parseRemote } from '../adapters/github/client/parse-remote.ts';
import { webBaseOf } from '../adapters/github/client/web-base.ts';
import type { Config } from '../config/load-config.ts';
import { GatewrightError } from '../errors.ts';

/** The host that people and git see, which is not always the one of the API. */
function webHostOf(apiUrl: string): string {
  return new URL(webBaseOf(apiUrl)).hostname;
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

/**
 * The name that the repository's own file gives. A pull request can change that file, but not the remotes: a name that
 * no remote has could send new issues to another owner's repository.
 */
async function nameFromFile(
  config: Config,
  readRemotes: () => Promise<readonly string[]>,
  host: string,
): Promise<string | null> {
  const { repository } = config.github;
  if (repository === null) return null;
  const remotes = (await readRemotes()).map(parseRemote);
  const isKnown = remotes.some(
    (remote) =>
      remote?.name.toLowerCase() === repository.toLowerCase() && (remote.host === host || isLoopback(host)),
  );
  if (isKnown) return repository;
  const { where } = config.settings.get('forge.repository') ?? { where: 'the file' };
  throw new GatewrightError(
    'config-invalid',
    `${where}: forge.repository: ${repository} is not one of the git remotes here, so it is not used.`,
    {
      hint: `If you trust it: git remote add upstream https://${host}/${repository}.git; or name it for one command with --repo ${repository}`,
    },
  );
}

export interface GitRemotes {
  readonly readOrigin: () => Promise<string | null>;
  readonly readRemotes: () => Promise<readonly string[]>;
}

export interface GithubPlace {
  readonly apiUrl: string;
  readonly host: string;
  readonly repository: string;
}

/** The repository on that GitHub which `origin` means; null when it means none. */
export async function proposeGithub(config: Config, git: GitRemotes): Promise<string | null> {
  if (config.github.problem !== null) return null;
  const host = webHostOf(config.github.apiUrl);
  const remote = parseRemote((await git.readOrigin()) ?? '');
  return remote !== null && (remote.host === host || isLoopback(host)) ? remote.name : null;
}

/** Which GitHub, and which repository there. */
export async function findGithub(config: Config, name: string | null, git: GitRemotes): Promise<GithubPlace> {
  const { apiUrl, problem } = config.github;
  if (problem !== null) throw new GatewrightError('config-invalid', problem);
  const host = webHostOf(apiUrl);
  const repository =
    name ??
    (await nameFromFile(config, git.readRemotes, host)) ??
    nameFromOrigin(await git.readOrigin(), host);
  return { apiUrl, host, repository };
}
