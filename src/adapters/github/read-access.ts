/**
 * What GitHub says about a token: whose it is, what it may do, and what time it is there. One request each, without
 * Octokit: for looking only, and to be given up at any moment.
 */
import { GatewrightError } from '../../errors.ts';
import type { Permission } from '../../ports/forge.ts';
import { repositoryPayload, toOwnPermission, userPayload } from './github-payloads.ts';

export interface GithubAccess {
  readonly login: string;
  readonly permission: Permission;
  /** Of a classic token; null for tokens of other kinds, which do not tell. */
  readonly scopes: readonly string[] | null;
  /** How far our clock is ahead, in seconds; null when GitHub did not tell. */
  readonly clockAhead: number | null;
}

interface Place {
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: string;
}

async function get(place: Place, path: string, signal: AbortSignal): Promise<Response> {
  const url = `${place.apiUrl.replace(/\/+$/u, '')}${path}`;
  const { host } = new URL(url);
  let response: Response;
  try {
    response = await fetch(url, {
      signal,
      // A redirect could lead to a host that should not see the token.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${place.token}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'gatewright',
      },
    });
  } catch {
    throw new GatewrightError('forge-unavailable', `${host} did not answer.`);
  }
  if (response.ok) return response;
  if (response.status === 401)
    throw new GatewrightError('forge-not-authenticated', `${host} does not accept the token.`);
  if (response.status === 404)
    throw new GatewrightError('forge-not-found', `${place.repository} is not there, or not for this token.`);
  throw new GatewrightError('forge-unavailable', `${host} answered with status ${response.status}.`);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

export async function readAccess(place: Place, signal: AbortSignal): Promise<GithubAccess> {
  const answer = await get(place, '/user', signal);
  const user = userPayload.safeParse(await readJson(answer));
  const repository = repositoryPayload.safeParse(
    await readJson(await get(place, `/repos/${place.repository}`, signal)),
  );
  if (!user.success || !repository.success)
    throw new GatewrightError(
      'forge-unavailable',
      `${new URL(place.apiUrl).host} answered something that is not GitHub's.`,
      { hint: 'Check the address of the API, and whether a proxy or a login page answers instead.' },
    );
  const scopes = answer.headers.get('x-oauth-scopes');
  const date = Date.parse(answer.headers.get('date') ?? '');
  return {
    login: user.data.login,
    permission: toOwnPermission(repository.data),
    scopes: scopes === null ? null : scopes.split(/,\s*/u).filter((scope) => scope !== ''),
    clockAhead: Number.isNaN(date) ? null : Math.round((Date.now() - date) / 1000),
  };
}
