/** What a person reads when GitHub or a model cannot be reached: real servers that refuse, reset or show a wrong certificate. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAiSdkModel } from '../../src/adapters/ai-sdk/ai-sdk-model.ts';
import { makeGithubForge } from '../../src/adapters/github/github-forge.ts';
import { makeFetch } from '../../src/adapters/network/network-fetch.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { GatewrightError } from '../../src/errors.ts';
import { noCredentialLimits } from '../../src/ports/credential-limits.ts';
import { ConnectProxy } from '../support/connect-proxy.ts';
import { CertificateAuthority } from '../world/certificates.ts';

const usual = getCACertificates('default');
const trusted = new CertificateAuthority();
const unknown = new CertificateAuthority();
const servers: Server[] = [];

beforeAll(() => setDefaultCACertificates([...usual, trusted.pem]));
afterAll(() => setDefaultCACertificates(usual));
// Tests run side by side, since a model is asked again after pauses.
afterAll(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Not more than one answer is needed, and none is right. */
const secure = (authority: CertificateAuthority, name: string): Promise<number> =>
  listen(createHttpsServer(authority.issue(name), (_, response) => response.end('{}')));

const worlds = {
  'a name that does not resolve': async () => 'https://no-such-host.invalid',
  'a port where nothing listens': async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    return `https://localhost:${port}`;
  },
  'a port that fetch refuses': async () => 'http://localhost:6000',
  'a server that resets': async () =>
    `https://localhost:${await listen(createServer((socket) => socket.resetAndDestroy()))}`,
  'a server that ends without a word': async () =>
    `https://localhost:${await listen(createServer((socket) => socket.destroy()))}`,
  'a server that resets when it was asked': async () => {
    const server = createHttpsServer(trusted.issue('localhost'), ({ socket }) => socket.destroy());
    return `https://localhost:${await listen(server)}`;
  },
  'a server without TLS': async () => `https://localhost:${await listen(createHttpServer())}`,
  'a server that speaks something else': async () =>
    `http://localhost:${await listen(createServer((socket) => socket.end('220 mail.example\r\n')))}`,
  'a certificate for another name': async () => `https://localhost:${await secure(trusted, 'other.example')}`,
  'a certificate of an unknown CA': async () => `https://localhost:${await secure(unknown, 'localhost')}`,
} as const;

type World = keyof typeof worlds;

const expected: Readonly<Record<World, readonly [said: RegExp, hint: RegExp]>> = {
  // A machine without any network cannot even ask.
  'a name that does not resolve': [/the name (?:does not resolve|server did not answer)\.$/u, /HTTPS_PROXY/u],
  'a port where nothing listens': [/the connection was refused\.$/u, /gatewright doctor/u],
  'a port that fetch refuses': [
    /fetch never connects to this port, which belongs to another protocol\.$/u,
    /another port.*(?:forge\.apiUrl or GATEWRIGHT_GITHUB_URL|GOOGLE_GEMINI_BASE_URL)/u,
  ],
  'a server that resets': [/the connection was cut off\.$/u, /firewall or a proxy/u],
  'a server that ends without a word': [/the connection was cut off\.$/u, /firewall or a proxy/u],
  'a server that resets when it was asked': [/the connection was cut off\.$/u, /firewall or a proxy/u],
  'a server without TLS': [/it does not speak TLS\.$/u, /the port/u],
  'a server that speaks something else': [/it does not speak HTTP\.$/u, /the port/u],
  'a certificate for another name': [
    /its certificate is for another name \(other\.example\)\.$/u,
    /NODE_EXTRA_CA_CERTS/u,
  ],
  'a certificate of an unknown CA': [
    /signed by a CA that this machine does not trust\.$/u,
    /NODE_EXTRA_CA_CERTS/u,
  ],
};

/** Where no later attempt can help. */
const codes: Partial<Readonly<Record<World, string>>> = {
  'a port that fetch refuses': 'port-blocked',
  'a certificate for another name': 'certificate-rejected',
  'a certificate of an unknown CA': 'certificate-rejected',
};

const secret = ['gh', 'p_', 'x'.repeat(36)].join('');

async function askGithub(apiUrl: string, environment = {}): Promise<unknown> {
  const forge = makeGithubForge({
    ...{ apiUrl, credential: { kind: 'token', token: secret }, clock: systemClock, userAgent: 'test' },
    ...{ isHurried: true, makeCache: null, fetch: makeFetch(environment) },
  });
  return forge.getIssue('octo/demo', 1);
}

function askModel(baseUrl: string, environment = {}): Promise<unknown> {
  const model = makeAiSdkModel({
    ...{ provider: 'google', model: 'gemini-2.5-pro', credentialsFile: '/nowhere', baseUrl },
    credentials: [{ name: 'one', provider: 'google', key: secret }],
    ...{ clock: systemClock, limits: noCredentialLimits, limitMilliseconds: 20_000 },
    fetch: makeFetch(environment),
  });
  const messages = [{ role: 'user', content: 'Hello.' }] as const;
  return model.answerText({ role: 'drafter', call: 1, instructions: 'Be brief.', messages });
}

async function failureOf(work: Promise<unknown>): Promise<GatewrightError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GatewrightError) return error;
  throw new Error(`It should have failed otherwise: ${String(error)}`);
}

describe.each([
  {
    name: 'GitHub',
    ask: askGithub,
    code: 'forge-unavailable',
    said: /^(?:localhost:\d+|no-such-host\.invalid) did not answer \(/u,
  },
  {
    name: 'a model',
    ask: askModel,
    code: 'model-unavailable',
    said: /^google:gemini-2\.5-pro could not be reached at https?:\/\/\S+: /,
  },
] as const)('$name', ({ ask, code, said }) => {
  it.concurrent.each(Object.keys(worlds) as World[])('%s', async (name) => {
    const error = await failureOf(ask(await worlds[name]()));
    const [what, hint] = expected[name];
    expect(error.message).toMatch(said);
    expect(error.message).toMatch(what);
    expect(error.hint).toMatch(hint);
    expect(error.code).toBe(codes[name] ?? code);
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain(secret);
  });

  it('a proxy that wants a login', async () => {
    const proxy = await ConnectProxy.start({ login: 'a:b' });
    const word = generateKeyPairSync('ed25519')
      .publicKey.export({ type: 'spki', format: 'der' })
      .toString('hex');
    const error = await failureOf(
      ask('https://api.example', { https_proxy: `http://me:${word}@127.0.0.1:${proxy.port}` }),
    );
    await proxy.stop();
    expect(error.code).toBe('proxy-refused');
    expect(error.message).toBe(
      `The proxy 127.0.0.1:${proxy.port} (https_proxy) does not take the login that it was given (407, for api.example:443).`,
    );
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain(word);
  });

  it('a proxy behind which everything is right', async () => {
    const proxy = await ConnectProxy.start({ to: await secure(trusted, 'api.example') });
    const error = await failureOf(
      ask('https://api.example', { https_proxy: `http://127.0.0.1:${proxy.port}` }),
    );
    await proxy.stop();
    expect(new Set(proxy.asked)).toEqual(new Set(['api.example:443']));
    // The server behind it is neither GitHub nor a model, and that is all that is wrong.
    expect(error.message).toMatch(/not GitHub's|cannot be used/u);
  });
});
