/**
 * Takes what GitHub delivers over HTTP. A delivery is stored before it is acknowledged, so that nothing that was
 * acknowledged can be lost; the watch of the fleet acts on it later. A sender without the secret can use almost no
 * memory or time of ours.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import {
  type Delivery,
  type DeliveryHeaders,
  Refusal,
  readDelivery,
  readDeliveryHeaders,
} from './check-delivery.ts';
import { type BodyRoomOptions, UnverifiedBodyLimit } from './unverified-body-limit.ts';

export type RefusedFor = 'signature' | 'payload';

type Reception = 'received' | 'ignored';

export interface WebhookServerOptions extends BodyRoomOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly secret: string;
  /** Stores it. Rejects with `event-invalid` when the payload is no valid event. */
  readonly accept: (delivery: Delivery) => Promise<Reception>;
  /** Called from time to time about refused requests: on this side, nothing else shows that the secrets differ. */
  readonly onRefused?: (why: RefusedFor) => void;
  /** How long headers, and then the whole request, may take. */
  readonly headerMilliseconds?: number;
  readonly requestMilliseconds?: number;
}

export interface WebhookServer {
  readonly url: string;
  /** Takes nothing new, and answers what it has begun to read. */
  close(): Promise<void>;
}

/** As many deliveries as may come while the disk makes the others wait: a connection that is dropped gets no answer. */
const mostConnections = 1_000;
/** With more than these the answer ends its connection, so that those without a request leave room for others. */
const mostKept = 200;
const largestHeaders = 16 * 1024;
/** Time for answers to begun requests after the server is asked to close. */
const graceToClose = 5_000;

/** The headers of the answer that explain the status. */
function headersOf({ status, retryAfter }: Refusal): Record<string, string> {
  if (retryAfter !== null) return { 'retry-after': String(retryAfter) };
  return status === 405 ? { allow: 'POST' } : {};
}

class Intake {
  readonly #options: WebhookServerOptions;
  readonly #secret: KeyObject;
  readonly #room: UnverifiedBodyLimit;
  readonly #toldAt = new Map<RefusedFor, number>();
  #isClosing = false;
  #connections = 0;

  constructor(options: WebhookServerOptions, room: UnverifiedBodyLimit) {
    this.#options = options;
    this.#secret = createSecretKey(options.secret, 'utf8');
    this.#room = room;
  }

  /** From now on every request is refused, and its connection ends: a proxy keeps connections open for long. */
  beginToClose(): void {
    this.#isClosing = true;
  }

  count(connection: Socket): void {
    this.#connections += 1;
    connection.once('close', () => {
      this.#connections -= 1;
    });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#reply(response, ...(await this.#handle(request)));
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.status === 401) this.#reportRefused('signature');
        this.#reply(response, error.status, error.message, headersOf(error));
      } else if (isGatewrightError(error, 'event-invalid')) {
        this.#reportRefused('payload');
        this.#reply(response, 400, 'payload not valid');
      } else {
        this.#options.onTrouble(error);
        // The status shows in GitHub's list of deliveries that this one has to be sent again.
        this.#reply(response, 503, 'not stored', { 'retry-after': '60' });
      }
    }
  }

  /** Any sender can send requests without a signature, so not every one of them is reported. */
  #reportRefused(why: RefusedFor): void {
    const now = performance.now();
    const { onRefused, tellMilliseconds = 60_000 } = this.#options;
    if (now - (this.#toldAt.get(why) ?? Number.NEGATIVE_INFINITY) < tellMilliseconds) return;
    this.#toldAt.set(why, now);
    onRefused?.(why);
  }

  /** A request that was not read to its end is cut off, because the rest could be endless. */
  #mayKeep(request: IncomingMessage): boolean {
    return request.complete && !this.#isClosing && this.#connections <= mostKept;
  }

  #reply(
    response: ServerResponse,
    status: number,
    word: string,
    more: Readonly<Record<string, string>> = {},
  ): void {
    if (response.headersSent || response.destroyed) return;
    const body = JSON.stringify({ status: word });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      ...more,
      ...(this.#mayKeep(response.req) ? {} : { connection: 'close' }),
    };
    response.writeHead(status, headers).end(body);
  }

  async #handle(request: IncomingMessage): Promise<[status: number, word: string]> {
    const path = request.url?.split('?')[0];
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/healthz' && isReading) return [200, 'ok'];
    if (path !== '/webhook') throw new Refusal(404, 'not here');
    if (request.method !== 'POST') throw new Refusal(405, 'only POST');
    if (this.#isClosing) throw new Refusal(503, 'closing', 10);
    const headers = readDeliveryHeaders(request.headers);
    const body = await this.#room.read(request);
    return [202, await this.#accept(body, headers)];
  }

  /** Not in `#handle`, which would keep the parsed payload in memory until it is stored. */
  #accept(body: Buffer, headers: DeliveryHeaders): Promise<Reception> {
    return this.#options.accept(readDelivery(body, headers, this.#secret));
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new GatewrightError('server-cannot-listen', `Nothing can be received at ${host}:${port}.`, { cause }),
      ),
    );
    // As many may wait to be taken: of more the system drops some, and their senders try again after a second.
    server.listen({ port, host, backlog: mostConnections }, () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceToClose);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { host, port, headerMilliseconds = 10_000, requestMilliseconds = 60_000 } = options;
  const room = new UnverifiedBodyLimit(options);
  const intake = new Intake(options, room);
  const server = createServer(
    {
      maxHeaderSize: largestHeaders,
      headersTimeout: headerMilliseconds,
      requestTimeout: requestMilliseconds,
      connectionsCheckingInterval: Math.min(1_000, headerMilliseconds),
      keepAliveTimeout: 5_000,
    },
    (request, response) => void intake.answer(request, response),
  );
  server.maxConnections = mostConnections;
  server.on('connection', (connection: Socket) => intake.count(connection));
  server.on('drop', () => room.reportBusy());
  await listen(server, host, port);
  server.on('error', options.onTrouble);
  const { address, port: bound, family } = server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  let closing: Promise<void> | null = null;
  return {
    url: `http://${shown}:${bound}`,
    close: () => {
      intake.beginToClose();
      closing ??= close(server);
      return closing;
    },
  };
}
