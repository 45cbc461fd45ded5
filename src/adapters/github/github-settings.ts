/** Reads the settings of GitHub Actions. What the credential may not see is named as unseen, and never taken for fine. */
import { z } from 'zod';
import type { ActionsSettings, Seen } from '../../ports/forge/actions-settings.ts';
import { hasStatus } from './client/explain-github-error.ts';
import { type GithubCalls, type Place, placeOf, repositoryRoute } from './client/github-calls.ts';
import {
  actionsPermissionsPayload,
  branchPayload,
  namedPayload,
  workflowPayload,
  workflowPermissionsPayload,
} from './payloads/settings-payloads.ts';

type Route = Parameters<GithubCalls['client']['list']>[0];

export class GithubSettings {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async readActionsSettings(repository: string): Promise<ActionsSettings> {
    const place = placeOf(repository);
    return this.#calls.explained(`settings of ${repository}`, async () => {
      const { default_branch: defaultBranch } = await this.#calls.readRepository(place);
      const permissions = await this.#see('the administration of the repository', () =>
        this.#calls.client.get(
          `GET ${repositoryRoute}/actions/permissions`,
          { ...place },
          actionsPermissionsPayload,
        ),
      );
      return {
        defaultBranch,
        isEnabled: mapSeen(permissions, ({ enabled }) => enabled),
        allowedActions: mapSeen(permissions, ({ allowed_actions: allowed }) => allowed ?? 'all'),
        workflowPermissions: mapSeen(
          await this.#see('the administration of the repository', () =>
            this.#calls.client.get(
              `GET ${repositoryRoute}/actions/permissions/workflow`,
              { ...place },
              workflowPermissionsPayload,
            ),
          ),
          (found) => ({
            usual: found.default_workflow_permissions,
            mayOpenPullRequests: found.can_approve_pull_request_reviews,
          }),
        ),
        secrets: await this.#readNames(place, 'secrets'),
        variables: await this.#readNames(place, 'variables'),
        labels: await this.#see('labels', async () => this.#list(place, `GET ${repositoryRoute}/labels`)),
        isProtected: await this.#see('branches', async () => {
          const found = await this.#calls.client.get(
            `GET ${repositoryRoute}/branches/{branch}`,
            { ...place, branch: defaultBranch },
            branchPayload,
          );
          if (found.protected) return true;
          const rules = await this.#calls.client.list(
            `GET ${repositoryRoute}/rules/branches/{branch}`,
            { ...place, branch: defaultBranch },
            z.unknown(),
          );
          return rules.length > 0;
        }),
        workflows: await this.#see('workflows', async () => {
          const found = await this.#calls.client.list(
            `GET ${repositoryRoute}/actions/workflows`,
            { ...place },
            workflowPayload,
          );
          return found.map(({ path, state }) => ({ path, isActive: state === 'active' }));
        }),
      };
    });
  }

  async #list(place: Place, route: Route): Promise<string[]> {
    return (await this.#calls.client.list(route, { ...place }, namedPayload)).map(({ name }) => name);
  }

  /** Those of the repository, and those of its organisation that it may use: a repository of a person has no organisation. */
  async #readNames(place: Place, kind: 'secrets' | 'variables'): Promise<Seen<readonly string[]>> {
    const own = await this.#see(`the names of ${kind}`, () =>
      this.#list(place, `GET ${repositoryRoute}/actions/${kind}`),
    );
    if ('unseen' in own) return own;
    const shared = await this.#see(`the names of ${kind} of the organisation`, () =>
      this.#list(place, `GET ${repositoryRoute}/actions/organization-${kind}`),
    );
    return { seen: [...own.seen, ...('seen' in shared ? shared.seen : [])] };
  }

  /** GitHub answers 403 or 404 where a credential may not see something. */
  async #see<T>(what: string, read: () => Promise<T>): Promise<Seen<T>> {
    try {
      return { seen: await read() };
    } catch (error) {
      if (hasStatus(error, 403, 404)) return { unseen: what };
      throw error;
    }
  }
}

function mapSeen<T, U>(one: Seen<T>, use: (value: T) => U): Seen<U> {
  return 'unseen' in one ? one : { seen: use(one.seen) };
}
