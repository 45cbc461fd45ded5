/**
 * `fetch` as everything here uses it: through a proxy where a variable names one, and again when a name server had no
 * answer. What proxies need is loaded when there is one, and not before.
 */
import { GatewrightError } from '../../errors.ts';
import { refuseBlockedPort } from './blocked-ports.ts';
import { causesOf, lookupFailure } from './explain-connection.ts';
import { retryNames } from './find-addresses.ts';
import { type Environment, namesProxy } from './proxy-rules.ts';

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A write is not done twice by this: nothing was sent while the name was not known. */
export function retryLookups(fetchBelow: Fetch): Fetch {
  return (url, init) =>
    retryNames(
      () => fetchBelow(url, init),
      (error) => (init?.signal?.aborted === true ? '' : lookupFailure(error)),
    );
}

export function makeFetch(environment: Environment): Fetch {
  if (!namesProxy(environment))
    return retryLookups(async (url, init) => {
      refuseBlockedPort(url);
      return fetch(url, init);
    });
  let loaded: Promise<Fetch> | null = null;
  return retryLookups(async (url, init) => {
    loaded ??= import('./proxied-fetch.ts').then(({ makeProxiedFetch }) => makeProxiedFetch(environment));
    try {
      return await (await loaded)(url, init);
    } catch (error) {
      // What is wrong with a proxy is said by the innermost error.
      throw [...causesOf(error)].find((one) => one instanceof GatewrightError) ?? error;
    }
  });
}
