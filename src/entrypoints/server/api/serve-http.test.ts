/** The socket: what is not a plain request is refused before anything looks at it, and nothing is kept open for it. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from './serve-http.ts';

let server: HttpServer;
let asked: string[] = [];
const troubles: unknown[] = [];

beforeEach(async () => {
  asked = [];
  server = await startHttpServer({ host: '127.0.0.1', port: 0, onTrouble: (error) => troubles.push(error) });
  server.answerWith(async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    if (pathname === '/echo') return new Response(await request.text());
    if (pathname === '/fails') throw new Error('on purpose');
    return new Response('fine', { headers: { 'x-own': 'yes' } });
  });
});
afterEach(() => server.close());

/** What comes back for these very bytes, until the other side is done. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      answer += part;
      if (answer.includes('\r\n0\r\n\r\n') || answer.includes('Connection: close')) socket.end();
    });
    socket.on('end', () => resolve(answer)).on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    );
  });
}
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const statusOf = (answer: string): string => answer.split(' ')[1] ?? answer;

describe('a socket', () => {
  it('carries requests and answers', async () => {
    const answer = await send(lines('GET /api/runs?a=b HTTP/1.1', 'Host: x'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-own: yes\r\n/u);
    expect(asked).toEqual(['GET /api/runs?a=b']);
    const posted = await send(`${lines('POST /echo HTTP/1.1', 'Host: x', 'Content-Length: 5')}hello`);
    expect(posted).toContain('hello');
  });

  it.each([
    'GET /api/../secret HTTP/1.1',
    'GET /api/%2e%2e/secret HTTP/1.1',
    'GET /./api HTTP/1.1',
    'GET /api\\runs HTTP/1.1',
    'GET //evil.example/api HTTP/1.1',
    'GET http://127.0.0.1/api/runs HTTP/1.1',
    'GET /api#part HTTP/1.1',
    'GET * HTTP/1.1',
    'HEAD /api/events HTTP/1.1',
    'PUT /api/runs HTTP/1.1',
    'DELETE /api/runs HTTP/1.1',
    'TRACE /api/runs HTTP/1.1',
    'OPTIONS /api/runs HTTP/1.1',
    `GET /${'a'.repeat(5_000)} HTTP/1.1`,
  ])('refuses %j before it is looked at', async (line) => {
    const answer = await send(lines(line, 'Host: x', 'Connection: close'));
    if (line.startsWith('GET //')) {
      // A plain path for a URL; the rules for addresses refuse it.
      expect(asked).toEqual(['GET //evil.example/api']);
      return;
    }
    expect(['400', '404', '405', '431']).toContain(statusOf(answer));
    expect(asked).toEqual([]);
  });

  it('is closed for a body that nobody read, however much of it is still to come', async () => {
    const answer = await send(lines('POST /api/x HTTP/1.1', 'Host: x', 'Content-Length: 1000000000'));
    expect(answer).toContain('connection: close');
  });

  it('is closed when the answer fails, and the failure is told', async () => {
    expect(await send(lines('GET /fails HTTP/1.1', 'Host: x'))).toBe('');
    expect(troubles.splice(0)).toEqual([expect.objectContaining({ message: 'on purpose' })]);
  });

  it('carries a stream as far as it is read, and ends it when the reader goes', async () => {
    let pulled = 0;
    let isCancelled = false;
    const other = await startHttpServer({ host: '127.0.0.1', port: 0, onTrouble: () => undefined });
    other.answerWith(async () => {
      const body = new ReadableStream({
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(new Uint8Array(100_000));
        },
        cancel: () => {
          isCancelled = true;
        },
      });
      return new Response(body);
    });
    const socket = connect(other.port, '127.0.0.1', () => socket.write(lines('GET / HTTP/1.1', 'Host: x')));
    socket.pause();
    await sleep(300);
    const before = pulled;
    await sleep(300);
    expect(pulled).toBe(before);
    socket.destroy();
    for (let tries = 0; tries < 200 && !isCancelled; tries += 1) await sleep(10);
    expect(isCancelled).toBe(true);
    await other.close();
  });

  it('ends at once what is answered to who has gone', async () => {
    const answers: ((response: Response) => void)[] = [];
    let cancelled = 0;
    const body = (): ReadableStream =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => {
          cancelled += 1;
        },
      });
    const other = await startHttpServer({ host: '127.0.0.1', port: 0, onTrouble: () => undefined });
    other.answerWith(() => new Promise((resolve) => answers.push(resolve)));
    const socket = connect(other.port, '127.0.0.1', () => socket.write(lines('GET / HTTP/1.1', 'Host: x')));
    await expect.poll(() => answers.length).toBe(1);
    socket.resetAndDestroy();
    await sleep(100);
    answers[0]?.(new Response(body()));
    await expect.poll(() => cancelled).toBe(1);
    await other.close();
  });

  it.each([
    ['an endless answer', 100_000, Number.POSITIVE_INFINITY],
    ['a long one', 8_000_000, 1],
  ])('is closed when %s is not read for long', async (_, size, count) => {
    const other = await startHttpServer({
      ...{ host: '127.0.0.1', port: 0, patience: 200 },
      onTrouble: () => undefined,
    });
    let sent = 0;
    other.answerWith(async () => {
      const body = new ReadableStream({
        pull: (controller) => {
          if (sent >= count) return controller.close();
          sent += 1;
          controller.enqueue(new Uint8Array(size));
        },
      });
      return new Response(body);
    });
    const ends: string[] = [];
    const socket = connect(other.port, '127.0.0.1', () => socket.write(lines('GET / HTTP/1.1', 'Host: x')));
    socket.pause();
    socket.on('error', () => undefined).on('close', () => ends.push('closed'));
    await expect.poll(() => sent).toBeGreaterThan(0);
    await sleep(600);
    // What is under way still comes; the end of the answer does not.
    let read = 0;
    socket.on('data', (part) => (read += part.length)).resume();
    await expect.poll(() => ends).toEqual(['closed']);
    expect(read).toBeLessThan(8_000_000);
    await other.close();
  });

  it('says so when the port is taken', async () => {
    const again = startHttpServer({ host: '127.0.0.1', port: server.port, onTrouble: () => undefined });
    await expect(again).rejects.toMatchObject({ code: 'server-cannot-listen' });
  });
});
