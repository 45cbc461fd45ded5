/**
 * `fetch` as everything here uses it: through a proxy where a variable names one, and again when a name server had no
 * answer. What proxies need is loaded when there is one, and not before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewrightError } from '../../errors.ts';
import { causesOf, isNameServerBusy } from './explain-connection.ts';
import { type Environment, namesProxy } from './proxy-rules.ts';

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

const pauses = [200, 1000] as const;

/** Nothing was sent when the name is not known yet, so that a write is not done twice. */
export function retryNames(fetchBelow: Fetch): Fetch {
  return async (url, init) => {
    for (const pause of pauses) {
      try {
        return await fetchBelow(url, init);
      } catch (error) {
        if (!isNameServerBusy(error) || init?.signal?.aborted === true) throw error;
        await sleep(pause);
      }
    }
    return fetchBelow(url, init);
  };
}

export function makeFetch(environment: Environment): Fetch {
  if (!namesProxy(environment)) return retryNames((url, init) => fetch(url, init));
  let loaded: Promise<Fetch> | null = null;
  return retryNames(async (url, init) => {
    loaded ??= import('./proxied-fetch.ts').then(({ makeProxiedFetch }) => makeProxiedFetch(environment));
    try {
      return await (await loaded)(url, init);
    } catch (error) {
      // What is wrong with a proxy is said by the innermost error.
      throw [...causesOf(error)].find((one) => one instanceof GatewrightError) ?? error;
    }
  });
}
