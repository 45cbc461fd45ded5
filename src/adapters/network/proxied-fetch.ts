/** `fetch` whose connections go through a proxy, each as the variables say for its host; after a redirect too. */
import { Agent, buildConnector, fetch as fetchWith } from 'undici';
import { connectThrough } from './connect-through.ts';
import type { Fetch } from './network-fetch.ts';
import { type Environment, findProxy } from './proxy-rules.ts';

const connectMilliseconds = 30_000;

function makeConnector(environment: Environment): buildConnector.connector {
  const connectDirectly = buildConnector({});
  const connect = async (options: buildConnector.Options): Promise<buildConnector.Options> => {
    const protocol = options.protocol === 'https:' ? 'https:' : 'http:';
    const host = options.hostname.replace(/^\[|\]$/gu, '');
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80);
    const proxy = findProxy(environment, { protocol, host, port });
    if (proxy === null) return options;
    const httpSocket = await connectThrough(proxy, host, port, { milliseconds: connectMilliseconds });
    return { ...options, httpSocket };
  };
  return (options, callback) => {
    connect(options).then(
      (found) => {
        // Without TLS the tunnel is the connection.
        if (found.httpSocket !== undefined && found.protocol !== 'https:') callback(null, found.httpSocket);
        else connectDirectly(found, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function partsOf(request: Request): Promise<RequestInit> {
  const { method, headers, redirect, signal } = request;
  return { method, headers, redirect, signal, body: request.body === null ? null : await request.bytes() };
}

export function makeProxiedFetch(environment: Environment): Fetch {
  const dispatcher = new Agent({ connect: makeConnector(environment) });
  return async (url, init) => {
    // Its types are its own, and it does not know the platform's requests.
    const given = url instanceof Request ? { ...(await partsOf(url)), ...init } : init;
    const response = await fetchWith(url instanceof Request ? url.url : url, {
      ...(given as unknown as Parameters<typeof fetchWith>[1]),
      dispatcher,
    });
    return response as unknown as Response;
  };
}
