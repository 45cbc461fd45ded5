/**
 * GitHub redirects requests for a repository under a former name, and in the same way requests for a transferred issue.
 * The first redirect is followed, the second is not: an effect for this repository must not happen in another one.
 */
import { GatewrightError } from '../../../errors.ts';
import type { Fetch } from '../../network/network-fetch.ts';

interface Address {
  /** `owner/name`, or the number that GitHub gave it. */
  readonly repository: string;
  readonly isNumber: boolean;
  /** What of it, such as `/issues/5`. */
  readonly rest: string;
}

const redirects = [301, 302, 307, 308];
/** From a former name to the number, and once more in case both were renamed. */
const mostHops = 3;

const readMoved = (status: number): boolean => redirects.includes(status);

export class MoveFollower {
  readonly #send: Fetch;
  readonly #base: string;
  /** The numbers of repositories that were renamed, by former name. */
  readonly #numbers = new Map<string, string>();

  /** @param send asks GitHub without following anything */
  constructor(send: Fetch, apiUrl: string) {
    this.#send = send;
    this.#base = apiUrl.replace(/\/+$/u, '');
  }

  #read(address: string): Address | null {
    if (!address.startsWith(`${this.#base}/`)) return null;
    const { pathname } = new URL(address);
    const path = pathname.slice(new URL(this.#base).pathname.replace(/\/$/u, '').length);
    const [, number, below = ''] = /^\/repositories\/(\d+)(\/.*)?$/u.exec(path) ?? [];
    if (number !== undefined) return { repository: number, isNumber: true, rest: below };
    const [, name, rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/u.exec(path) ?? [];
    return name === undefined ? null : { repository: name, isNumber: false, rest };
  }

  /** Which repository has or had this name; null when GitHub does not say. */
  async #numberOf({ repository, isNumber }: Address, init: RequestInit): Promise<string | null> {
    if (isNumber) return repository;
    const known = this.#numbers.get(repository);
    if (known !== undefined) return known;
    const { headers } = init;
    const ask = (url: string) =>
      this.#send(url, { redirect: 'manual', ...(headers === undefined ? {} : { headers }) });
    const response = await ask(`${this.#base}/repos/${repository}`);
    const text = await response.text();
    const to = this.#read(response.headers.get('location') ?? '');
    const number = readMoved(response.status)
      ? to?.isNumber === true && to.rest === ''
        ? to.repository
        : null
      : readNumber(text);
    if (number !== null && readMoved(response.status)) this.#numbers.set(repository, number);
    return number;
  }

  async #nameOf({ repository, isNumber }: Address, init: RequestInit): Promise<string | null> {
    if (!isNumber) return repository;
    const { headers } = init;
    const given = headers === undefined ? {} : { headers };
    const response = await this.#send(`${this.#base}/repositories/${repository}`, {
      redirect: 'manual',
      ...given,
    });
    const text = await response.text();
    return response.status === 200
      ? (/"full_name"\s*:\s*"([\w.-]{1,39}\/[\w.-]{1,100})"/u.exec(text)?.[1] ?? null)
      : null;
  }

  async #explain(from: Address, to: Address, init: RequestInit): Promise<GatewrightError> {
    const numberIn = ({ rest }: Address) => /^\/(?:issues|pulls)\/(\d+)/u.exec(rest)?.[1];
    const [before, after] = [numberIn(from), numberIn(to)];
    const name = (await this.#nameOf(to, init)) ?? 'another repository';
    const what = before === undefined ? from.repository : `${from.repository}#${before}`;
    const where =
      after === undefined ? name : name.includes('/') ? `${name}#${after}` : `#${after} of ${name}`;
    return new GatewrightError('forge-moved', `${what} was moved: it is ${where} now.`);
  }

  /** Asks, and follows to where the same repository is now; throws `forge-moved` when it would lead into another one. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    let address = url;
    for (let hops = 0; ; hops += 1) {
      const response = await this.#send(address, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!readMoved(response.status) || location === null) return response;
      await response.body?.cancel();
      const target = URL.canParse(location, address) ? new URL(location, address).href : '';
      const [from, to] = [this.#read(address), this.#read(target)];
      if (from === null || to === null || hops === mostHops)
        throw new GatewrightError(
          'forge-unavailable',
          `${new URL(this.#base).host} points to another server.`,
          {
            hint: 'Check GATEWRIGHT_GITHUB_URL: it has to be the address that GitHub itself uses.',
          },
        );
      const isSame = readable(from.rest) === readable(to.rest) && (await this.#isSame(from, to, init));
      if (!isSame) throw await this.#explain(from, to, init);
      // A write that became a read would look as if it had been done.
      const isRead = ['GET', 'HEAD'].includes((init.method ?? 'GET').toUpperCase());
      if (!isRead && (response.status === 301 || response.status === 302))
        throw new GatewrightError(
          'forge-moved',
          `${from.repository} is called ${(await this.#nameOf(to, init)) ?? to.repository} now.`,
        );
      address = target;
    }
  }

  async #isSame(from: Address, to: Address, init: RequestInit): Promise<boolean> {
    const number = await this.#numberOf(from, init);
    return number !== null && number === (await this.#numberOf(to, init));
  }
}

/** Two may write the same address differently. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The number of a repository in what GitHub says of it. */
function readNumber(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'number' ? String(id) : null;
  } catch {
    return null;
  }
}
