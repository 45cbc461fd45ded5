/**
 * The `fetch` below Octokit: it signs requests to GitHub and to no other server. Before it loads an answer again, it
 * asks whether the answer has changed, which costs nothing of the rate limit when it has not.
 */
import { GatewrightError } from '../../../errors.ts';
import type { Fetch } from '../../network/network-fetch.ts';
import { type AnswerCache, type CachedAnswer, largestAnswer } from './answer-cache.ts';
import { MoveFollower } from './follow-moves.ts';
import type { GithubCredential } from './github-credential.ts';

/** Answers 304 with what is remembered; everything else passes. */
export function rememberAnswers(fetchBelow: Fetch, cache: AnswerCache): Fetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if ((init.method ?? 'GET') !== 'GET' || init.redirect === 'manual') return fetchBelow(url, init);
    const key = `${String(url)} ${headers.get('accept') ?? ''}`;
    const known = cache.get(key);
    if (known !== null) headers.set('if-none-match', known.etag);
    const response = await fetchBelow(url, { ...init, headers });
    if (response.status === 304 && known !== null) return revive(known, response);
    const etag = response.headers.get('etag');
    const contentType = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || etag === null || !contentType.includes('json')) return response;
    const body = await response.text();
    const answer = { etag, contentType, link: response.headers.get('link') ?? '', body };
    if (body.length <= largestAnswer) cache.set(key, answer);
    return revive(answer, response);
  };
}

/** The date and what is left of the limit are those of now. */
function revive(answer: CachedAnswer, response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'link']) headers.delete(name);
  headers.set('content-type', answer.contentType);
  if (answer.link !== '') headers.set('link', answer.link);
  const revived = new Response(answer.body, { status: 200, headers });
  // Octokit looks at it for further pages, and no constructor takes it.
  return Object.defineProperty(revived, 'url', { value: response.url });
}

/** Adds the token, and a new one if GitHub does not take it any more: a refusal did nothing, so this is no repetition. */
export function signRequests(fetchBelow: Fetch, credential: GithubCredential, apiUrl: string): Fetch {
  const { origin, host } = new URL(apiUrl);
  const requireHome = (address: string): void => {
    if (new URL(address).origin === origin) return;
    throw new GatewrightError('forge-unavailable', `${host} points to another server.`, {
      hint: 'Check GATEWRIGHT_GITHUB_URL: it has to be the address that GitHub itself uses.',
    });
  };
  const follower = new MoveFollower((url, init) => {
    requireHome(String(url));
    return fetchBelow(url, init);
  }, apiUrl);
  return async (url, init = {}) => {
    // The address of a next page comes from an answer.
    requireHome(String(url));
    const send = async (token: string) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      // With "manual" the caller wants to see the redirect itself, so it is not followed here.
      if (init.redirect === 'manual') return fetchBelow(url, { ...init, headers });
      return follower.fetch(String(url), { ...init, headers });
    };
    const token = await credential.token();
    const response = await send(token);
    if (response.status !== 401 || !(await credential.renew(token))) return response;
    return send(await credential.token());
  };
}
