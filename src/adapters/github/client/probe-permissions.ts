/**
 * Which permissions a fine-grained token lacks. GitHub does not say what such a token was granted, so each kind of data
 * is read once; a missing right to write shows only when a write is tried.
 */
import { z } from 'zod';
import { type NeededPermission, neededPermissions } from '../../../domain/forge/github-permissions.ts';
import { hasStatus, refusalWords } from './explain-github-error.ts';
import { type GithubCalls, type Place, repositoryRoute } from './github-calls.ts';

const anything = z.unknown();

type Probe = readonly [permission: string, route: `GET ${string}`];

const probes: readonly Probe[] = [
  ['issues', `GET ${repositoryRoute}/issues`],
  ['contents', `GET ${repositoryRoute}/commits`],
  ['pull_requests', `GET ${repositoryRoute}/pulls`],
  ['statuses', `GET ${repositoryRoute}/commits/{sha}/statuses`],
  ['actions', `GET ${repositoryRoute}/actions/runs`],
  ['checks', `GET ${repositoryRoute}/commits/{sha}/check-runs`],
];

async function isRefused(calls: GithubCalls, place: Place, route: Probe[1], sha: string): Promise<boolean> {
  try {
    const which = route.includes('{sha}') ? { sha } : {};
    await calls.client.get(route, { ...place, ...which, per_page: 1 }, anything);
    return false;
  } catch (error) {
    if (hasStatus(error, 403)) return /^resource not accessible by\b/iu.test(refusalWords(error));
    // An empty repository, or issues that are turned off.
    if (hasStatus(error, 404, 409, 410, 422)) return false;
    throw error;
  }
}

export async function probePermissions(calls: GithubCalls, place: Place): Promise<NeededPermission[]> {
  const { default_branch: branch } = await calls.readRepository(place);
  const missing: string[] = [];
  for (const [name, route] of probes) if (await isRefused(calls, place, route, branch)) missing.push(name);
  return neededPermissions.filter(({ name }) => missing.includes(name));
}
