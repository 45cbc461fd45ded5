/** Composition of the GitHub side; loaded only when GitHub is the forge, because Octokit takes a while. */
import { GithubForge } from './adapters/github/github-forge.ts';
import { systemClock } from './adapters/system/system-clock.ts';
import { findGithub, type GitRemotes } from './compose-github-place.ts';
import type { Config } from './config/load-config.ts';
import type { Forge } from './ports/forge.ts';

interface GithubSide {
  readonly forge: Forge;
  readonly repositoryName: string;
  /** The login that the token belongs to: on GitHub that is who acts. */
  readonly actor: string;
}

export async function openGithub(config: Config, name: string | null, git: GitRemotes): Promise<GithubSide> {
  const { apiUrl, token, repository } = await findGithub(config, name, git);
  const forge = new GithubForge({ apiUrl, token, clock: systemClock, userAgent: 'gatewright' });
  return { forge, repositoryName: repository, actor: await forge.whoAmI() };
}
