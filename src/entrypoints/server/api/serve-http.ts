/** Carries requests of a socket to a function and its answers back, whatever is asked: sizes, times and ends. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { GatewrightError } from '../../../errors.ts';
import { renderProblem } from './render/render-problem.ts';
import { makeSafe } from './safe-headers.ts';

type Answer = (request: Request) => Promise<Response>;

export interface HttpServer {
  readonly port: number;
  /** From now on requests are answered; until then they wait for it. */
  answerWith(answer: Answer): void;
  /** Takes nothing new, and ends what goes on after a moment. */
  close(): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds in which something of what was sent has to be taken. */
  readonly patience?: number;
}

/** Pages that listen keep theirs. */
const mostConnections = 500;
const largestHeaders = 16 * 1024;
const longestAddress = 4_000;
const graceToClose = 2_000;
const usualPatience = 60_000;

/** Null for what is not asked in the usual form: other methods, whole addresses, dots and signs to be resolved first. */
function toRequest(incoming: IncomingMessage): Request | null {
  const { method = '', url = '' } = incoming;
  if (method !== 'GET' && method !== 'POST') return null;
  if (!url.startsWith('/') || url.length > longestAddress) return null;
  const parsed = URL.parse(`http://gatewright.invalid${url}`);
  if (parsed === null || `${parsed.pathname}${parsed.search}` !== url) return null;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
  return new Request(parsed, { method, headers, ...body } as RequestInit);
}

/** Resolves when it happened, or when there is no connection any more: who takes nothing for long loses it. */
function waitFor(event: 'drain' | 'finish', outgoing: ServerResponse, patience: number): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), patience);
    const go = (): void => {
      clearTimeout(timer);
      outgoing.off(event, go).off('close', go);
      resolve();
    };
    outgoing.once(event, go).once('close', go);
  });
}

async function send(response: Response, outgoing: ServerResponse, patience: number): Promise<void> {
  const { body } = response;
  // Who asked has gone: no event will say so again, and what was begun for them has to end.
  if (outgoing.destroyed) return body?.cancel();
  // What was not read to its end could be endless.
  const ending = outgoing.req.complete ? {} : { connection: 'close' };
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...ending });
  if (body === null) return void outgoing.end();
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  outgoing.once('close', stop);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(value)) await waitFor('drain', outgoing, patience);
  }
  outgoing.end();
  await waitFor('finish', outgoing, patience);
}

/** Before anything of it is looked at. */
function refuse(): Response {
  const error = new GatewrightError('route-unknown', 'There is nothing at this address for this method.');
  return makeSafe(renderProblem(error).response);
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new GatewrightError('server-cannot-listen', `Cannot listen at ${host}:${port}.`, { cause })),
    );
    server.listen({ host, port }, () => resolve());
  });
}

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const answering = Promise.withResolvers<Answer>();
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = toRequest(incoming);
    const response = request === null ? refuse() : await (await answering.promise)(request);
    await send(response, outgoing, options.patience ?? usualPatience);
  };
  const server = createServer(
    {
      maxHeaderSize: largestHeaders,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
    },
    (incoming, outgoing) =>
      void handle(incoming, outgoing).catch((error: unknown) => {
        options.onTrouble(error);
        outgoing.destroy();
      }),
  );
  server.maxConnections = mostConnections;
  await listen(server, options);
  server.on('error', options.onTrouble);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), graceToClose);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      server.closeIdleConnections();
    });
  return {
    port: (server.address() as AddressInfo).port,
    answerWith: answering.resolve,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
