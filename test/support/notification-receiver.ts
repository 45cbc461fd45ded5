/** A server that takes messages for people, as their webhook or their Slack would, and remembers each request. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answering {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It takes the request and never answers. */
  readonly isSilent?: true;
}

export class NotificationReceiver {
  readonly received: ReceivedRequest[] = [];
  /** Called when a request has come whole, before it is answered. */
  onPost: () => void = () => undefined;
  /** What it answers from now on. */
  answering: Answering = { status: 200, body: 'ok' };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<NotificationReceiver> {
    const server = createServer();
    const receiver = new NotificationReceiver(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        receiver.received.push({ method, path, headers, body: Buffer.concat(parts).toString() });
        if (method === 'POST') receiver.onPost();
        const { status, body = '', headers: more = {}, isSilent } = receiver.answering;
        if (isSilent === true) return;
        response.writeHead(status, more).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Messages; a check of the server is none. */
  get posts(): ReceivedRequest[] {
    return this.received.filter(({ method }) => method === 'POST');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
