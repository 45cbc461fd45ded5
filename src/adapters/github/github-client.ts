/** Octokit as we use it: pages followed, reads repeated, writes never, limits kept, errors from our catalogue. */
import { Octokit } from 'octokit';
import type { z } from 'zod';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ErrorContext, explainGithubError } from './explain-github-error.ts';
import { WaitWindow } from './wait-window.ts';

export interface GithubClientOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise Server. */
  readonly apiUrl: string;
  readonly token: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly userAgent: string;
  /** For tests: no pause between two writes, and hardly one before a read is repeated. */
  readonly isHurried?: boolean;
}

type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const quiet = () => undefined;
const pageSize = 100;

export class GithubClient {
  readonly #octokit: Octokit;
  readonly #context: ErrorContext;

  constructor(options: GithubClientOptions) {
    const { clock, token, isHurried = false } = options;
    this.#context = {
      host: new URL(options.apiUrl).host,
      secret: token,
      now: () => clock.now().getTime(),
    };
    this.#octokit = new Octokit({
      auth: token,
      baseUrl: options.apiUrl.replace(/\/+$/u, ''),
      userAgent: options.userAgent,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      request: { fetch: new WaitWindow(clock).fetch },
      retry: {
        // 429 is not in the plugin's own list: it would ask again inside the wait window.
        doNotRetry: [400, 401, 403, 404, 408, 409, 410, 422, 429, 451],
        retries: 2,
        ...(isHurried ? { retryAfterBaseValue: 1 } : {}),
      },
      // What the plugin is here for is the pause that GitHub asks for between writes; the window keeps the limits.
      throttle: {
        enabled: !isHurried,
        onRateLimit: () => false,
        onSecondaryRateLimit: () => false,
      },
    });
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

  async get<T>(route: `GET ${string}`, parameters: Parameters, schema: z.ZodType<T>): Promise<T> {
    const { data } = await this.#octokit.request(route, { ...parameters });
    return this.#parse(schema, data, route);
  }

  /** All pages, or as many as `isEnough` of the last entry wants. */
  async list<T>(
    route: `GET ${string}`,
    parameters: Parameters,
    schema: z.ZodType<T>,
    isEnough: (last: T) => boolean = () => false,
  ): Promise<T[]> {
    const entries: T[] = [];
    const pages = this.#octokit.paginate.iterator(route, { ...parameters, per_page: pageSize });
    for await (const { data } of pages) {
      const page = this.#parse(schema.array(), data, route);
      entries.push(...page);
      const last = page.at(-1);
      if (last !== undefined && isEnough(last)) break;
    }
    return entries;
  }

  /**
   * Sent once. After a broken connection or a 5xx nobody knows whether the write happened; the effect runner looks for
   * it before it tries again.
   */
  async write(
    route: `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
    parameters: Parameters,
  ): Promise<{ readonly data: unknown }> {
    return this.#octokit.request(route, { ...parameters, request: { retries: 0 } });
  }

  async writeAndRead<T>(
    route: `${'POST' | 'PATCH'} ${string}`,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): Promise<T> {
    return this.#parse(schema, (await this.write(route, parameters)).data, route);
  }
}
