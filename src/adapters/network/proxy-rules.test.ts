/** Which proxy a connection goes through, as curl and git read the variables. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import { describeProxy, type Environment, findProxy, namesProxy, type Target } from './proxy-rules.ts';

const proxy = 'http://proxy.example:3128';
const at = (host: string, port = 443, protocol: Target['protocol'] = 'https:'): Target => ({
  host,
  port,
  protocol,
});
const found = (environment: Environment, target: Target): string | null => {
  const one = findProxy(environment, target);
  return one === null ? null : `${one.variable} ${one.url.host}`;
};
const failureOf = (work: () => unknown): GatewrightError => {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewrightError) return error;
  }
  throw new Error('It should have failed.');
};

describe('the variable that counts', () => {
  const all = {
    https_proxy: 'http://a.example:1',
    HTTPS_PROXY: 'http://b.example:2',
    http_proxy: 'http://c.example:3',
    HTTP_PROXY: 'http://d.example:4',
    all_proxy: 'http://e.example:5',
    ALL_PROXY: 'http://f.example:6',
  };
  it.each([
    [
      'https:',
      [
        'https_proxy a.example:1',
        'HTTPS_PROXY b.example:2',
        'all_proxy e.example:5',
        'ALL_PROXY f.example:6',
      ],
    ],
    [
      'http:',
      ['http_proxy c.example:3', 'HTTP_PROXY d.example:4', 'all_proxy e.example:5', 'ALL_PROXY f.example:6'],
    ],
  ] as const)('%s', (protocol, order) => {
    const left: Record<string, string> = { ...all };
    for (const expected of order) {
      expect(found(left, at('model.example', 443, protocol))).toBe(expected);
      // An empty one is as good as none.
      left[expected.split(' ')[0] ?? ''] = '';
    }
    expect(found(left, at('model.example', 443, protocol))).toBe(null);
  });

  it.each(Object.keys(all))('%s alone tells that there is one', (name) => {
    expect(namesProxy({ [name]: proxy })).toBe(true);
    expect(namesProxy({ [name]: '' })).toBe(false);
    expect(namesProxy({ NO_PROXY: '*' })).toBe(false);
  });

  it.each([
    ['proxy.example:3128', 'proxy.example:3128'],
    ['proxy.example', 'proxy.example'],
    ['user:pass@proxy.example:3128', 'proxy.example:3128'],
    ['HTTP://Proxy.Example:3128/', 'proxy.example:3128'],
    ['https://proxy.example', 'proxy.example'],
    [' http://[2001:db8::1]:3128 ', '[2001:db8::1]:3128'],
  ])('%j is a proxy', (value, host) =>
    expect(findProxy({ HTTPS_PROXY: value }, at('model.example'))?.url.host).toBe(host),
  );

  it.each([
    'socks5://user:hush@proxy.example:1080',
    'socks5h://proxy.example',
    'ftp://hush@proxy.example',
    'http://',
    'http://a b',
    '://hush',
    'http://hush@proxy.example:99999',
  ])('%j is none that can be used, and is not shown', (value) => {
    const error = failureOf(() => findProxy({ ALL_PROXY: value }, at('model.example')));
    expect(error.code).toBe('proxy-refused');
    expect(error.message).toContain('ALL_PROXY');
    expect(error.message + error.hint).not.toContain('hush');
  });

  it('is not asked for this machine, nor for what needs none, whatever it holds', () => {
    for (const host of [
      'localhost',
      'app.localhost',
      '127.0.0.1',
      '127.255.0.1',
      '::1',
      'LOCALHOST',
      'localhost.',
    ])
      expect(found({ HTTPS_PROXY: 'socks5://x' }, at(host))).toBe(null);
    for (const host of ['notlocalhost', 'localhost.example', '128.0.0.1', '::2', '126.255.255.255'])
      expect(found({ HTTPS_PROXY: proxy }, at(host))).toBe('HTTPS_PROXY proxy.example:3128');
    expect(found({ HTTPS_PROXY: 'socks5://x', NO_PROXY: 'model.example' }, at('model.example'))).toBe(null);
  });

  it('says what it speaks when that is not HTTP, and what to write', () => {
    const socks = failureOf(() => findProxy({ ALL_PROXY: 'socks5://proxy.example' }, at('model.example')));
    expect(socks.message).toBe('ALL_PROXY names a proxy that speaks "socks5", which Gatewright does not.');
    expect(socks.hint).toContain('HTTPS_PROXY');
    const wrong = failureOf(() => findProxy({ HTTPS_PROXY: 'http://a b' }, at('model.example')));
    expect(wrong.message).toBe('HTTPS_PROXY does not hold the address of a proxy.');
    expect(wrong.hint).toBe('Write it as http://HOST:PORT, or unset HTTPS_PROXY.');
  });

  it('is shown without its login', () => {
    const numbered = findProxy({ https_proxy: 'http://user:hush@proxy.example:3128' }, at('model.example'));
    expect(numbered === null ? '' : describeProxy(numbered)).toBe(
      'the proxy proxy.example:3128 (https_proxy)',
    );
    const one = findProxy({ https_proxy: 'http://user:hush@proxy.example' }, at('model.example'));
    expect(one === null ? '' : describeProxy(one)).toBe('the proxy proxy.example:80 (https_proxy)');
    const secure = findProxy({ ALL_PROXY: 'https://user:hush@proxy.example' }, at('model.example'));
    expect(secure === null ? '' : describeProxy(secure)).toBe('the proxy proxy.example:443 (ALL_PROXY)');
  });
});

describe('what is reached directly', () => {
  it.each([
    // [NO_PROXY, host, whether a proxy is used]
    ['', 'model.example', true],
    ['*', 'model.example', false],
    [' * ', '192.0.2.1', false],
    ['a.example,*', 'model.example', false],
    ['model.example', 'model.example', false],
    ['Model.Example', 'model.example', false],
    ['model.example', 'MODEL.example', false],
    ['model.example', 'model.example.', false],
    ['model.example.', 'model.example', false],
    ['.model.example', 'model.example', false],
    ['*.model.example', 'model.example', false],
    ['model.example', 'a.b.model.example', false],
    ['.model.example', 'a.model.example', false],
    ['*.model.example', 'a.model.example', false],
    ['example', 'model.example', false],
    ['model.example', 'badmodel.example', true],
    ['.model.example', 'badmodel.example', true],
    ['*model.example', 'badmodel.example', true],
    ['model.example', 'model.example.org', true],
    ['a.model.example', 'model.example', true],
    ['mod*', 'model.example', true],
    ['.', 'model.example', true],
    ['..', 'model.example', true],
    [':443', 'model.example', true],
    [',, ,other.example ,\tmodel.example,', 'model.example', false],
    ['other.example model.example', 'model.example', false],
    ['other.example\nmodel.example', 'model.example', false],
    ['192.0.2.1', '192.0.2.1', false],
    ['192.0.2.1', '192.0.2.10', true],
    ['0.2.1', '192.0.2.1', true],
    ['192.0.2.0/24', '192.0.2.255', false],
    ['192.0.2.0/24', '192.0.3.0', true],
    ['192.0.2.0/33', '192.0.2.0', true],
    ['192.0.2.0/', '192.0.2.0', true],
    ['192.0.2.0/x', '192.0.2.0', true],
    ['192.0.2.0/-1', '192.0.2.0', true],
    ['0.0.0.0/0', '192.0.2.1', false],
    ['0.0.0.0/0', '2001:db8::1', true],
    ['::/0', '192.0.2.1', true],
    ['192.0.2.0/24', 'model.example', true],
    ['2001:db8::1', '2001:db8:0:0::1', false],
    ['[2001:db8::1]', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', false],
    ['2001:db8::/32', '2001:db9::1', true],
    ['[2001:db8::/32]', '2001:db8::1', false],
    ['2001:db8::1', '2001:db8::2', true],
  ] as const)('NO_PROXY=%j, %s: through a proxy %s', (list, host, isProxied) => {
    expect(findProxy({ https_proxy: proxy, NO_PROXY: list }, at(host)) !== null).toBe(isProxied);
    expect(findProxy({ HTTPS_PROXY: proxy, no_proxy: list, NO_PROXY: '*' }, at(host)) !== null).toBe(
      isProxied && list !== '',
    );
  });

  it.each([
    ['model.example:443', 'model.example', 443, false],
    ['model.example:80', 'model.example', 443, true],
    ['.example:8443', 'model.example', 8443, false],
    ['*:443', 'model.example', 443, false],
    ['*:80', 'model.example', 443, true],
    ['192.0.2.1:443', '192.0.2.1', 443, false],
    ['192.0.2.1:80', '192.0.2.1', 443, true],
    ['[2001:db8::1]:443', '2001:db8::1', 443, false],
    ['[2001:db8::1]:80', '2001:db8::1', 443, true],
    ['2001:db8::1:443', '2001:db8::1', 443, true],
    ['[2001:db8::1]:443x', '2001:db8::1', 443, true],
    ['model.example:443x', 'model.example', 443, true],
    ['192.0.2.1:443x', '192.0.2.1', 443, true],
  ] as const)('NO_PROXY=%j, %s:%d: through a proxy %s', (list, host, port, isProxied) =>
    expect(findProxy({ https_proxy: proxy, NO_PROXY: list }, at(host, port)) !== null).toBe(isProxied),
  );

  it('takes any text for a list', () => {
    fc.assert(
      fc.property(fc.string(), (list) => {
        const entries = list.toLowerCase().split(/[\s,]+/u);
        fc.pre(
          !entries.some(
            (entry) =>
              entry.startsWith('*') || 'model.example'.endsWith(entry.replace(/^\*?\.|[.:]\d*$/gu, '')),
          ),
        );
        expect(findProxy({ https_proxy: proxy, NO_PROXY: list }, at('model.example'))).not.toBe(null);
      }),
    );
  });
});
