/** A server that is slow or strange holds nothing up, and what it says is not repeated. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import { makeFetch } from '../network/network-fetch.ts';
import { postJson } from './post-json.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function post(answer: (response: ServerResponse) => void, signal?: AbortSignal, environment = {}) {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`;
  const error = await postJson(makeFetch(environment), 'team', { url, body: '{}', headers: {}, signal }).then(
    (taken) => taken,
    (thrown: unknown) => thrown,
  );
  return error instanceof GatewrightError ? { said: `${error.code}: ${error.message}` } : error;
}

it('reads no more of an answer than it needs', async () => {
  let written = 0;
  const taken = await post((response) => {
    response.writeHead(200);
    const more = (): void => {
      written += 1;
      if (!response.destroyed && written < 100_000)
        response.write('x'.repeat(1_000), () => setImmediate(more));
    };
    more();
  });
  expect(taken).toEqual({ status: 200 });
  await expect.poll(() => written, { interval: 20 }).toBeLessThan(50_000);
});

it('takes for taken what was answered so, also when the answer never ends', async () => {
  expect(await post((response) => response.writeHead(200).write('o'))).toEqual({ status: 200 });
  expect(
    await post((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('odd')),
  ).toEqual({
    status: 200,
  });
});

it('gives up when it is told to', async () => {
  const begun = AbortSignal.timeout(200);
  expect(await post(() => undefined, begun)).toEqual({
    said: 'notification-failed: The channel "team" did not take it: it took too long.',
  });
});

it.each([
  [404, 'notification-failed'],
  [429, 'notification-failed'],
  [500, 'notification-failed'],
  [301, 'notification-refused'],
  [400, 'notification-refused'],
  [410, 'notification-refused'],
])('takes HTTP %i for %s', async (status, code) => {
  const answered = await post((response) => response.writeHead(status).end('secret words'));
  expect(answered).toEqual({
    said: expect.stringMatching(new RegExp(`^${code}: .*HTTP ${status}`, 'u')) as string,
  });
  expect(JSON.stringify(answered)).not.toContain('secret');
});

it('says what is wrong with a proxy, and not its login', async () => {
  server = createServer();
  const environment = { http_proxy: 'http://user:secret-login@127.0.0.1:1' };
  const url = 'http://elsewhere.test/secret-path';
  const error = await postJson(makeFetch(environment), 'team', {
    ...{ url, body: '{}', headers: {}, signal: undefined },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'notification-failed',
    message: expect.stringContaining('proxy') as string,
  });
  expect((error as Error).message).not.toContain('secret');
});
