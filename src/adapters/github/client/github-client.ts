/** Octokit as we use it: pages followed, reads repeated, writes never, limits kept, errors from our catalogue. */

import { Octokit } from 'octokit';
import { z } from 'zod';
import { GatewrightError } from '../../../errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Fetch } from '../../network/network-fetch.ts';
import { traceWait } from '../../system/trace-wait.ts';
import { type AnswerCache, MemoryAnswerCache } from './answer-cache.ts';
import { CatchUp } from './catch-up.ts';
import { type ErrorContext, explainGithubError } from './explain-github-error.ts';
import {
  AppCredential,
  type AppSettings,
  type GithubCredential,
  TokenCredential,
  type TokenSettings,
} from './github-credential.ts';
import { rememberAnswers, signRequests } from './github-fetch.ts';
import { GraphqlRefusal, isRateLimited } from './graphql-refusal.ts';
import { WaitWindow } from './wait-window.ts';

export interface GithubClientOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise Server. */
  readonly apiUrl: string;
  readonly credential: TokenSettings | AppSettings;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly userAgent: string;
  /** How requests are sent; the platform's own unless said otherwise. */
  readonly fetch?: Fetch;
  /** Where answers are remembered, given what only the owner of the credential knows; null: nowhere. Default: in memory. */
  readonly makeCache?: ((lock: string) => AnswerCache) | null;
  /** For tests: no pause between two writes, and hardly one before a read is repeated. */
  readonly isHurried?: boolean;
}

type Parameters = Readonly<Record<string, unknown>>;
type ReadRoute = `GET ${string}`;
type WriteRoute = `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`;

const quiet = () => undefined;
const pageSize = 100;

/** GitHub Enterprise Server has GraphQL beside `/api/v3`, github.com below the same address. */
function graphqlBase(apiUrl: string): string {
  return apiUrl.replace(/\/api\/v3$/u, '/api');
}

const graphqlPayload = z.object({
  // Left out when nothing was done at all.
  data: z.unknown().optional(),
  errors: z.array(z.object({ type: z.string().optional(), message: z.string().default('') })).optional(),
});

export class GithubClient {
  readonly credential: GithubCredential | AppCredential;
  readonly clock: GithubClientOptions['clock'];
  readonly apiUrl: string;
  readonly catchUp: CatchUp;
  /** For what is not the API: without our token, or without Octokit. */
  readonly fetch: Fetch;
  readonly #octokit: Octokit;
  readonly #context: ErrorContext;
  readonly #pause: number;
  readonly #window: WaitWindow;

  constructor(options: GithubClientOptions) {
    const { clock, isHurried = false, makeCache = () => new MemoryAnswerCache() } = options;
    const apiUrl = options.apiUrl.replace(/\/+$/u, '');
    const waiting = `waiting for ${new URL(apiUrl).host}`;
    const send = options.fetch ?? fetch;
    this.fetch = (input, init) => traceWait(waiting, () => send(input, init));
    const window = new WaitWindow(clock, this.fetch);
    this.#window = window;
    const settings = {
      baseUrl: apiUrl,
      userAgent: options.userAgent,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      retry: {
        // 429 is not in the plugin's own list: it would ask again inside the wait window.
        doNotRetry: [400, 401, 403, 404, 405, 408, 409, 410, 422, 429, 451],
        retries: 2,
        ...(isHurried ? { retryAfterBaseValue: 1 } : {}),
      },
      // What the plugin is here for is the pause that GitHub asks for between writes; the window keeps the limits.
      throttle: {
        enabled: !isHurried,
        onRateLimit: () => false,
        onSecondaryRateLimit: () => false,
      },
    };
    this.credential =
      options.credential.kind === 'token'
        ? new TokenCredential(options.credential)
        : new AppCredential(
            options.credential,
            Octokit.defaults({ ...settings, request: { fetch: window.fetch } }),
            clock,
          );
    const signed = signRequests(window.fetch, this.credential, apiUrl);
    const remembered = makeCache === null ? signed : rememberAnswers(signed, makeCache(this.credential.lock));
    this.#octokit = new Octokit({ ...settings, request: { fetch: remembered } });
    // Around the pauses between writes and before another attempt as well.
    this.#octokit.hook.wrap('request', (request, parameters) =>
      traceWait(waiting, async () => request(parameters)),
    );
    this.clock = clock;
    this.apiUrl = apiUrl;
    this.#pause = isHurried ? 1 : 1000;
    this.catchUp = new CatchUp(clock, this.#pause);
    const { credential } = this;
    this.#context = {
      host: new URL(apiUrl).host,
      secrets: () => credential.secrets,
      now: () => clock.now().getTime(),
    };
  }

  get host(): string {
    return this.#context.host;
  }

  /** An error as people get to see it. */
  explain(error: unknown, route: string): GatewrightError {
    return explainGithubError(error, route.replace(/\{[a-z_]+\}/gu, '…'), this.#context);
  }

  #parse<T>(schema: z.ZodType<T>, data: unknown, route: string): T {
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    throw new GatewrightError(
      'forge-unavailable',
      `${this.host} answered something that is not GitHub's (${route}).`,
      { hint: 'Check GATEWRIGHT_GITHUB_URL, and whether a proxy or a login page answers instead.' },
    );
  }

  async get<T>(route: ReadRoute, parameters: Parameters, schema: z.ZodType<T>): Promise<T> {
    return (await this.getWithHeaders(route, parameters, schema)).data;
  }

  async getWithHeaders<T>(
    route: ReadRoute,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): Promise<{ readonly data: T; readonly headers: Readonly<Record<string, unknown>> }> {
    await this.credential.token();
    const { data, headers } = await this.catchUp.send(parameters, () =>
      this.#octokit.request(route, { ...parameters }),
    );
    return { data: this.#parse(schema, data, route), headers };
  }

  /** Where an address redirects to; null when it answers itself. */
  async locate(route: ReadRoute, parameters: Parameters): Promise<string | null> {
    await this.credential.token();
    const { headers } = await this.#octokit.request(route, {
      ...parameters,
      request: { redirect: 'manual', parseSuccessResponseBody: false },
    });
    return typeof headers.location === 'string' ? headers.location : null;
  }

  /** All pages, or as many as `isEnough` of the last entry and the number of entries wants. */
  async list<T>(
    route: ReadRoute,
    parameters: Parameters,
    schema: z.ZodType<T>,
    isEnough: (last: T, count: number) => boolean = () => false,
  ): Promise<T[]> {
    await this.credential.token();
    return this.catchUp.send(parameters, async () => {
      const entries: T[] = [];
      const pages = this.#octokit.paginate.iterator(route, { per_page: pageSize, ...parameters });
      for await (const { data } of pages) {
        const page = this.#parse(schema.array(), data, route);
        entries.push(...page);
        const last = page.at(-1);
        if (last !== undefined && isEnough(last, entries.length)) break;
      }
      return entries;
    });
  }

  /**
   * Sent once. After a broken connection or a 5xx it is unknown whether the write happened; the effect runner looks for
   * it before it tries again.
   */
  async write(
    route: WriteRoute,
    parameters: Parameters,
  ): Promise<{ readonly status: number; readonly data: unknown; readonly headers: object }> {
    await this.credential.token();
    return this.catchUp.send(parameters, () =>
      this.#octokit.request(route, { ...parameters, request: { retries: 0 } }),
    );
  }

  async writeAndRead<T>(route: WriteRoute, parameters: Parameters, schema: z.ZodType<T>): Promise<T> {
    return this.#parse(schema, (await this.write(route, parameters)).data, route);
  }

  /** A GraphQL mutation, for what REST cannot do. Sent once, as every write. */
  async mutate(name: string, inputType: string, input: Parameters, selection: string): Promise<unknown> {
    const query = `mutation($input: ${inputType}!) { ${name}(input: $input) { ${selection} } }`;
    const { data, headers } = await this.write('POST /graphql', this.#graphql(query, { input }));
    return this.#readGraphql(data, headers);
  }

  /** A GraphQL query, for what REST does not tell. */
  async query<T>(query: string, variables: Parameters, schema: z.ZodType<T>): Promise<T> {
    await this.credential.token();
    const { data, headers } = await this.#octokit.request('POST /graphql', this.#graphql(query, variables));
    return this.#parse(schema, this.#readGraphql(data, headers), 'POST /graphql');
  }

  #graphql(query: string, variables: Parameters): Parameters {
    return { baseUrl: graphqlBase(this.apiUrl), query, variables };
  }

  #readGraphql(answer: unknown, given: object): unknown {
    const { data, errors = [] } = this.#parse(graphqlPayload, answer, 'POST /graphql');
    if (errors.length > 0) {
      if (!isRateLimited(errors)) throw new GraphqlRefusal(errors);
      const headers = new Headers(
        Object.entries(given).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      );
      const wait = this.#window.closeGraphql(headers) - this.clock.now().getTime();
      throw new GraphqlRefusal(errors, Math.max(0, Math.ceil(wait / 1000)));
    }
    // Neither done nor refused: that is not GitHub.
    if (data === undefined) this.#parse(z.object({ data: z.object({}) }), answer, 'POST /graphql');
    return data;
  }

  /** For things that GitHub works out a moment later: asks until `isReady`, a few times at most. */
  async poll<T>(read: () => Promise<T>, isReady: (value: T) => boolean, tries = 10): Promise<T> {
    for (let left = tries; ; left -= 1) {
      const value = await read();
      if (isReady(value) || left <= 1) return value;
      await this.clock.sleep(this.#pause);
    }
  }
}
