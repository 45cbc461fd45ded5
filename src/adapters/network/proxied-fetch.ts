/** `fetch` whose connections go through a proxy, each as the variables say for its host; after a redirect too. */
import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { connectThrough } from './connect-through.ts';
import { fetchWithAgents } from './fetch-with-agents.ts';
import type { Fetch } from './network-fetch.ts';
import { type Environment, findProxy } from './proxy-rules.ts';

const tunnelMilliseconds = 30_000;
const connectMilliseconds = 10_000;
/** A connection that is not used for so long is closed. */
const kept = { keepAlive: true, timeout: 4000 };

type Connected = (error: Error | null, socket: Duplex) => void;
/** Node's types want a connection even where there is none. */
const noSocket = undefined as unknown as Duplex;

/** Ends a connection that is not there in time. */
function limit<S extends Duplex>(socket: S, event: 'connect' | 'secureConnect'): S {
  const end = (): unknown =>
    socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(end, connectMilliseconds);
  socket.once(event, () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return socket;
}

/** The connection to the host of a request through its proxy; null when it needs none. */
function reach(
  environment: Environment,
  protocol: 'http:' | 'https:',
  { host, port }: ClientRequestArgs,
): Promise<Socket> | null {
  const name = String(host).replace(/^\[|\]$/gu, '');
  const number = Number(port) || (protocol === 'https:' ? 443 : 80);
  const proxy = findProxy(environment, { protocol, host: name, port: number });
  return proxy && connectThrough(proxy, name, number, { milliseconds: tunnelMilliseconds });
}

class PlainAgent extends HttpAgent {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    super(kept);
    this.#environment = environment;
  }

  override createConnection(options: ClientRequestArgs, connected?: Connected): Duplex | null | undefined {
    const tunnel = reach(this.#environment, 'http:', options);
    if (tunnel === null) return direct(super.createConnection(options), 'connect');
    // Without TLS the tunnel is the connection.
    tunnel.then(
      (socket) => connected?.(null, socket),
      (error: Error) => connected?.(error, noSocket),
    );
    return undefined;
  }
}

class SecureAgent extends HttpsAgent {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    super(kept);
    this.#environment = environment;
  }

  override createConnection(options: ClientRequestArgs, connected?: Connected): Duplex | null | undefined {
    const tunnel = reach(this.#environment, 'https:', options);
    if (tunnel === null) return direct(super.createConnection(options), 'secureConnect');
    const name = String((options as { servername?: string }).servername ?? options.host);
    tunnel.then(
      (socket) => {
        const secure = connectSecurely({
          ...{ socket, ALPNProtocols: ['http/1.1'] },
          ...(isIP(name) === 0 ? { servername: name } : { host: name }),
        });
        connected?.(null, limit(secure, 'secureConnect'));
      },
      (error: Error) => connected?.(error, noSocket),
    );
    return undefined;
  }
}

function direct(
  socket: Duplex | null | undefined,
  event: 'connect' | 'secureConnect',
): Duplex | null | undefined {
  return socket && limit(socket, event);
}

export function makeProxiedFetch(environment: Environment): Fetch {
  return fetchWithAgents({ http: new PlainAgent(environment), https: new SecureAgent(environment) });
}
