/** Our `fetch` beside the platform's: the same calls to the same server have to be seen and answered alike. */
import { once } from 'node:events';
import { createServer, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchWithAgents } from './fetch-with-agents.ts';
import type { Fetch } from './network-fetch.ts';

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent() };
const ours = fetchWithAgents(agents);
const theirs: Fetch = (url, init) => fetch(url, init);
let seen: unknown[] = [];
let connections = 0;
const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

/** What a path asks for: `/moved/302/there`, `/coded/gzip`, `/status/204`, `/cut`, `/slow`, `/loop`. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host, connection, 'user-agent': agent, 'sec-fetch-mode': _mode, ...headers } = request.headers;
  seen.push({
    ...{ method: request.method, path: request.url, headers, agent: typeof agent },
    ...{ connection: typeof connection, host: typeof host, body: Buffer.concat(chunks).toString() },
  });
  const [, what, one = '', ...rest] = (request.url ?? '').split('/');
  if (what === 'moved') response.writeHead(Number(one), { location: `/${rest.join('/')}` }).end('moved');
  else if (what === 'away')
    response.writeHead(Number(one), { location: `http://localhost:${port()}/there#part` }).end();
  else if (what === 'nowhere')
    response.writeHead(302, { location: one === '' ? 'ftp://x/' : 'http://' }).end();
  else if (what === 'loop') response.writeHead(302, { location: '/loop' }).end();
  else if (what === 'coded') {
    const encode = encoders[one] ?? ((text: string) => Buffer.from(text));
    response
      .writeHead(200, { 'content-encoding': one, 'content-type': 'text/plain' })
      .end(encode('höllo '.repeat(999)));
  } else if (what === 'status') response.writeHead(Number(one)).end(one === '200' ? 'body' : undefined);
  else if (what === 'cut') {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('begun');
    setTimeout(() => response.destroy(), 20);
  } else if (what === 'reset') request.socket.resetAndDestroy();
  else if (what === 'slow') {
    response.writeHead(200);
    response.write('begun');
  } else
    response
      .writeHead(
        200,
        [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['x-one', '1'],
        ].flat(),
      )
      .end('there');
}

const server = createServer((request, response) => void answer(request, response));
const port = (): number => (server.address() as AddressInfo).port;
const at = (path: string): string => `http://127.0.0.1:${port()}${path}`;

beforeAll(async () => {
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  seen = [];
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

interface Outcome {
  readonly seen: unknown;
  readonly said: unknown;
}

async function tryOut(how: Fetch, path: string, init?: () => RequestInit): Promise<Outcome> {
  seen = [];
  const said = await how(at(path), init?.()).then(
    async (response) => {
      const {
        date: _date,
        connection: _,
        'keep-alive': __,
        ...headers
      } = Object.fromEntries(response.headers);
      const text = await response.text().then(
        (read) => read,
        (error: unknown) => nameOf(error),
      );
      const { status, statusText, url, redirected, ok } = response;
      return {
        status,
        statusText,
        url,
        redirected,
        ok,
        headers,
        text,
        cookies: response.headers.getSetCookie(),
      };
    },
    (error: unknown) => nameOf(error),
  );
  return { seen, said };
}

describe('our fetch and that of the platform', () => {
  it.each<[string, string, (() => RequestInit)?]>([
    ['a plain read', '/there'],
    ['headers and a text', '/there', () => ({ method: 'POST', body: 'höllo', headers: { 'X-One': '1' } })],
    ['bytes', '/there', () => ({ method: 'PUT', body: new Uint8Array([65, 66]) })],
    ['a form', '/there', () => ({ method: 'POST', body: new URLSearchParams({ a: 'b c' }) })],
    ['nothing to send', '/there', () => ({ method: 'POST' })],
    ['DELETE', '/there', () => ({ method: 'DELETE' })],
    ['PATCH', '/there', () => ({ method: 'PATCH', body: '{}' })],
    ['HEAD', '/coded/gzip', () => ({ method: 'HEAD' })],
    ...[200, 201, 204, 205, 304, 400, 404, 407, 429, 500, 503].map((status): [string, string] => [
      `status ${status}`,
      `/status/${status}`,
    ]),
    ...['gzip', 'deflate', 'br', 'identity', 'unheard-of'].map((name): [string, string] => [
      name,
      `/coded/${name}`,
    ]),
    ...[301, 302, 303, 307, 308].flatMap((status): [string, string, () => RequestInit][] =>
      ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [
        `${method} moved by ${status}`,
        `/moved/${status}/there`,
        () => ({
          method,
          headers: { authorization: 'Bearer x', 'content-type': 'text/plain', 'x-kept': '1' },
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: 'sent' }),
        }),
      ]),
    ),
    ...[301, 303, 307].map((status): [string, string, () => RequestInit] => [
      `sent to another host by ${status}`,
      `/away/${status}`,
      () => ({
        method: 'POST',
        body: 'x',
        headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-kept': '1' },
      }),
    ]),
    ['moved twice', '/moved/302/moved/307/there'],
    ['a redirect that is not followed', '/moved/302/there', () => ({ redirect: 'manual' })],
    ['a redirect that is an error', '/moved/302/there', () => ({ redirect: 'error' })],
    ['a redirect to something else than a web address', '/nowhere/'],
    ['a redirect to no address', '/nowhere/x'],
    ['a loop of redirects', '/loop'],
    ['an answer that is cut off', '/cut'],
    ['a connection that is reset', '/reset'],
    ['an answer that takes too long', '/slow', () => ({ signal: AbortSignal.timeout(50) })],
    ['a call that is given up before it is made', '/there', () => ({ signal: AbortSignal.abort() })],
    ['a method that is none', '/there', () => ({ method: 'bad method' })],
  ])('%s', async (_name, path, init) => {
    const [one, other] = [await tryOut(ours, path, init), await tryOut(theirs, path, init)];
    expect(one).toEqual(other);
  });

  it('methods, headers and bodies of any kind', async () => {
    const word = fc
      .stringMatching(/^[a-z][a-z0-9-]{0,12}$/u)
      .filter(
        (name) =>
          !/^(?:host|connection|keep|te|trailer|transfer|upgrade|expect|content|accept|user|sec|date|proxy)/u.test(
            name,
          ),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        fc.dictionary(word, fc.stringMatching(/^[ -~]{0,20}$/u), { maxKeys: 4 }),
        fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme' }), fc.uint8Array()),
        fc.webPath(),
        async (method, headers, given, path) => {
          const init = (): RequestInit => ({
            ...{ method, headers },
            ...(given === null || method === 'GET' ? {} : { body: given as string }),
          });
          const [one, other] = [
            await tryOut(ours, `/there${path}`, init),
            await tryOut(theirs, `/there${path}`, init),
          ];
          expect(one).toEqual(other);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps a connection for the next call', async () => {
    await (await ours(at('/there'))).text();
    const before = connections;
    for (let call = 0; call < 5; call += 1) await (await ours(at('/there'))).text();
    expect(connections).toBe(before);
  });

  it('tells why nothing came', async () => {
    const error: unknown = await ours('http://127.0.0.1:1/').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  });
});
