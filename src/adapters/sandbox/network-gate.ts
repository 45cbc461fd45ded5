/**
 * The only way from a sandbox to a network: sockets in the file system, behind which stands this process. One takes the
 * CONNECT requests of a proxy and passes those on that name a host and port of the list, letter for letter; a server on this
 * machine's loopback gets a socket of its own, so that it is found inside where it is outside.
 */
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { AllowedHosts, allowedAddresses, answerWithout } from '../network/allowed-hosts.ts';
import { connectThrough } from '../network/connect-through.ts';
import { connectToAny } from '../network/connect-to-any.ts';
import type { Lookup } from '../network/find-addresses.ts';
import type { HostAndPort } from '../network/parse-host.ts';
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
  readonly #allowed: AllowedHosts;
  readonly #folder: string;
  readonly #options: GateOptions;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #refused = new Set<string>();
  readonly #closed = new AbortController();

  constructor(folder: string, hosts: readonly string[], options: GateOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#allowed = new AllowedHosts(hosts);
    this.proxyPort = this.#allowed.freePort;
  }

  refused(): readonly string[] {
    return [...this.#refused];
  }

  async open(): Promise<this> {
    await this.#openProxy();
    for (const [index, target] of this.#allowed.local.entries()) {
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
      const { outside, nextHop } = await this.#reach(this.#allowed.find(target));
      if (client.destroyed) outside.destroy();
      const how = `Proxy-Status: gatewright; next-hop=${JSON.stringify(nextHop)}`;
      client.write(`HTTP/1.1 200 Connection Established\r\n${how}\r\n\r\n`);
      outside.write(early);
      this.#join(client, outside);
    } catch (error) {
      const { isRefused, answer } = answerWithout(error);
      if (isRefused) this.#refuse(target);
      client.end(answer);
    }
  }

  /** A connection to a host that is on the list, and where it leads first. */
  async #reach({ host, port }: HostAndPort): Promise<{ outside: Socket; nextHop: string }> {
    const { environment = {}, lookup, connect: connectTo = connectToAny } = this.#options;
    const proxy = findProxy(environment, { protocol: 'https:', host, port });
    const limits = { milliseconds: connectMilliseconds, signal: this.#closed.signal };
    const outside = this.#hold(
      proxy === null
        ? await connectTo(await allowedAddresses(host, lookup), port, limits)
        : await connectThrough(proxy, host, port, limits),
    );
    return { outside, nextHop: proxy === null ? (outside.remoteAddress ?? '') : describeProxy(proxy) };
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
