/**
 * A little internet: the servers that Gatewright needs in life, under their real names, on port 443, with certificates of a
 * company's authority, in a private network. Their state is in this process, where tests look at it and break it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGitPath } from '../support/github-git-http.ts';
import { GithubServer } from '../support/github-server.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { CertificateAuthority } from './certificates.ts';
import { registryHost, serveRegistry } from './package-registry.ts';
import { type NetworkPlan, PrivateNetwork } from './private-network.ts';

export interface InternetOptions {
  /** Which addresses names have. Behind a proxy they have none at all, for whoever is not the proxy. */
  readonly route?: 'IPv4' | 'IPv6' | 'both' | 'proxy';
  /** Where names are found: in the file of hosts, or by asking a server. */
  readonly names?: 'file' | 'server';
  /** Hosts that show the certificate of another one. */
  readonly wrongCertificates?: readonly string[];
}

export interface SeenRequest {
  readonly host: string;
  readonly method: string;
  readonly path: string;
}

/** What becomes of a request: it is answered; or its connection breaks, before anything was done or after. */
type Fate = 'answered' | 'lost-before' | 'lost-after';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const modelHosts = {
  anthropic: 'api.anthropic.com',
  google: 'generativelanguage.googleapis.com',
  openai: 'api.openai.com',
} as const;

const proxyHost = 'proxy.company.example';
const proxyPort = 3128;
const servePort = 8787;

/** Where each is; never the same address for two, so that none is reached by mistake. */
function addressesOf(index: number, route: InternetOptions['route']): string[] {
  const [four, six] = [`192.0.2.${index + 10}`, `2001:db8::${(index + 16).toString(16)}`];
  return route === 'IPv4' ? [four] : route === 'IPv6' ? [six] : [six, four];
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => server.listen(path, resolve));
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
}

export class LittleInternet {
  readonly github: GithubServer;
  readonly models: ScriptedProvider;
  readonly requests: SeenRequest[] = [];
  /** Names and ports that the proxy was asked for. */
  readonly proxied: string[] = [];
  /** Hosts whose connections are reset, with how many still are. */
  readonly resets = new Map<string, number>();
  /** Decides what becomes of each request; they count from 0. */
  onRequest: (seen: SeenRequest, index: number) => Fate = () => 'answered';
  /** Called when the connection of a request breaks. */
  onLost: () => void = () => undefined;
  readonly #options: InternetOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gw-internet-'));
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #network: PrivateNetwork | null = null;

  private constructor(github: GithubServer, models: ScriptedProvider, options: InternetOptions) {
    this.github = github;
    this.models = models;
    this.#options = options;
  }

  static async open(options: InternetOptions = {}): Promise<LittleInternet> {
    const internet = new LittleInternet(await GithubServer.start(), new ScriptedProvider(), options);
    await internet.#start().catch(async (error: unknown) => {
      await internet.close();
      throw error;
    });
    return internet;
  }

  get network(): PrivateNetwork {
    if (this.#network === null) throw new Error('The network is not there yet.');
    return this.#network;
  }

  /** The certificate of the authority, as a company gives it to its people. */
  get authorityFile(): string {
    return join(this.#folder, 'company-ca.pem');
  }

  /** A socket that leads to where `gatewright serve` listens. */
  get serveSocket(): string {
    return this.#socketOf('serve');
  }

  /** What people behind the proxy have in their environment. */
  get proxyVariables(): Readonly<Record<string, string>> {
    if (this.#options.route !== 'proxy') return {};
    return {
      HTTPS_PROXY: `http://${proxyHost}:${proxyPort}`,
      NO_PROXY: 'localhost,127.0.0.1,.internal.example',
    };
  }

  #socketOf(name: string): string {
    return join(this.#folder, `${name}.sock`);
  }

  get #sites(): Readonly<Record<string, Handler>> {
    const { github, models } = this;
    const ask: Handler = (request, response) => models.take(request, response);
    return {
      [modelHosts.anthropic]: ask,
      [modelHosts.google]: ask,
      [modelHosts.openai]: ask,
      // As in life: git and the API are two servers, and neither does the work of the other.
      'api.github.com': (request, response) =>
        isForGit(request) ? refuse(response) : github.take(request, response),
      'github.com': (request, response) =>
        isForGit(request) ? github.take(request, response) : refuse(response),
      [registryHost]: serveRegistry,
    };
  }

  async #start(): Promise<void> {
    const { route = 'both', names: from = 'file', wrongCertificates = [] } = this.#options;
    const authority = new CertificateAuthority();
    writeFileSync(this.authorityFile, authority.pem);
    for (const [host, handler] of Object.entries(this.#sites)) {
      const named = wrongCertificates.includes(host) ? 'other.example' : host;
      await this.#openSite(host, authority.issue(named), handler);
    }
    if (route === 'proxy') await this.#openProxy();
    const hosts = route === 'proxy' ? [proxyHost] : Object.keys(this.#sites);
    const port = route === 'proxy' ? proxyPort : 443;
    const names = Object.fromEntries(hosts.map((host, index) => [host, addressesOf(index, route)]));
    const nameServer = from === 'file' ? null : { address: '192.0.2.53', names };
    const addresses = Object.values(names).flat();
    const plan: NetworkPlan = {
      addresses: nameServer === null ? addresses : [...addresses, nameServer.address],
      listeners: Object.entries(names).flatMap(([host, own]) =>
        own.map((address) => ({ address, port, socket: this.#socketOf(host) })),
      ),
      hosts: nameServer === null ? names : {},
      nameServer,
      inbound: [{ socket: this.serveSocket, port: servePort }],
    };
    this.#network = await PrivateNetwork.open(plan);
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #openSite(host: string, certificate: { key: string; cert: string }, handler: Handler): Promise<void> {
    const site = createHttpsServer(certificate, (request, response) => {
      const seen = { host, method: request.method ?? 'GET', path: request.url ?? '/' };
      this.requests.push(seen);
      const fate = this.onRequest(seen, this.requests.length - 1);
      if (fate === 'answered') handler(request, response);
      else this.#lose(request, response, fate === 'lost-after' ? handler : null);
    });
    site.on('tlsClientError', () => undefined);
    const server = createServer((socket) => {
      this.#hold(socket);
      const left = this.resets.get(host) ?? 0;
      this.resets.set(host, left - 1);
      // Closed without a word, which the network makes a reset of.
      if (left > 0) socket.destroy();
      else site.emit('connection', socket);
    });
    this.#servers.push(server);
    await listen(server, this.#socketOf(host));
  }

  /** With a handler everything is done, and its answer is lost on the way. */
  #lose(request: IncomingMessage, response: ServerResponse, handler: Handler | null): void {
    const cut = (): ServerResponse => {
      this.onLost();
      request.socket.destroy();
      return response;
    };
    if (handler === null) {
      cut();
      return;
    }
    const mute = { writeHead: () => response, write: () => true, end: cut };
    handler(request, Object.assign(response, mute));
  }

  async #openProxy(): Promise<void> {
    const proxy = createHttpServer((_, response) => refuse(response));
    proxy.on('connection', (socket) => this.#hold(socket));
    proxy.on('connect', (request, client: Socket, early: Buffer) => {
      const target = request.url ?? '';
      this.proxied.push(target);
      const host = target.replace(/:443$/u, '');
      if (!(host in this.#sites)) {
        client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      const site = connect({ path: this.#socketOf(host) }, () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        site.write(early);
        client.pipe(site).pipe(client);
      });
      client.once('close', () => site.destroy());
      site.on('error', () => client.destroy()).once('close', () => client.destroy());
    });
    this.#servers.push(proxy);
    await listen(proxy, this.#socketOf(proxyHost));
  }

  async close(): Promise<void> {
    await this.#network?.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await this.github.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isForGit({ url = '/' }: IncomingMessage): boolean {
  return readGitPath(new URL(url, 'https://github.com').pathname) !== null;
}
