/** The way out of a sandbox, spoken to over its sockets: exactly what is listed, and nothing that merely looks like it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { connectToAny } from '../network/connect-to-any.ts';
import { type NetworkGate, openNetworkGate } from './network-gate.ts';

let folder = '';
let server: Server;
let port = 0;
let gate: NetworkGate | null = null;

const listen = (one: Server): Promise<number> =>
  new Promise((resolve) => {
    one.listen(0, '127.0.0.1', () => resolve((one.address() as AddressInfo).port));
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gw-gate-'));
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => socket.end(`heard ${chunk.toString()}`));
  });
  port = await listen(server);
});
afterEach(async () => {
  await gate?.close();
  gate = null;
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(hosts: readonly string[], options = {}): Promise<NetworkGate> {
  gate = await openNetworkGate(folder, hosts, options);
  return gate;
}

/** What comes back for some bytes. */
function say(socket: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const client = connect(join(folder, socket), () => client.write(text));
    client.on('data', (chunk) => {
      heard += chunk.toString();
    });
    client.on('error', () => undefined);
    client.on('close', () => resolve(heard));
  });
}

const ask = (target: string): Promise<string> =>
  say('proxy', `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\nhello`);

/** It says where it leads, and what was heard there. */
const established =
  'HTTP/1.1 200 Connection Established\r\nProxy-Status: gatewright; next-hop="127.0.0.1"\r\n\r\nheard hello';

describe('the gate', () => {
  it('passes on what is listed, and what was said too early', async () => {
    await open([`127.0.0.1:${port}`]);
    expect(await ask(`127.0.0.1:${port}`)).toBe(established);
    expect(gate?.refused()).toEqual([]);
  });

  it('is there for servers on loopback as if they were inside', async () => {
    const { doors, proxyPort } = await open([`127.0.0.1:${port}`, 'localhost:3128']);
    expect(doors).toEqual([
      { address: '127.0.0.1', port: 3129, socket: 'proxy' },
      { address: '127.0.0.1', port, socket: 'local-0' },
      { address: '127.0.0.1', port: 3128, socket: 'local-1' },
    ]);
    expect(proxyPort).toBe(3129);
    expect(await say('local-0', 'you')).toBe('heard you');
  });

  it.each([
    (to: number) => `localhost:${to}`,
    (to: number) => `127.0.0.1:0${to}`,
    (to: number) => `127.0.0.1:${to}/`,
    (to: number) => `127.0.0.1.:${to}`,
    (to: number) => `x@127.0.0.1:${to}`,
    (to: number) => `127.1:${to}`,
    (to: number) => `2130706433:${to}`,
    (to: number) => `[::ffff:7f00:1]:${to}`,
    () => '127.0.0.1:1',
    () => '127.0.0.1',
    () => 'evil.example:443',
  ])('refuses what is not listed letter for letter, and remembers it (%#)', async (target) => {
    await open([`127.0.0.1:${port}`]);
    expect(await ask(target(port))).toMatch(
      /^HTTP\/1\.1 403 Forbidden\r\nProxy-Status: gatewright; error=http_request_denied; details="the host is not/u,
    );
    expect(gate?.refused()).toEqual([target(port)]);
  });

  it('does nothing but connect', async () => {
    await open([`127.0.0.1:${port}`]);
    const answer = await say(
      'proxy',
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    );
    expect(answer).toContain('403 Forbidden');
    expect(gate?.refused()).toEqual([`http://127.0.0.1:${port}/`]);
    expect(await say('proxy', 'nonsense\r\n\r\n')).not.toContain('heard');
  });

  it('remembers each refusal once, and not without end', async () => {
    await open([]);
    for (let index = 0; index < 110; index += 1) await ask(`host-${index % 105}.example:443`);
    expect(gate?.refused().length).toBe(100);
  });

  it('says when a host cannot be reached; that is no refusal', async () => {
    await open(['nobody.invalid:443', '127.0.0.1:1']);
    expect(await ask('nobody.invalid:443')).toContain('502');
    expect(await ask('127.0.0.1:1')).toContain('502');
    expect(gate?.refused()).toEqual([]);
  });

  it.each([
    [['127.0.0.1'], 'this machine itself (127.0.0.1)'],
    [['10.0.0.1', '169.254.169.254'], 'a link-local address'],
    [['192.0.2.1', '::1'], 'this machine itself (::1)'],
    [['::ffff:127.0.0.1'], 'this machine itself'],
    [['fd00:ec2::254'], 'the metadata service of a cloud'],
  ])('refuses a name that leads to %j', async (addresses, why) => {
    const connected: string[] = [];
    await open([`model.example:${port}`], {
      lookup: async () => addresses.map((address) => ({ address })),
      connect: async (...words: readonly unknown[]) => connected.push(JSON.stringify(words)),
    });
    const answer = await ask(`model.example:${port}`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/u);
    expect(answer).toContain('Proxy-Status: gatewright; error=destination_ip_prohibited; details="the name');
    expect(answer).toContain(why);
    expect(gate?.refused()).toEqual([`model.example:${port}`]);
    expect(connected).toEqual([]);
  });

  it.each([
    [['192.0.2.1']],
    [['2001:db8::1']],
    [['2001:db8::1', '192.0.2.1', '192.0.2.7']],
    [['10.1.2.3']],
    [['192.168.1.1', 'fd12:3456::1']],
  ])('connects to the addresses that were checked and to no other: %j', async (addresses) => {
    let asked = 0;
    const tried: unknown[] = [];
    await open([`model.example:${port}`], {
      // A name server that turns around after it was believed.
      lookup: async () => {
        asked += 1;
        return (asked === 1 ? addresses : ['127.0.0.1']).map((address) => ({ address }));
      },
      connect: (given: readonly string[], to: number, options: { milliseconds: number }) => {
        tried.push([given, to]);
        return connectToAny(['127.0.0.1'], port, options);
      },
    });
    expect(await ask(`model.example:${port}`)).toBe(established);
    expect(tried).toEqual([[addresses, port]]);
    expect(asked).toBe(1);
    expect(gate?.refused()).toEqual([]);
  });

  it.each([
    ['ENOTFOUND', 'dns_error; details="the name does not resolve"'],
    ['EAI_AGAIN', 'dns_timeout; details="the name server did not answer"'],
    ['', 'dns_error; details="the name has no address"'],
  ])('says when a name leads nowhere: %s', async (code, said) => {
    const lookup = async () => {
      if (code !== '') throw Object.assign(new Error('no'), { code });
      return [];
    };
    await open(['model.example:443'], { lookup });
    expect(await ask('model.example:443')).toBe(
      `HTTP/1.1 502 Bad Gateway\r\nProxy-Status: gatewright; error=${said}\r\nConnection: close\r\n\r\n`,
    );
    expect(gate?.refused()).toEqual([]);
  });

  it('asks once more when the name server had no answer', async () => {
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error('later'), { code: 'EAI_AGAIN' });
      return [{ address: '192.0.2.1' }];
    };
    const connect = (_: unknown, __: unknown, options: { milliseconds: number }) =>
      connectToAny(['127.0.0.1'], port, options);
    await open(['model.example:443'], { lookup, connect });
    expect(await ask('model.example:443')).toContain('heard hello');
    expect(asked).toBe(2);
  });

  it.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_terminated'],
    ['ETIMEDOUT', 'connection_timeout'],
    ['EHOSTUNREACH', 'destination_unavailable'],
  ])('says why there was no connection: %s', async (code, kind) => {
    const connect = () => Promise.reject(Object.assign(new Error('no'), { code }));
    await open(['192.0.2.1:443'], { connect });
    expect(await ask('192.0.2.1:443')).toContain(
      `502 Bad Gateway\r\nProxy-Status: gatewright; error=${kind};`,
    );
  });

  it('finds this machine by its name, because that was meant', async () => {
    await open([`localhost:${port}`], { lookup: async () => [{ address: '::1' }, { address: '127.0.0.1' }] });
    expect(await ask(`localhost:${port}`)).toContain('heard hello');
  });

  it('leaves no connection behind when it is closed while one is being made', async () => {
    let give: (socket: Socket) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const asked = new Promise<void>((resolve) => {
      const connect = (_: unknown, __: unknown, options: { signal: AbortSignal }) => {
        ({ signal } = options);
        resolve();
        return new Promise<Socket>((found) => {
          give = found;
        });
      };
      void open(['192.0.2.1:443'], { connect }).then(() => ask('192.0.2.1:443'));
    });
    await asked;
    await gate?.close();
    expect(signal?.aborted).toBe(true);
    const late = await connectToAny(['127.0.0.1'], port, { milliseconds: 5000 });
    const gone = once(late, 'close');
    give(late);
    await gone;
    expect(late.destroyed).toBe(true);
  });

  it.each([
    '',
    'host',
    'host:',
    'host:0',
    'host:65536',
    'a b:1',
    '*.example:443',
    'host:443/x',
    '127.1:80',
    '1:2',
    '[::g]:1',
  ])('is not opened for %j', async (text) =>
    expect(await rejectedCode(openNetworkGate(folder, [text]))).toBe('config-invalid'),
  );
});

describe('behind a proxy', () => {
  let proxy: HttpServer;
  const seen: string[] = [];
  beforeEach(async () => {
    seen.length = 0;
    proxy = createHttpServer();
    proxy.on('connect', (request, client) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? 'nobody'}`);
      if (request.url?.startsWith('bad.') === true) client.end('HTTP/1.1 407 No\r\n\r\n');
      else {
        client.on('error', () => undefined);
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.on('data', (chunk) => client.end(`proxied ${chunk.toString()}`));
      }
    });
  });
  afterEach(() => proxy.close());

  it('goes through it, with what it asks for; loopback does not', async () => {
    const at = await listen(proxy);
    await open(['model.example:443', 'bad.example:443', `127.0.0.1:${port}`], {
      environment: { HTTPS_PROXY: `http://user:pass@127.0.0.1:${at}` },
    });
    expect(await ask('model.example:443')).toContain('proxied hello');
    expect(await ask('bad.example:443')).toBe(
      `HTTP/1.1 502 Bad Gateway\r\nProxy-Status: gatewright; error=destination_unavailable; details="The proxy 127.0.0.1:${at} (HTTPS_PROXY) does not take the login that it was given (407, for bad.example:443)."\r\nConnection: close\r\n\r\n`,
    );
    expect(await ask(`127.0.0.1:${port}`)).toContain('heard hello');
    expect(await ask('evil.example:443')).toContain('403');
    expect(seen).toEqual(['model.example:443 Basic dXNlcjpwYXNz', 'bad.example:443 Basic dXNlcjpwYXNz']);
  });
});
