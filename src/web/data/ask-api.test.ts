/** What a page is told when the server does not answer, or only half. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getJson, postJson, toProblem } from './ask-api.ts';

let server: Server;
let origin = '';

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/absent') request.socket.destroy();
    else if (request.url === '/half') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":');
      setTimeout(() => request.socket.destroy(), 20);
    } else if (request.url === '/no') {
      response.writeHead(409, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ code: 'gate-answered', status: 409 }));
    } else response.end('{"a":1}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function problemOf(asked: Promise<unknown>) {
  return toProblem(await asked.then(() => null).catch((error: unknown) => error));
}

describe('a question', () => {
  it.each(['/absent', '/half'])('that is not answered is asked again by the page: %s', async (path) => {
    const { code, status, hint } = await problemOf(getJson(`${origin}${path}`));
    expect([code, status]).toEqual(['server-absent', 0]);
    expect(hint).toContain('tries again by itself');
  });

  it('that is refused says why', async () => {
    expect(await problemOf(getJson(`${origin}/no`))).toEqual({ code: 'gate-answered', status: 409 });
  });
});

describe('an answer of a person', () => {
  it.each(['/absent', '/half'])(
    'that may have arrived is not promised to be sent again: %s',
    async (path) => {
      const { code, status, hint } = await problemOf(postJson(`${origin}${path}`, {}, 'token'));
      expect([code, status]).toEqual(['server-absent', 0]);
      expect(hint).toContain('It is not known whether the answer arrived.');
      expect(hint).not.toContain('by itself');
    },
  );

  it('that arrived is told', async () => {
    expect(await postJson(`${origin}/`, {}, 'token')).toEqual({ a: 1 });
  });
});
