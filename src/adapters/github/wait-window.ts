/**
 * Keeps away from GitHub while GitHub wants no requests. Every request of a client goes through one window, retries and
 * pages included: asking again inside the wait makes it longer and may get an account blocked. Octokit's throttling
 * plugin delays only the request that was refused, and only if the message says so; that is why this stands below it.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Fetch } from '../network/network-fetch.ts';

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

/** When a refused request may be sent again; null when it was not refused because of a limit. */
export function readLimit(status: number, headers: Headers, body: string, now: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = afterHeader(headers, now);
  if (after !== null) return after;
  // Every answer carries the reset time; it matters only when nothing is left.
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  const reset = resetHeader(headers, now);
  if (reset !== null && (isUsedUp || status === 429)) return reset;
  return status === 429 || /\bsecondary rate limit\b/iu.test(body) ? now + waitWithoutTime : null;
}

export class WaitWindow {
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #fetch: Fetch;
  #until = 0;

  constructor(clock: Pick<Clock, 'now' | 'sleep'>, fetchBelow: Fetch = fetch) {
    this.#clock = clock;
    this.#fetch = fetchBelow;
  }

  get #wait(): number {
    return this.#until - this.#clock.now().getTime();
  }

  /** A `fetch` that waits out short limits. A long one is answered here, as GitHub would answer it. */
  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      for (let wait = this.#wait; wait > 0; wait = this.#wait) {
        if (wait > longestWait) return this.#refuse(wait);
        await this.#clock.sleep(wait);
      }
      // Each try has a time limit of its own.
      const response = await this.#fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeout) });
      const now = this.#clock.now().getTime();
      const isRefusal = response.status === 403 || response.status === 429;
      const until = isRefusal
        ? readLimit(response.status, response.headers, await response.clone().text(), now)
        : null;
      if (until === null) {
        if (!isRefusal && response.headers.get('x-ratelimit-remaining') === '0')
          this.#close(resetHeader(response.headers, now));
        return response;
      }
      this.#close(until);
      // A refusal is no ambiguous answer: nothing was done, so even a write may be sent again.
      if (tries === mostTries) return this.#refuse(Math.max(this.#wait, 0));
    }
  };

  #close(until: number | null): void {
    this.#until = Math.max(this.#until, until ?? 0);
  }

  #refuse(wait: number): Response {
    return Response.json(
      { message: 'The rate limit is used up.' },
      { status: 429, headers: { 'retry-after': String(Math.ceil(wait / 1000)) } },
    );
  }
}
