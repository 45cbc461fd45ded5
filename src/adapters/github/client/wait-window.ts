/**
 * Keeps requests back while GitHub wants none. GitHub counts REST, GraphQL and search separately, so each has its own
 * window; after a refusal for being too fast, all requests wait. Every request of a client goes through here, retries
 * and pages included: a request during the wait makes it longer and may get the account blocked. Octokit's throttling
 * plugin delays only the refused request, and only if the message says so; that is why this layer is below it.
 */
import type { Clock } from '../../../ports/clock.ts';
import type { Fetch } from '../../network/network-fetch.ts';

/** Longer waits are reported instead: a person would think that the program hangs. */
const longestWait = 60_000;
/** GitHub's advice when a secondary limit comes without a time. */
const waitWithoutTime = 60_000;
const requestTimeout = 30_000;
const mostTries = 3;

function afterHeader(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const end = Number.isFinite(seconds) ? now + seconds * 1000 : Date.parse(value);
  return Number.isNaN(end) ? null : end;
}

/** Told in the server's time: its own date is taken into account, because our clock may be wrong. */
function resetHeader(headers: Headers, now: number): number | null {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (!Number.isFinite(reset)) return null;
  const serverNow = Date.parse(headers.get('date') ?? '');
  const wait = reset * 1000 - (Number.isNaN(serverNow) ? now : serverNow);
  // Both are whole seconds, so the answer is off by up to one.
  return now + Math.max(0, wait) + 1000;
}

interface Limit {
  /** When a refused request may be sent again. */
  readonly until: number;
  /** Of one resource that is used up, or of everything because we were too fast. */
  readonly kind: 'primary' | 'secondary';
}

/** Why a request was refused, if it was because of a limit; else null. */
export function readLimit(status: number, headers: Headers, body: string, now: number): Limit | null {
  if (status !== 403 && status !== 429) return null;
  const after = afterHeader(headers, now);
  // Every answer carries the reset time; it matters only when nothing is left.
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  const reset = resetHeader(headers, now);
  if (after !== null) return { until: after, kind: 'secondary' };
  if (reset !== null && isUsedUp) return { until: reset, kind: 'primary' };
  const isLimit = status === 429 || /\bsecondary rate limit\b|\babuse detection\b/iu.test(body);
  return isLimit ? { until: now + waitWithoutTime, kind: 'secondary' } : null;
}

/** GitHub counts these apart; which one an answer was counted to, it says itself. */
function guessResource(address: string): string {
  const { pathname } = new URL(address);
  if (/\/graphql$/u.test(pathname)) return 'graphql';
  return /\/search\//u.test(pathname) ? 'search' : 'core';
}

export class WaitWindow {
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #fetch: Fetch;
  /** By resource, until when it is used up. */
  readonly #usedUp = new Map<string, number>();
  /** Until when we are to send nothing at all. */
  #until = 0;

  constructor(clock: Pick<Clock, 'now' | 'sleep'>, fetchBelow: Fetch = fetch) {
    this.#clock = clock;
    this.#fetch = fetchBelow;
  }

  #waitFor(resource: string): number {
    return Math.max(this.#until, this.#usedUp.get(resource) ?? 0) - this.#clock.now().getTime();
  }

  /** A `fetch` that waits out short limits. A long one is answered here, as GitHub would answer it. */
  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const guessed = guessResource(url instanceof Request ? url.url : String(url));
    for (let tries = 1; ; tries += 1) {
      for (let wait = this.#waitFor(guessed); wait > 0; wait = this.#waitFor(guessed)) {
        if (wait > longestWait) return this.#refuse(wait);
        await this.#clock.sleep(wait);
      }
      // Each try has a time limit of its own.
      const response = await this.#fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeout) });
      const now = this.#clock.now().getTime();
      const resource = response.headers.get('x-ratelimit-resource') ?? guessed;
      const isRefusal = response.status === 403 || response.status === 429;
      const limit = isRefusal
        ? readLimit(response.status, response.headers, await response.clone().text(), now)
        : null;
      if (limit === null) {
        if (!isRefusal && response.headers.get('x-ratelimit-remaining') === '0')
          this.#useUp(resource, resetHeader(response.headers, now) ?? 0);
        return response;
      }
      this.#close(limit, resource);
      // A refusal is no ambiguous answer: nothing was done, so even a write may be sent again.
      if (tries === mostTries) return this.#refuse(Math.max(this.#waitFor(guessed), limit.until - now, 0));
    }
  };

  /** GraphQL says in an answer that looks good that nothing is left; returns until when. */
  closeGraphql(headers: Headers): number {
    const now = this.#clock.now().getTime();
    // What is left is not always said to be nothing then.
    const used = new Headers(headers);
    if (resetHeader(headers, now) !== null) used.set('x-ratelimit-remaining', '0');
    const limit = readLimit(429, used, '', now) ?? { until: now + waitWithoutTime, kind: 'secondary' };
    this.#close(limit, 'graphql');
    return limit.until;
  }

  #close({ until, kind }: Limit, resource: string): void {
    if (kind === 'primary') this.#useUp(resource, until);
    else this.#until = Math.max(this.#until, until);
  }

  #useUp(resource: string, until: number): void {
    this.#usedUp.set(resource, Math.max(this.#usedUp.get(resource) ?? 0, until));
  }

  #refuse(wait: number): Response {
    return Response.json(
      { message: 'The rate limit is used up.' },
      { status: 429, headers: { 'retry-after': String(Math.ceil(wait / 1000)) } },
    );
  }
}
