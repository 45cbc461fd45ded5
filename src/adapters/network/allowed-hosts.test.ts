/** What the gate of a sandbox grants and refuses, asked without a socket. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import { AllowedHosts, allowedAddresses, answerWithout } from './allowed-hosts.ts';

/** What is thrown, as the answer that is given inside. */
function refusalOf(work: () => unknown): ReturnType<typeof answerWithout> {
  try {
    work();
  } catch (error) {
    return answerWithout(error);
  }
  throw new Error('It was granted.');
}

const notListed = {
  isRefused: true,
  answer:
    'HTTP/1.1 403 Forbidden\r\nProxy-Status: gatewright; error=http_request_denied; details="the host is not on the list"\r\nConnection: close\r\n\r\n',
};

describe('the list', () => {
  const allowed = new AllowedHosts(['API.example:443', '127.0.0.1:80', '[::1]:8080']);

  it.each([
    ['api.example:443', { host: 'api.example', port: 443 }],
    ['Api.EXAMPLE:443', { host: 'api.example', port: 443 }],
    ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
  ])('grants %s', (target, found) => expect(allowed.find(target)).toEqual(found));

  it.each([
    '',
    'api.example',
    'api.example:44',
    'api.example:4430',
    'api.example:80',
    'x.api.example:443',
    'api.example.:443',
    'api.example:443/',
    'https://api.example:443',
    'x@api.example:443',
    ' api.example:443',
    '127.0.0.1:080',
    '127.1:80',
    '::1:8080',
    '[0:0:0:0:0:0:0:1]:8080',
    '__proto__',
  ])('refuses %j', (target) => expect(refusalOf(() => allowed.find(target))).toEqual(notListed));

  it('grants nothing when it is empty', () =>
    expect(refusalOf(() => new AllowedHosts([]).find('api.example:443'))).toEqual(notListed));

  it('is not made of what is no host and port, and shows the beginning of it', () => {
    for (const text of ['', 'api.example', '*.example:443', 'api.example:0'])
      expect(() => new AllowedHosts(['a.example:1', text])).toThrow(
        expect.objectContaining({ code: 'config-invalid', message: `"${text}" is no host and port.` }),
      );
    expect(() => new AllowedHosts(['x'.repeat(200)])).toThrow(`"${'x'.repeat(100)}" is no host and port.`);
  });

  it('knows the servers on this machine, by their address or as localhost only', () => {
    const hosts = ['localhost:1', '127.0.0.1:2', '127.8.9.10:3', '[::1]:4'];
    const others = [
      'api.example:1',
      '128.0.0.1:2',
      '1.127.0.1:2',
      '12.7.0.1:3',
      '[::2]:4',
      '[::ffff:127.0.0.1]:5',
      'localhost.example:6',
      'xlocalhost:7',
      // A name: the server that knows it decides where it leads.
      '127.example:443',
      '127.0.0.1.example:443',
    ];
    expect(new AllowedHosts([...others, ...hosts]).local).toEqual([
      { host: 'localhost', port: 1 },
      { host: '127.0.0.1', port: 2 },
      { host: '127.8.9.10', port: 3 },
      { host: '::1', port: 4 },
    ]);
    expect(new AllowedHosts(others).local).toEqual([]);
  });

  it('leaves a port for the proxy that no host of it has', () => {
    expect(new AllowedHosts([]).freePort).toBe(3128);
    expect(new AllowedHosts(['a.example:3129']).freePort).toBe(3128);
    expect(new AllowedHosts(['a.example:3128', '127.0.0.1:3129', '[::1]:3131']).freePort).toBe(3130);
  });
});

describe('the addresses of a host on the list', () => {
  const leadingTo =
    (...addresses: readonly string[]) =>
    async () =>
      addresses.map((address) => ({ address }));
  const noLookup = async () => {
    throw new Error('It was asked for.');
  };
  const refusal = (host: string, lookup: ReturnType<typeof leadingTo>) =>
    allowedAddresses(host, lookup).then(() => {
      throw new Error('It was granted.');
    }, answerWithout);

  it.each(['127.0.0.1', '169.254.169.254', '::1', '192.0.2.1'])(
    'takes the address %s as it was meant',
    async (host) => expect(await allowedAddresses(host, noLookup)).toEqual([host]),
  );

  it('takes localhost as it was meant, and no name that resembles it', async () => {
    expect(await allowedAddresses('localhost', leadingTo('::1', '127.0.0.1'))).toEqual(['::1', '127.0.0.1']);
    for (const name of ['localhost.example', 'xlocalhost', '127.example'])
      expect(await refusal(name, leadingTo('127.0.0.1')), name).toMatchObject({ isRefused: true });
  });

  it('gives all addresses of a name, each once', async () =>
    expect(
      await allowedAddresses('api.example', leadingTo('192.0.2.1', '2001:db8::1', '192.0.2.1', '10.0.0.1')),
    ).toEqual(['192.0.2.1', '2001:db8::1', '10.0.0.1']));

  it.each([
    [['127.0.0.1'], 'this machine itself (127.0.0.1)'],
    [['192.0.2.1', '127.0.0.1'], 'this machine itself (127.0.0.1)'],
    [['127.0.0.1', '192.0.2.1'], 'this machine itself (127.0.0.1)'],
    [
      ['169.254.169.254'],
      'a link-local address, where clouds keep the credentials of their machines (169.254.169.254)',
    ],
    [['fd00:ec2::254'], 'the metadata service of a cloud (fd00:ec2::254)'],
    [['nonsense'], 'something that is no address (nonsense)'],
  ])('refuses a name that leads to %j', async (addresses, where) =>
    expect(await refusal('api.example', leadingTo(...addresses))).toEqual({
      isRefused: true,
      answer: `HTTP/1.1 403 Forbidden\r\nProxy-Status: gatewright; error=destination_ip_prohibited; details="the name leads to ${where}"\r\nConnection: close\r\n\r\n`,
    }),
  );

  it('does not refuse a name without an address: there is nothing to connect to', async () =>
    expect(await refusal('api.example', leadingTo())).toEqual({
      isRefused: false,
      answer:
        'HTTP/1.1 502 Bad Gateway\r\nProxy-Status: gatewright; error=dns_error; details="the name has no address"\r\nConnection: close\r\n\r\n',
    }));
});

describe('what is answered when there is no connection', () => {
  const answer = (kind: string, details: string) => ({
    isRefused: false,
    answer: `HTTP/1.1 502 Bad Gateway\r\nProxy-Status: gatewright; error=${kind}; details=${details}\r\nConnection: close\r\n\r\n`,
  });

  it.each([
    ['ENOTFOUND', 'dns_error', 'the name does not resolve'],
    ['EAI_AGAIN', 'dns_timeout', 'the name server did not answer'],
    ['ECONNREFUSED', 'connection_refused', 'the connection was refused'],
    ['ECONNRESET', 'connection_terminated', 'the connection was cut off'],
    ['ETIMEDOUT', 'connection_timeout', 'no connection was made in time'],
    ['EHOSTUNREACH', 'destination_unavailable', 'this machine has no route to it'],
  ])('says it of %s in the words of RFC 9209', (code, kind, what) =>
    expect(answerWithout(Object.assign(new Error('no'), { code }))).toEqual(answer(kind, `"${what}"`)),
  );

  it('passes on what a proxy on the way said, as one line of plain characters', () =>
    expect(
      answerWithout(new GatewrightError('proxy-refused', 'The "proxy"\r\nsaid: ~no\u00e9\u007f ')),
    ).toEqual(answer('destination_unavailable', '"The \\"proxy\\"??said: ~no?? "')));
});
