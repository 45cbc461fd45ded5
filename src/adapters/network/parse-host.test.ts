/** One way to write a host and a port, and none that two readers take for two hosts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './ip-address.ts';
import { parseHost } from './parse-host.ts';

describe('parseHost', () => {
  it.each([
    ['api.anthropic.com:443', { host: 'api.anthropic.com', port: 443 }],
    ['API.Anthropic.com:443', { host: 'api.anthropic.com', port: 443 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
    ['[::ffff:127.0.0.1]:1', { host: '::ffff:127.0.0.1', port: 1 }],
    ['a-b.c--d.example:65535', { host: 'a-b.c--d.example', port: 65_535 }],
    ['7a:1', { host: '7a', port: 1 }],
    [`${'a.'.repeat(126)}a:1`, { host: `${'a.'.repeat(126)}a`, port: 1 }],
    // A name or a port that is too long, or none.
    [`${'a.'.repeat(126)}aa:1`, null],
    ['a.example:65536', null],
    ['a.example:100000', null],
    ['a.example:0', null],
    ['a.example:080', null],
    ['a.example:', null],
    ['a.example', null],
    [':443', null],
    // Names that are none.
    ['-a.example:1', null],
    ['a-.example:1', null],
    ['a.-example:1', null],
    ['a.example-:1', null],
    ['a..example:1', null],
    ['.a.example:1', null],
    ['a_b.example:1', null],
    [' a.example:1', null],
    ['a.example:1/', null],
    ['x.example:1 a.example:1', null],
    // Addresses to some, and names to others.
    ['127.1:80', null],
    ['2130706433:80', null],
    ['1.2.3.4.5:80', null],
    ['x.0x7f:80', null],
    ['x.0x:80', null],
    ['256.1.1.1:80', null],
    ['::1:80', null],
    ['[127.0.0.1]:80', null],
    ['[::1:80', null],
    ['::1]:80', null],
    ['0x7f.1:80', null],
    ['api.anthropic.com.:443', null],
    ['user@api.anthropic.com:443', null],
    ['api.anthropic.com:443\r\n', null],
  ])('%j', (text, parsed) => expect(parseHost(text)).toEqual(parsed));
});

describe('what is parsed', () => {
  const odd = fc.constantFrom('', ' ', '@', '%41', 'é', '\u3002', '\t', '-a', 'a-', 'a_b');
  const label = fc.string({ unit: fc.constantFrom(...'ab019x'), minLength: 1, maxLength: 4 });
  const numeric = fc.constantFrom('127', '0x7f', '1', '0', '00', '255', '256', '0x');
  const part = fc.oneof(
    { weight: 6, arbitrary: label },
    { weight: 6, arbitrary: numeric },
    { weight: 1, arbitrary: odd },
  );
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  const group = fc.constantFrom('0', '1', 'ffff', 'db8', 'ABC', '127.0.0.1', 'g');
  const ipv6 = fc
    .tuple(
      fc.array(group, { maxLength: 3 }),
      fc.constantFrom('::', ':', ''),
      fc.array(group, { maxLength: 3 }),
    )
    .map(([before, middle, after]) => `[${before.join(':')}${middle}${after.join(':')}]`);
  const port = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('1', '80', '443', '65535') },
    { weight: 1, arbitrary: fc.constantFrom('65536', '0', '080', '', '8 0', '80/', '80@x:1', '80#') },
  );
  const target = fc.tuple(fc.oneof(name, ipv6), port).map(([host, digits]) => `${host}:${digits}`);

  it('is the same host and port to a reader of URLs', () => {
    fc.assert(
      fc.property(target, (text) => {
        const parsed = parseHost(text);
        if (parsed === null) return;
        const { hostname, port: read, username } = new URL(`http://${text}`);
        const bare = hostname.replace(/^\[|\]$/gu, '');
        expect([parseAddress(bare) ?? bare, read === '' ? 80 : Number(read), username]).toEqual([
          parseAddress(parsed.host) ?? parsed.host,
          parsed.port,
          '',
        ]);
      }),
      { numRuns: 1000 },
    );
  });
});
