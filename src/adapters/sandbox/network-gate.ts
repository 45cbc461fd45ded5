/**
 * The only way from a sandbox to a network: sockets in the file system, behind which stands this process. One takes the
 * CONNECT requests of a proxy and passes those on that name a host and port of the list, letter for letter; a server on this
 * machine's loopback gets a socket of its own, so that it is found inside where it is outside.
 */
import { lookup } from 'node:dns/promises';
import { createServer as createHttpServer } from 'node:http';
import { BlockList, connect, createServer, isIP, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import { connectThrough, findUpstreamProxy } from './upstream-proxy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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

/** Where a name must not lead: this machine itself, and the services that clouds keep for their machines. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addSubnet('0.0.0.0', 8, 'ipv4');
ownAddresses.addSubnet('169.254.0.0', 16, 'ipv4');
ownAddresses.addSubnet('::', 127, 'ipv6');
ownAddresses.addSubnet('fe80::', 10, 'ipv6');
ownAddresses.addSubnet('::ffff:0:0', 96, 'ipv6');

const ownAddress = 'own';

/** Where a name leads: null when nobody knows, `ownAddress` when it leads back to this machine. */
async function findAddress(host: string, resolve: typeof lookup): Promise<string | null> {
  if (isIP(host) !== 0 || host === 'localhost') return host;
  const found = await resolve(host, { all: true }).catch(() => []);
  const isOwn = ({ address, family }: (typeof found)[number]): boolean =>
    ownAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4');
  if (found.some(isOwn)) return ownAddress;
  return found[0]?.address ?? null;
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
  readonly lookup?: typeof lookup;
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
    const allowed = this.#allowed.get(target.toLowerCase());
    const outside =
      allowed === undefined ? 'refused' : await this.#reach(allowed).catch(() => 'unreachable' as const);
    if (outside === 'refused') {
      this.#refuse(target);
      client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    } else if (outside === 'unreachable') {
      client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n');
    } else {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      outside.write(early);
      this.#join(client, outside);
    }
  }

  /** A connection to a host that is on the list. */
  async #reach({ host, port }: HostAndPort): Promise<Socket | 'refused' | 'unreachable'> {
    const proxy = isLoopback(host) ? null : findUpstreamProxy(this.#options.environment ?? {}, host, port);
    if (proxy !== null) return this.#hold(await connectThrough(proxy, host, port, connectMilliseconds));
    const address = await findAddress(host, this.#options.lookup ?? lookup);
    if (address === null) return 'unreachable';
    if (address === ownAddress) return 'refused';
    const outside = this.#connect(address, port);
    const timer = setTimeout(() => outside.destroy(), connectMilliseconds);
    return new Promise((resolve) => {
      outside.once('close', () => resolve('unreachable'));
      outside.once('connect', () => resolve(outside));
    }).finally(() => clearTimeout(timer)) as Promise<Socket | 'unreachable'>;
  }

  async close(): Promise<void> {
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
