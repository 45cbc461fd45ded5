/**
 * The only way from a sandbox to a network: sockets in the file system, behind which stands this process. One takes the
 * CONNECT requests of a proxy and passes those on that name a host and port of the list, letter for letter; a server on this
 * machine's loopback gets a socket of its own, so that it is found inside where it is outside.
 */
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, isIP, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { GatewrightError, systemErrorCode } from '../../errors.ts';
import { connectThrough } from '../network/connect-through.ts';
import { connectToAny } from '../network/connect-to-any.ts';
import { connectionProblem } from '../network/explain-connection.ts';
import { findAddresses, type Lookup } from '../network/find-addresses.ts';
import { whyForbidden } from '../network/forbidden-address.ts';
import { describeProxy, type Environment, findProxy } from '../network/proxy-rules.ts';

/** A port inside and the socket that it leads to, as a file name in the folder of the gate. */
interface Door {
  readonly address: string;
  readonly port: number;
  readonly socket: string;
}

export interface NetworkGate {
  readonly doors: readonly Door[];
  /** The port of the proxy inside. */
  readonly proxyPort: number;
  refused(): readonly string[];
  close(): Promise<void>;
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Nothing but plain names, addresses and a number: no user, no path, no dot at the end, no other way to write a number. */
const pattern =
  /^((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[[0-9a-f:.]+\]):([1-9]\d{0,4})$/u;

export function parseHost(text: string): HostAndPort | null {
  const [, host = '', digits = ''] = pattern.exec(text.toLowerCase()) ?? [];
  const port = Number(digits);
  if (host === '' || host.length > 253 || port > 65_535) return null;
  const bare = host.replace(/^\[|\]$/gu, '');
  if (host !== bare && isIP(bare) !== 6) return null;
  // "127.1" and "0x7f000001" are addresses to some and names to others.
  if (/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(bare) && isIP(bare) === 0) return null;
  return { host: bare, port };
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./u.test(host);

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

/** The addresses that a host on the list stands for, each of them checked: one that is forbidden spoils the name. */
async function checkedAddresses(host: string, find: Lookup | undefined): Promise<string[]> {
  const found = await findAddresses(host, find);
  for (const address of found) {
    const why = whyForbidden(address);
    if (why !== null) throw new NoConnection(forbidden, `the name leads to ${why} (${address})`);
  }
  if (found.length === 0) throw new NoConnection('dns_error', 'the name has no address');
  return found;
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
}

const mostRefused = 100;
const connectMilliseconds = 30_000;

interface GateOptions {
  /** Says whether this machine has to go through a proxy itself. */
  readonly environment?: Environment;
  /** Finds the addresses of names. */
  readonly lookup?: Lookup;
  /** Connects to the addresses that were checked. */
  readonly connect?: typeof connectToAny;
}

class Gate implements NetworkGate {
  readonly doors: Door[] = [];
  readonly proxyPort: number;
  readonly #allowed: ReadonlyMap<string, HostAndPort>;
  readonly #folder: string;
  readonly #options: GateOptions;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #refused = new Set<string>();
  readonly #closed = new AbortController();

  constructor(folder: string, hosts: readonly string[], options: GateOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#allowed = new Map(
      hosts.map((text) => {
        const parsed = parseHost(text);
        if (parsed === null)
          throw new GatewrightError('config-invalid', `"${text.slice(0, 100)}" is no host and port.`);
        return [text.toLowerCase(), parsed];
      }),
    );
    const taken = new Set([...this.#allowed.values()].map(({ port }) => port));
    let port = 3128;
    while (taken.has(port)) port += 1;
    this.proxyPort = port;
  }

  refused(): readonly string[] {
    return [...this.#refused];
  }

  async open(): Promise<this> {
    await this.#openProxy();
    const local = [...this.#allowed.values()].filter(({ host }) => isLoopback(host));
    for (const [index, target] of local.entries()) {
      const socket = `local-${index}`;
      const server = createServer((client) => this.#join(client, this.#connect(target.host, target.port)));
      await this.#start(server, socket);
      const address = target.host === 'localhost' ? '127.0.0.1' : target.host;
      this.doors.push({ address, port: target.port, socket });
    }
    return this;
  }

  async #openProxy(): Promise<void> {
    const server = createHttpServer((request, response) => {
      this.#refuse(request.url ?? '');
      response.writeHead(403, { connection: 'close' }).end();
    });
    server.on(
      'connect',
      (request, client, early) => void this.#pass(request.url ?? '', client as Socket, early),
    );
    server.on('clientError', (_, client) => client.destroy());
    await this.#start(server, 'proxy');
    this.doors.push({ address: '127.0.0.1', port: this.proxyPort, socket: 'proxy' });
  }

  async #start(server: Server, socket: string): Promise<void> {
    server.on('connection', (client) => this.#hold(client));
    this.#servers.push(server);
    await listen(server, join(this.#folder, socket));
  }

  #refuse(target: string): void {
    if (this.#refused.size < mostRefused) this.#refused.add(target.slice(0, 300));
  }

  #hold(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #connect(host: string, port: number): Socket {
    return this.#hold(connect({ host, port, autoSelectFamily: true }));
  }

  #join(client: Socket, outside: Socket): void {
    client.once('close', () => outside.destroySoon());
    outside.once('close', () => client.destroySoon());
    client.pipe(outside).pipe(client);
  }

  async #pass(target: string, client: Socket, early: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    try {
      const allowed = this.#allowed.get(target.toLowerCase());
      if (allowed === undefined) throw new NoConnection(notListed, 'the host is not on the list');
      const { outside, nextHop } = await this.#reach(allowed);
      if (client.destroyed) outside.destroy();
      const how = `Proxy-Status: gatewright; next-hop=${JSON.stringify(nextHop)}`;
      client.write(`HTTP/1.1 200 Connection Established\r\n${how}\r\n\r\n`);
      outside.write(early);
      this.#join(client, outside);
    } catch (error) {
      const { kind, message } = explain(error);
      const isRefused = kind === notListed || kind === forbidden;
      if (isRefused) this.#refuse(target);
      const status = isRefused ? '403 Forbidden' : '502 Bad Gateway';
      const details = JSON.stringify(message.replaceAll(/[^ -~]/gu, '?'));
      client.end(
        `HTTP/1.1 ${status}\r\nProxy-Status: gatewright; error=${kind}; details=${details}\r\nConnection: close\r\n\r\n`,
      );
    }
  }

  /** A connection to a host that is on the list, and where it leads first. */
  async #reach({ host, port }: HostAndPort): Promise<{ outside: Socket; nextHop: string }> {
    const { environment = {}, connect: connectTo = connectToAny } = this.#options;
    const proxy = findProxy(environment, { protocol: 'https:', host, port });
    const limits = { milliseconds: connectMilliseconds, signal: this.#closed.signal };
    const outside = this.#hold(
      proxy === null
        ? await connectTo(await this.#addressesOf(host), port, limits)
        : await connectThrough(proxy, host, port, limits),
    );
    return { outside, nextHop: proxy === null ? (outside.remoteAddress ?? '') : describeProxy(proxy) };
  }

  /** Who wrote an address or "localhost" into the list meant it. */
  async #addressesOf(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const { lookup } = this.#options;
    return host === 'localhost' ? findAddresses(host, lookup) : checkedAddresses(host, lookup);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Opens a gate whose sockets are in a folder. */
export async function openNetworkGate(
  folder: string,
  hosts: readonly string[],
  options: GateOptions = {},
): Promise<NetworkGate> {
  const gate = new Gate(folder, hosts, options);
  try {
    return await gate.open();
  } catch (error) {
    await gate.close();
    throw error;
  }
}
