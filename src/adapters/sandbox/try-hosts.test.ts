/** Trying hosts as `doctor` does: real gates, real proxies, real TLS, and everything that can be wrong with them. */
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ConnectProxy } from '../../../test/support/connect-proxy.ts';
import { CertificateAuthority } from '../../../test/world/certificates.ts';
import type { HostNeed, TriedHost } from '../../ports/checkup.ts';
import { tryHosts } from './try-hosts.ts';

const usual = getCACertificates('default');
const trusted = new CertificateAuthority();
const unknown = new CertificateAuthority();
const servers: Server[] = [];
const sockets = new Set<Socket>();
const requests: string[] = [];

beforeAll(() => setDefaultCACertificates([...usual, trusted.pem]));
afterAll(() => setDefaultCACertificates(usual));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
  requests.length = 0;
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const site = (authority: CertificateAuthority, name: string): Promise<number> =>
  listen(
    createHttpsServer(authority.issue(name), ({ url }, response) => {
      requests.push(url ?? '');
      response.end();
    }),
  );

const tryOne = async (
  need: Partial<HostNeed>,
  options: Partial<Parameters<typeof tryHosts>[1]> = {},
): Promise<TriedHost | undefined> => {
  const { signal } = new AbortController();
  const whole = { host: 'localhost', port: 443, isSecure: true, isFromSandbox: false, ...need };
  return (await tryHosts([whole], { environment: {}, signal, milliseconds: 3000, ...options }))[0];
};

describe.each([{ isFromSandbox: true }, { isFromSandbox: false }])('a host ($isFromSandbox)', (way) => {
  const reached = (how: string): TriedHost => ({ isReached: true, how, fix: '' });

  it('that is as it should be is reached, and nothing is asked of it', async () => {
    const port = await site(trusted, 'localhost');
    expect(await tryOne({ ...way, port })).toEqual(reached('over IPv4'));
    const plain = await listen(createServer());
    expect(await tryOne({ ...way, host: '127.0.0.1', port: plain, isSecure: false })).toEqual(
      reached('over IPv4'),
    );
    expect(requests).toEqual([]);
  });

  it('is reached through a proxy', async () => {
    const proxy = await ConnectProxy.start({ to: await site(trusted, 'api.example'), login: 'a:b' });
    const at = `127.0.0.1:${proxy.port}`;
    const environment = { HTTPS_PROXY: `http://a:b@${at}` };
    expect(await tryOne({ ...way, host: 'api.example' }, { environment })).toEqual(
      reached(`through the proxy ${at} (HTTPS_PROXY)`),
    );
    const wrong = await tryOne({ ...way, host: 'api.example' }, { environment: { HTTPS_PROXY: at } });
    expect(wrong?.isReached).toBe(false);
    expect(wrong?.how).toBe(`The proxy ${at} (HTTPS_PROXY) wants a login (407, for api.example:443)`);
    await proxy.stop();
    const gone = await tryOne({ ...way, host: 'api.example' }, { environment });
    expect(gone?.how).toContain(`There is no connection to the proxy ${at} (HTTPS_PROXY)`);
    for (const one of [wrong, gone]) expect(one?.fix).not.toBe('');
    expect(JSON.stringify([wrong, gone])).not.toContain('a:b');
  });

  it.each([
    ['a name that does not resolve', 'ENOTFOUND', 'the name does not resolve', /name servers/u],
    ['a name server without an answer', 'EAI_AGAIN', 'the name server did not answer', /name servers/u],
  ])('%s', async (_, code, how, fix) => {
    const lookup = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { code }));
    const tried = await tryOne({ ...way, host: 'api.example' }, { lookup });
    expect(tried).toEqual({ isReached: false, how, fix: expect.stringMatching(fix) });
  });

  it.each([
    ['refuses', () => null, /^the connection was refused$/u],
    ['resets', () => createServer((socket) => socket.resetAndDestroy()), /^the connection was cut off$/u],
    ['ends', () => createServer((socket) => socket.destroy()), /^the connection was cut off$/u],
    [
      'speaks no TLS',
      () => createServer((socket) => socket.end('220 hello\r\n')),
      /^it does not speak TLS$/u,
    ],
    ['is silent', () => createServer(), /^it did not answer within 1 second$/u],
  ] as readonly [string, () => Server | null, RegExp][])('that %s', async (_, make, how) => {
    const server = make();
    const port = server === null ? await listen(createServer()) : await listen(server);
    if (server === null) servers.at(-1)?.close();
    const tried = await tryOne({ ...way, port }, { milliseconds: 1000 });
    expect(tried).toEqual({
      isReached: false,
      how: expect.stringMatching(how),
      fix: expect.stringMatching(/./u),
    });
  });

  it('whose certificate does not fit is told with its names and who signed it', async () => {
    expect(await tryOne({ ...way, port: await site(trusted, 'other.example') })).toEqual({
      isReached: false,
      how: 'its certificate is for another name: it is for other.example, issued by "Example Company Test Authority"',
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(await tryOne({ ...way, port: await site(unknown, 'localhost') })).toEqual({
      isReached: false,
      how: 'its certificate is signed by a CA that this machine does not trust: it is for localhost, issued by "Example Company Test Authority"',
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('behind a name server that never answers is given up in time', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const tried = await tryOne({ ...way, host: 'api.example' }, { lookup, milliseconds: 300 });
    expect(tried?.how).toBe('it did not answer within 0.3 seconds');
  });
});

describe('the gate', () => {
  it('refuses a name that leads to this machine, and says so; calls of APIs do not', async () => {
    const port = await site(trusted, 'api.example');
    const lookup = async () => [{ address: '127.0.0.1' }];
    expect(await tryOne({ host: 'api.example', port, isFromSandbox: true }, { lookup })).toEqual({
      isReached: false,
      how: 'the sandbox refuses it: the name leads to this machine itself (127.0.0.1)',
      fix: expect.stringContaining('docs/sandbox.md'),
    });
    expect((await tryOne({ host: 'api.example', port }, { lookup }))?.isReached).toBe(true);
  });

  it('is one for all, and they are tried side by side', async () => {
    const good = await site(trusted, 'localhost');
    const server = createServer();
    let most = 0;
    server.on('connection', () =>
      server.getConnections((_, count) => {
        most = Math.max(most, count);
      }),
    );
    const silent = await listen(server);
    const need = { host: 'localhost', isSecure: true, isFromSandbox: true };
    const tried = await tryHosts(
      [silent, good, silent, silent, good].map((port) => ({ ...need, port })),
      { environment: {}, signal: new AbortController().signal, milliseconds: 2000 },
    );
    expect(tried.map(({ isReached }) => isReached)).toEqual([false, true, false, false, true]);
    expect(most).toBe(3);
  });
});

describe('a port that fetch refuses', () => {
  const refused = { host: '127.0.0.1', port: 6000, isSecure: false };

  it('is told with the setting, without a connection', async () => {
    expect(await tryOne({ ...refused, fetchSetting: 'OPENAI_BASE_URL' })).toEqual({
      isReached: false,
      how: 'fetch never connects to this port, which belongs to another protocol',
      fix: 'Let the server listen on another port, and change the port in the address: it is set by OPENAI_BASE_URL.',
    });
  });

  it('is tried where another program connects', async () => {
    expect((await tryOne(refused))?.how).toBe('the connection was refused');
  });
});
