/** The API on a socket of this machine, with everything that a person needs to open it. */
import { GatewrightError } from '../../../errors.ts';
import { isLoopback, placeOfLoopback } from './access/judge-request.ts';
import { LinkCodes } from './access/link-codes.ts';
import { Sessions } from './access/sessions.ts';
import type { ApiTools } from './api-tools.ts';
import { makeApi } from './make-api.ts';
import { startHttpServer } from './serve-http.ts';

export interface ApiServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly signingKey: string;
  /** How often the ledger is looked at while a page listens. */
  readonly pollMilliseconds: number;
}

export interface ApiServer {
  readonly port: number;
  readonly url: string;
  /** Whether there are pages to be opened. */
  readonly hasPages: boolean;
  close(): Promise<void>;
}

/** Without tokens nothing but this machine may reach it. */
export function requireLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new GatewrightError('server-not-loopback', `${host} is not an address of this machine alone.`);
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function startApi(tools: ApiTools, options: ApiServerOptions): Promise<ApiServer> {
  const { host, signingKey, pollMilliseconds } = options;
  requireLoopback(host);
  const startedAt = tools.clock.now();
  const hasPages = await tools.pages.areBuilt();
  const server = await startHttpServer({ ...options, onTrouble: tools.onTrouble });
  const { port } = server;
  const api = makeApi({
    tools,
    place: placeOfLoopback(port, host),
    links: new LinkCodes(signingKey, port, startedAt),
    sessions: new Sessions(port),
    pollMilliseconds,
  });
  server.answerWith(api.fetch);
  return {
    port,
    url: urlOf(host, port),
    hasPages,
    close: () => {
      api.close();
      return server.close();
    },
  };
}
