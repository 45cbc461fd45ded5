/**
 * What the gate of a sandbox grants and refuses, without its sockets: which hosts and ports are on the list, to which
 * addresses their names may lead, and what is said about a connection that is not made.
 */
import { isIP } from 'node:net';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import { connectionProblem } from './explain-connection.ts';
import { findAddresses, type Lookup } from './find-addresses.ts';
import { whyForbidden } from './forbidden-address.ts';
import { type HostAndPort, parseHost } from './parse-host.ts';

/** Why a connection was not made, in the words of RFC 9209 (`Proxy-Status`), and what is said about it. */
class NoConnection extends Error {
  readonly kind: string;

  constructor(kind: string, details: string) {
    super(details);
    this.kind = kind;
  }
}

const notListed = 'http_request_denied';
const forbidden = 'destination_ip_prohibited';

/** "127.example" is a name, not an address: a name server decides where it leads. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The hosts and ports that may be reached: those, letter for letter, and no others. */
export class AllowedHosts {
  readonly #hosts: ReadonlyMap<string, HostAndPort>;

  constructor(hosts: readonly string[]) {
    this.#hosts = new Map(
      hosts.map((text) => {
        const parsed = parseHost(text);
        if (parsed === null)
          throw new GatewrightError('config-invalid', `"${text.slice(0, 100)}" is no host and port.`);
        return [text.toLowerCase(), parsed];
      }),
    );
  }

  /** The host and port that a program inside asks for; throws when they are not on the list. */
  find(target: string): HostAndPort {
    const allowed = this.#hosts.get(target.toLowerCase());
    if (allowed === undefined) throw new NoConnection(notListed, 'the host is not on the list');
    return allowed;
  }

  /** Servers on this machine, which are to be found inside where they are outside. */
  get local(): HostAndPort[] {
    return [...this.#hosts.values()].filter(({ host }) => isLoopback(host));
  }

  /** A port for the proxy inside that no server of the list has. */
  get freePort(): number {
    const taken = new Set([...this.#hosts.values()].map(({ port }) => port));
    let port = 3128;
    while (taken.has(port)) port += 1;
    return port;
  }
}

/**
 * The addresses of a host on the list. A person who listed an address or "localhost" meant exactly that; for another
 * name each address is checked, and one forbidden address makes the whole name forbidden.
 */
export async function allowedAddresses(host: string, find?: Lookup): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await findAddresses(host, find);
  if (host === 'localhost') return found;
  for (const address of found) {
    const why = whyForbidden(address);
    if (why !== null) throw new NoConnection(forbidden, `the name leads to ${why} (${address})`);
  }
  if (found.length === 0) throw new NoConnection('dns_error', 'the name has no address');
  return found;
}

const kinds = new Map([
  ['ENOTFOUND', 'dns_error'],
  ['EAI_AGAIN', 'dns_timeout'],
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_terminated'],
  ['ETIMEDOUT', 'connection_timeout'],
]);

function explain(error: unknown): NoConnection {
  if (error instanceof NoConnection) return error;
  // The way leads through a proxy.
  if (error instanceof GatewrightError) return new NoConnection('destination_unavailable', error.message);
  const kind = kinds.get(systemErrorCode(error)) ?? 'destination_unavailable';
  return new NoConnection(kind, connectionProblem(error).what);
}

/** What is answered inside when there is no connection, and whether the gate refused it or the world did. */
export function answerWithout(error: unknown): { readonly isRefused: boolean; readonly answer: string } {
  const { kind, message } = explain(error);
  const isRefused = kind === notListed || kind === forbidden;
  const status = isRefused ? '403 Forbidden' : '502 Bad Gateway';
  const details = JSON.stringify(message.replaceAll(/[^ -~]/gu, '?'));
  const why = `Proxy-Status: gatewright; error=${kind}; details=${details}`;
  return { isRefused, answer: `HTTP/1.1 ${status}\r\n${why}\r\nConnection: close\r\n\r\n` };
}
