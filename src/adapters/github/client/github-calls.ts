/** What all parts of the GitHub forge stand on: checked names, errors in our words, and what we may do ourselves. */
import { z } from 'zod';
import { checkLabelName } from '../../../domain/forge/label-table.ts';
import { isBotLogin } from '../../../domain/forge/login.ts';
import { isAtLeast } from '../../../domain/forge/permission.ts';
import { isRepositoryName } from '../../../domain/ledger/subject.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Permission } from '../../../ports/forge/forge.ts';
import {
  repositoryPayload,
  toAppPermission,
  toOwnPermission,
  userPayload,
  viewerPayload,
} from '../payloads/people-payloads.ts';
import { hasStatus, isMissing } from './explain-github-error.ts';
import type { GithubClient } from './github-client.ts';
import { AppCredential, isInstallationToken } from './github-credential.ts';

export const repositoryRoute = '/repos/{owner}/{repo}';

export interface Place {
  readonly owner: string;
  readonly repo: string;
}

export function placeOf(repository: string): Place {
  const [owner = '', repo = ''] = repository.split('/');
  // Names become parts of an address: ".." would lead elsewhere.
  if (!isRepositoryName(repository))
    throw new GatewrightError('forge-not-found', 'That is not the name of a repository on GitHub.');
  return { owner, repo };
}

/** Numbers of issues and pull requests, and ids of comments and runs. */
export function checkNumber(repository: string, number: number, what = 'issue or pull request'): number {
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new GatewrightError('forge-not-found', `${repository} has no ${what} ${number}.`);
}

/** Trimmed, and each once, however it is spelled. */
export function checkLabels(names: readonly string[]): string[] {
  const checked = new Map<string, string>();
  for (const name of names) {
    const label = checkLabelName(name);
    // As a part of an address "." vanishes: taking off the label "." would take off all labels.
    if (label === '.' || label === '..')
      throw new GatewrightError('label-invalid', 'A label on GitHub cannot be "." or "..".');
    if (!checked.has(label.toLowerCase())) checked.set(label.toLowerCase(), label);
  }
  return [...checked.values()];
}

function forbidden(what: string): GatewrightError {
  return new GatewrightError('forge-forbidden', `You may not do this on GitHub: ${what}.`, {
    hint: 'The token or its owner needs write access to the repository; docs/github.md lists what is needed.',
  });
}

const commitNamePayload = z.object({ sha: z.string() });

export class GithubCalls {
  readonly client: GithubClient;
  #login: string | null = null;
  /** Which repository was meant by a name when it was first read. */
  readonly #numbers = new Map<string, number>();

  constructor(client: GithubClient) {
    this.client = client;
  }

  async explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.client.explain(error, what);
    }
  }

  async whoAmI(): Promise<string> {
    this.#login ??= await this.explained('who am I', () => this.#findLogin());
    return this.#login;
  }

  async #findLogin(): Promise<string> {
    const { credential } = this.client;
    if (credential instanceof AppCredential) return credential.login();
    // Each job of GitHub Actions has a new token: to ask it what it is refused anyway would cost each a call.
    if (isInstallationToken(await credential.token())) return this.findViewer();
    try {
      return (await this.client.get('GET /user', {}, userPayload)).login;
    } catch (error) {
      if (!hasStatus(error, 403, 404)) throw error;
      return this.findViewer();
    }
  }

  /** The token of an installation, such as that of a job of GitHub Actions, has no `/user`: GraphQL knows its name. */
  async findViewer(): Promise<string> {
    const { login } = (await this.client.query('query { viewer { login } }', {}, viewerPayload)).viewer;
    // Without this ending it would be the name of another account, and we would not recognise our own comments.
    return isInstallationToken(await this.client.credential.token()) && !isBotLogin(login)
      ? `${login}[bot]`
      : login;
  }

  async readRepository(place: Place) {
    const read = await this.client.get(`GET ${repositoryRoute}`, { ...place }, repositoryPayload);
    const name = `${place.owner}/${place.repo}`.toLowerCase();
    const known = this.#numbers.get(name) ?? read.id;
    this.#numbers.set(name, known);
    if (known === read.id) return read;
    throw new GatewrightError(
      'forge-moved',
      `${place.owner}/${place.repo} is now another repository: it took the name after the former one was renamed.`,
    );
  }

  /** An App is no collaborator: what it may do is what its installation was granted. */
  async ownPermission(place: Place): Promise<Permission> {
    const repository = await this.readRepository(place);
    const { credential } = this.client;
    if (credential instanceof AppCredential) return toAppPermission(await credential.permissions());
    const told = toOwnPermission(repository);
    // GitHub does not say what the token of a job was granted, so write permission is assumed; GitHub refuses a request
    // beyond the grant when it is sent.
    return isInstallationToken(await credential.token()) && !isAtLeast(told, 'write') ? 'write' : told;
  }

  /**
   * GitHub silently drops labels and assignees when our account has no right to set them; we report that before
   * anything is written.
   */
  async requireTriage(repository: string, place: Place): Promise<void> {
    if (isAtLeast(await this.ownPermission(place), 'triage')) return;
    throw new GatewrightError(
      'forge-forbidden',
      `Labels and assignees on ${repository} need "triage" permission.`,
      { hint: 'Ask an administrator of the repository for it.' },
    );
  }

  /** GitHub answers "not found" to some accounts that may read but not write. A read shows which of the two it is. */
  async written<T>(what: string, isThere: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    return this.explained(what, async () => {
      try {
        return await work();
      } catch (error) {
        if (!isMissing(error)) throw error;
        await isThere();
        throw forbidden(what);
      }
    });
  }

  async hasCommit(place: Place, sha: string): Promise<boolean> {
    try {
      await this.client.get(`GET ${repositoryRoute}/git/commits/{sha}`, { ...place, sha }, commitNamePayload);
      return true;
    } catch (error) {
      if (hasStatus(error, 404, 409, 422)) return false;
      throw error;
    }
  }

  /** About a commit GitHub answers 422 or 404 when it does not exist, and 404 to those who may not write as well. */
  async onCommit<T>(what: string, place: Place, sha: string, work: () => Promise<T>): Promise<T> {
    return this.explained(what, async () => {
      try {
        return await work();
      } catch (error) {
        if (!hasStatus(error, 404, 422)) throw error;
        await this.readRepository(place);
        if (!(await this.hasCommit(place, sha)))
          throw new GatewrightError('forge-not-found', `${place.owner}/${place.repo} has no commit ${sha}.`);
        throw isMissing(error) ? forbidden(what) : error;
      }
    });
  }
}
