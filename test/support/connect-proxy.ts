/** A proxy on loopback that takes CONNECT requests: it leads every name to one port of this machine, or does not. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface ConnectProxyOptions {
  /** Where each connection leads. */
  readonly to?: number;
  /** The login that it wants, as `user:password`. */
  readonly login?: string;
  /** What it answers instead of connecting: a status, nothing at all, or an end without a word. */
  readonly instead?: number | 'silence' | 'reset';
  /** For a proxy that is spoken to over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export class ConnectProxy {
  /** The hosts and ports that it was asked for. */
  readonly asked: string[] = [];
  port = 0;
  readonly #options: ConnectProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: ConnectProxyOptions) {
    this.#options = options;
    this.#server = options.tls === undefined ? createHttpServer() : createHttpsServer(options.tls);
    this.#server.on('connection', (socket: Socket) => this.#hold(socket));
    this.#server.on('connect', (request, client) => this.#take(request, client as Socket));
    this.#server.on('tlsClientError', () => undefined);
  }

  static async start(options: ConnectProxyOptions): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #take(request: IncomingMessage, client: Socket): void {
    client.on('error', () => client.destroy());
    this.asked.push(request.url ?? '');
    const { instead, login, to = 0 } = this.#options;
    if (instead === 'silence') return;
    if (instead === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    const status = wanted === undefined || request.headers['proxy-authorization'] === wanted ? instead : 407;
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const outside = connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(outside).pipe(client);
    });
    this.#hold(outside);
    client.once('close', () => outside.destroy());
    outside.once('close', () => client.destroy());
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}
