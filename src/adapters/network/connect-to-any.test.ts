/** Connecting to several addresses, with real sockets: refusing, silent and good ones, in every order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemErrorCode } from '../../errors.ts';
import { alternateFamilies, connectToAny } from './connect-to-any.ts';

let server: Server;
let port = 0;
let accepted = 0;

beforeEach(async () => {
  accepted = 0;
  server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => undefined);
    socket.end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => server.close());

async function hear(socket: Socket): Promise<string> {
  let heard = '';
  for await (const chunk of socket) heard += String(chunk);
  return heard;
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'connected',
    (error: unknown) => systemErrorCode(error) || String(error),
  );

/** A process that has stopped while its queue is full: the kernel answers nothing to who comes after that. */
async function makeSilent(address: string, at: number): Promise<{ child: ChildProcess; fillers: Socket[] }> {
  const script = `require('net').createServer().listen({host:'${address}',port:${at},backlog:1},()=>console.log('there'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout ?? child, 'data');
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect({ host: address, port: at });
    socket.on('error', () => undefined);
    fillers.push(socket);
    const patience = AbortSignal.timeout(300);
    isFull = await once(socket, 'connect', { signal: patience }).then(
      () => fillers.length > 50,
      () => true,
    );
  }
  return { child, fillers };
}

describe('connecting to several addresses', () => {
  it('takes the only one', async () => {
    expect(await hear(await connectToAny(['127.0.0.1'], port, { milliseconds: 5000 }))).toBe('hello');
  });

  it.each([
    [['::1', '127.0.0.1']],
    [['127.0.0.2', '127.0.0.1']],
    [['127.0.0.3', '::1', '127.0.0.2', '127.0.0.1']],
  ])('goes on to the next when one refuses: %j', async (addresses) => {
    const socket = await connectToAny(addresses, port, { milliseconds: 5000 });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(await hear(socket)).toBe('hello');
    expect(accepted).toBe(1);
  });

  it('says what the last one said when none takes it', async () => {
    server.close();
    expect(await codeOf(connectToAny(['127.0.0.2', '127.0.0.1'], port, { milliseconds: 5000 }))).toBe(
      'ECONNREFUSED',
    );
    expect(await codeOf(connectToAny([], port, { milliseconds: 5000 }))).toContain('no address');
  });

  it.runIf(process.platform === 'linux')(
    'does not wait for one that is silent, and gives up in time when all are',
    async () => {
      const { child, fillers } = await makeSilent('127.0.0.2', port);
      try {
        const begun = performance.now();
        const socket = await connectToAny(['127.0.0.2', '127.0.0.1'], port, { milliseconds: 40_000 });
        expect(await hear(socket)).toBe('hello');
        expect(performance.now() - begun).toBeLessThan(30_000);
        expect(await codeOf(connectToAny(['127.0.0.2'], port, { milliseconds: 300 }))).toBe('ETIMEDOUT');
        // One that refuses does not end the wait for one that is still silent.
        expect(await codeOf(connectToAny(['127.0.0.2', '127.0.0.3'], port, { milliseconds: 700 }))).toBe(
          'ETIMEDOUT',
        );
        const stop = new AbortController();
        const given = connectToAny(['127.0.0.2'], port, { milliseconds: 20_000, signal: stop.signal });
        stop.abort(new Error('enough'));
        expect(await codeOf(given)).toBe('Error: enough');
      } finally {
        child.kill('SIGKILL');
        for (const socket of fillers) socket.destroy();
      }
    },
  );

  it('does not begin when it is to stop already', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await codeOf(connectToAny(['127.0.0.1'], port, { milliseconds: 5000, signal }))).toBe(
      'Error: enough',
    );
    expect(accepted).toBe(0);
  });

  it.each([
    [[], []],
    [['1.1.1.1'], ['1.1.1.1']],
    [
      ['::1', '::2', '1.1.1.1'],
      ['::1', '1.1.1.1', '::2'],
    ],
    [
      ['1.1.1.1', '::1', '::2', '::3'],
      ['1.1.1.1', '::1', '::2', '::3'],
    ],
    [
      ['1.1.1.1', '1.1.1.2', '1.1.1.3', '::1', '::2'],
      ['1.1.1.1', '::1', '1.1.1.2', '::2', '1.1.1.3'],
    ],
  ])('families take turns: %j', (given, expected) => expect(alternateFamilies(given)).toEqual(expected));
});
