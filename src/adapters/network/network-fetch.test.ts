/** API calls through proxies: real proxies, real TLS with a CA of the test, and what is said when something is wrong. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ConnectProxy } from '../../../test/support/connect-proxy.ts';
import { CertificateAuthority } from '../../../test/world/certificates.ts';
import { GatewrightError } from '../../errors.ts';
import { makeFetch, retryLookups } from './network-fetch.ts';

const authority = new CertificateAuthority();
const usual = getCACertificates('default');
let site: Server;
let plain: NetServer;
const open: ConnectProxy[] = [];
const seen: string[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  seen.push(`${request.method} ${request.headers.host}${request.url}`);
  if (request.url === '/moved') response.writeHead(302, { location: 'https://other.example/there' }).end();
  else {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => response.end(`hello ${body}`));
  }
}

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  setDefaultCACertificates([...usual, authority.pem]);
  site = createServer(authority.issue('api.example', 'other.example', 'localhost'), answer);
  plain = createHttpServer(answer);
  for (const server of [site, plain]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});
afterAll(() => {
  setDefaultCACertificates(usual);
  for (const server of [site, plain]) server.close();
  site.closeAllConnections();
});
afterEach(async () => {
  seen.length = 0;
  await Promise.all(open.splice(0).map((proxy) => proxy.stop()));
});

async function startProxy(
  options: Partial<Parameters<typeof ConnectProxy.start>[0]> = {},
): Promise<ConnectProxy> {
  const proxy = await ConnectProxy.start({ to: portOf(site), ...options });
  open.push(proxy);
  return proxy;
}

async function failureOf(work: Promise<unknown>): Promise<GatewrightError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GatewrightError) return error;
  throw new Error(`It should have failed otherwise: ${String(error)}`);
}

describe('API calls', () => {
  it('go through the proxy, with its login, and say everything that was said', async () => {
    const proxy = await startProxy({ login: 'us er:p%ss:w' });
    const fetch = makeFetch({ HTTPS_PROXY: `http://us%20er:p%25ss%3Aw@127.0.0.1:${proxy.port}` });
    const response = await fetch('https://api.example/v1?x=1', {
      method: 'POST',
      body: 'you',
      headers: new Headers({ 'x-one': '1' }),
      signal: AbortSignal.timeout(10_000),
    });
    expect(await response.text()).toBe('hello you');
    const again = await fetch(new Request('https://api.example/again', { method: 'PUT', body: 'there' }));
    expect(await again.text()).toBe('hello there');
    expect(again.url).toBe('https://api.example/again');
    expect([...new Set(proxy.asked)]).toEqual(['api.example:443']);
    expect(seen).toEqual(['POST api.example/v1?x=1', 'PUT api.example/again']);
  });

  it('follow redirects through it, and to what needs none without it', async () => {
    const proxy = await startProxy();
    const all = makeFetch({ ALL_PROXY: `127.0.0.1:${proxy.port}` });
    const response = await all('https://api.example/moved');
    expect([response.redirected, response.url]).toEqual([true, 'https://other.example/there']);
    expect(proxy.asked).toEqual(['api.example:443', 'other.example:443']);
    expect(await (await all(`https://localhost:${portOf(site)}/here`)).text()).toBe('hello ');
    expect(proxy.asked.length).toBe(2);
  });

  it('go through a proxy without TLS to a server, and over TLS to a proxy', async () => {
    const proxy = await startProxy({ to: portOf(plain) });
    const fetch = makeFetch({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    expect(await (await fetch('http://api.example/plain')).text()).toBe('hello ');
    const secure = await startProxy({ tls: authority.issue('localhost') });
    const other = makeFetch({ https_proxy: `https://localhost:${secure.port}` });
    expect(await (await other('https://api.example/secure')).text()).toBe('hello ');
    expect([proxy.asked, secure.asked]).toEqual([['api.example:80'], ['api.example:443']]);
  });

  it.each([
    [{ login: 'a:b' }, 'proxy-refused', 'wants a login (407, for api.example:443).'],
    [{ instead: 403 }, 'proxy-refused', 'refuses to connect to api.example:443 (403).'],
    [{ instead: 502 }, 'proxy-unreachable', 'could not reach api.example:443 (502).'],
    [{ instead: 503 }, 'proxy-unreachable', 'could not reach api.example:443 (503).'],
    [{ instead: 504 }, 'proxy-unreachable', 'could not reach api.example:443 (504).'],
    [{ instead: 'reset' }, 'proxy-unreachable', 'the connection was cut off.'],
  ] as const)('say what a proxy did: %j', async (options, code, said) => {
    const proxy = await startProxy(options);
    const error = await failureOf(
      makeFetch({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })('https://api.example/'),
    );
    expect(error.code).toBe(code);
    expect(error.message).toContain(`he proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY)`);
    expect(error.message).toContain(said);
  });

  it('never show the login of a proxy', async () => {
    const proxy = await startProxy({ login: 'a:b' });
    const environment = { HTTPS_PROXY: `http://hidden-name:hidden-word@127.0.0.1:${proxy.port}` };
    const refused = await failureOf(makeFetch(environment)('https://api.example/'));
    expect(refused.message).toContain('does not take the login that it was given (407');
    await proxy.stop();
    const gone = await failureOf(makeFetch(environment)('https://api.example/'));
    expect(gone.code).toBe('proxy-unreachable');
    expect(gone.message).toBe(
      `There is no connection to the proxy 127.0.0.1:${environment.HTTPS_PROXY.slice(-5).replace(/^\D+/u, '')} (HTTPS_PROXY), which api.example:443 is reached through: the connection was refused.`,
    );
    for (const error of [refused, gone])
      expect(JSON.stringify([error.message, error.hint, error.details, String(error.stack)])).not.toMatch(
        /hidden-|aGlkZGVu/u,
      );
  });

  it('do not trust a proxy whose certificate does not fit', async () => {
    const proxy = await startProxy({ tls: authority.issue('elsewhere.example') });
    const error = await failureOf(
      makeFetch({ HTTPS_PROXY: `https://localhost:${proxy.port}` })('https://api.example/'),
    );
    expect(error.code).toBe('certificate-rejected');
    expect(error.message).toContain(`localhost:${proxy.port} (HTTPS_PROXY)`);
  });

  it('stop when they are told to', async () => {
    const proxy = await startProxy({ instead: 'silence' });
    const call = makeFetch({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })('https://api.example/', {
      signal: AbortSignal.timeout(200),
    });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('load what proxies need only where there is one, and let the process end', async () => {
    const proxy = await startProxy();
    const script = `
      const { makeFetch } = await import(${JSON.stringify(new URL('./network-fetch.ts', import.meta.url).href)});
      const { registerHooks } = await import('node:module');
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const response = await makeFetch(process.env)(process.argv[1]);
      console.log(await response.text(), loaded.some((url) => url.includes('/proxied-fetch.ts')));
    `;
    const run = async (address: string, environment: Record<string, string>): Promise<string> => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, address], {
        env: { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await once(child, 'close');
      return said.trim();
    };
    expect(await run(`http://127.0.0.1:${portOf(plain)}/`, {})).toBe('hello  false');
    expect(await run('https://api.example/', { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })).toBe(
      'hello  true',
    );
  });
});

describe('a name server that had no answer', () => {
  const busy = (): TypeError =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('later'), { code: 'EAI_AGAIN' }) });

  it.each([
    [1, 'answered'],
    [2, 'answered'],
    [3, 'fetch failed'],
  ])('is asked again: %d times without one', async (failures, end) => {
    let tries = 0;
    const fetch = retryLookups(async () => {
      tries += 1;
      if (tries <= failures) throw busy();
      return new Response('answered');
    });
    const result = await fetch('https://api.example/').then(
      (response) => response.text(),
      (error: Error) => error.message,
    );
    expect(result).toBe(end);
    expect(tries).toBe(Math.min(failures + 1, 3));
  });

  it('is asked once more when it said no, and not at all when nobody waits any more', async () => {
    let tries = 0;
    const failing = (error: Error) =>
      retryLookups(async () => {
        tries += 1;
        throw error;
      });
    const gone = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    await expect(failing(new TypeError('x', { cause: gone }))('https://api.example/')).rejects.toThrow('x');
    await expect(failing(busy())('https://api.example/', { signal: AbortSignal.abort() })).rejects.toThrow(
      'fetch failed',
    );
    expect(tries).toBe(3);
    const reset = Object.assign(new Error('no'), { code: 'ECONNRESET' });
    await expect(failing(new TypeError('x', { cause: reset }))('https://api.example/')).rejects.toThrow('x');
    expect(tries).toBe(4);
  });
});
