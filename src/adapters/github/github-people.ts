/** Who we are on GitHub, and who may do what. */
import { z } from 'zod';
import { listMissingPermissions, type NeededPermission } from '../../domain/forge/github-permissions.ts';
import type { IssueForge, Permission, RepositoryIdentity } from '../../ports/forge/forge.ts';
import { hasStatus, isMissing } from './client/explain-github-error.ts';
import { type GithubCalls, placeOf, repositoryRoute } from './client/github-calls.ts';
import { AppCredential, isInstallationToken } from './client/github-credential.ts';
import { probePermissions } from './client/probe-permissions.ts';
import { permissionPayload, toPermission, userPayload } from './payloads/people-payloads.ts';

export interface GithubAccess {
  readonly login: string;
  readonly tokenKind: 'classic' | 'fine-grained' | 'oauth' | 'app' | 'unknown';
  /** What a classic or OAuth token was granted; null when GitHub does not say. */
  readonly scopes: readonly string[] | null;
  /** What the installation of an App was granted, such as `issues: write`; null for everybody else. */
  readonly permissions: Readonly<Record<string, string>> | null;
  /** How far our clock is ahead, in seconds; null when GitHub did not tell. */
  readonly clockAhead: number | null;
}

function kindOf(token: string): GithubAccess['tokenKind'] {
  if (token.startsWith('ghp_') || /^[0-9a-f]{40}$/u.test(token)) return 'classic';
  if (token.startsWith('github_pat_')) return 'fine-grained';
  // What `gh auth login` gets.
  if (token.startsWith('gho_')) return 'oauth';
  return isInstallationToken(token) ? 'app' : 'unknown';
}

const header = z.string().optional();

export class GithubPeople implements Pick<IssueForge, 'whoAmI' | 'identify' | 'permissionOf'> {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  whoAmI(): Promise<string> {
    return this.#calls.whoAmI();
  }

  async identify(repository: string): Promise<RepositoryIdentity> {
    return this.#calls.explained(repository, async () => {
      const { id, full_name: name } = await this.#calls.readRepository(placeOf(repository));
      return { id: String(id), name };
    });
  }

  async permissionOf(repository: string, actor: string): Promise<Permission> {
    const place = placeOf(repository);
    const isOwn = actor.toLowerCase() === (await this.whoAmI()).toLowerCase();
    return this.#calls.explained(`permissions on ${repository}`, async () => {
      if (isOwn) return this.#calls.ownPermission(place);
      if (!/^[A-Za-z0-9_-]+(?:\[bot\])?$/u.test(actor)) return 'none';
      try {
        return toPermission(
          await this.#calls.client.get(
            `GET ${repositoryRoute}/collaborators/{username}/permission`,
            { ...place, username: actor },
            permissionPayload,
          ),
        );
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Either there is no such repository, and this throws, or no such person.
        await this.#calls.readRepository(place);
        return 'none';
      }
    });
  }

  /** Null when the token has no user. */
  async #readUser() {
    try {
      return await this.#calls.client.getWithHeaders('GET /user', {}, userPayload);
    } catch (error) {
      if (!hasStatus(error, 403, 404)) throw error;
      return null;
    }
  }

  /** What is missing of what we need, by permission; null when GitHub does not tell, as of classic tokens. */
  async findMissing(repository: string): Promise<readonly NeededPermission[] | null> {
    const place = placeOf(repository);
    const { credential } = this.#calls.client;
    return this.#calls.explained(`permissions on ${repository}`, async () => {
      if (credential instanceof AppCredential) return listMissingPermissions(await credential.permissions());
      const kind = kindOf(await credential.token());
      if (kind !== 'fine-grained' && kind !== 'app') return null;
      return probePermissions(this.#calls, place);
    });
  }

  async describeAccess(): Promise<GithubAccess> {
    const { client } = this.#calls;
    const { credential } = client;
    return this.#calls.explained('who am I', async () => {
      if (credential instanceof AppCredential)
        return {
          login: await credential.login(),
          tokenKind: 'app',
          scopes: null,
          permissions: await credential.permissions(),
          clockAhead: null,
        };
      const found = await this.#readUser();
      if (found === null)
        return {
          ...{ login: await this.#calls.findViewer(), tokenKind: kindOf(await credential.token()) },
          ...{ scopes: null, permissions: null, clockAhead: null },
        };
      const { data, headers } = found;
      const scopes = header.parse(headers['x-oauth-scopes']);
      const date = Date.parse(header.parse(headers.date) ?? '');
      return {
        login: data.login,
        tokenKind: kindOf(await credential.token()),
        scopes: scopes === undefined ? null : scopes.split(/,\s*/u).filter((scope) => scope !== ''),
        permissions: null,
        clockAhead: Number.isNaN(date) ? null : Math.round((Date.now() - date) / 1000),
      };
    });
  }
}
