/** Where a listed name must not lead: each range with its ends and the neighbours that are outside, in every disguise. */
import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disguises, forbiddenRanges, whyForbidden } from './forbidden-address.ts';

const machine = 'this machine itself';
const local = 'a link-local address, where clouds keep the credentials of their machines';
const metadata = 'the metadata service of a cloud';
const multicast = 'a multicast address';
const reserved = 'a reserved or broadcast address';

/** What it is, the first and the last address of the range, and what stands before and after it; null where nothing does. */
type Case = readonly [what: string, first: string, last: string, ...neighbours: readonly string[]];

const ipv4: readonly Case[] = [
  [machine, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  [machine, '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  [local, '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  [metadata, '100.100.100.200', '100.100.100.200', '100.100.100.199', '100.100.100.201'],
  [metadata, '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  [metadata, '192.0.0.192', '192.0.0.192', '192.0.0.191', '192.0.0.193'],
  [multicast, '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  [reserved, '240.0.0.0', '255.255.255.255'],
];

const ones = (groups: number): string => Array(groups).fill('ffff').join(':');

const ipv6: readonly Case[] = [
  [machine, '::', '::1'],
  [...([local, 'fe80::', `febf:${ones(7)}`] as const), ...[`fe7f:${ones(7)}`, 'fec0::', 'fe00::1']],
  [metadata, 'fd00:ec2::', `fd00:ec2:${ones(6)}`, `fd00:ec1:${ones(6)}`, 'fd00:ec3::'],
  [
    ...([metadata, 'fd00:c1::a9fe:a9fe', 'fd00:c1::a9fe:a9fe'] as const),
    ...['fd00:c1::a9fe:a9fd', 'fd00:c1::a9fe:a9ff'],
  ],
  [metadata, 'fd00:42::42', 'fd00:42::42', 'fd00:42::41', 'fd00:42::43'],
  [
    ...([metadata, 'fd00:a9fe:a9fe::', `fd00:a9fe:a9fe:${ones(5)}`] as const),
    ...[`fd00:a9fe:a9fd:${ones(5)}`, 'fd00:a9fe:a9ff::'],
  ],
  [metadata, 'fd20:ce::254', 'fd20:ce::254', 'fd20:ce::253', 'fd20:ce::255'],
  [multicast, 'ff00::', ones(8), `feff:${ones(7)}`],
  [reserved, '64:ff9b:1::', `64:ff9b:1:${ones(5)}`, `64:ff9b:0:${ones(5)}`, '64:ff9b:2::'],
];

const hex = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
const inverted = (address: string): string =>
  hex(
    address
      .split('.')
      .map((part) => 255 - Number(part))
      .join('.'),
  );

/** Ways to write an IPv4 address as an IPv6 address. */
const wrappings: readonly (readonly [string, (address: string) => string])[] = [
  ['mapped', (address) => `::ffff:${address}`],
  ['mapped, in groups', (address) => `::ffff:${hex(address)}`],
  ['mapped, in full', (address) => `0:0:0:0:0:FFFF:${hex(address).toUpperCase()}`],
  ['compatible', (address) => `::${address}`],
  ['translated', (address) => `::ffff:0:${address}`],
  ['NAT64', (address) => `64:ff9b::${address}`],
  ['6to4', (address) => `2002:${hex(address)}::`],
  ['6to4 with a host', (address) => `2002:${hex(address)}:1:2:3:4:5`],
  ['the server of Teredo', (address) => `2001:0:${hex(address)}::${inverted('8.8.8.8')}`],
  ['the client of Teredo', (address) => `2001:0:${hex('8.8.8.8')}::${inverted(address)}`],
  ['ISATAP', (address) => `2001:db8::5efe:${address}`],
  ['ISATAP, marked as unique', (address) => `2001:db8::200:5efe:${address}`],
];

describe('an address that a listed name may not lead to', () => {
  it('has a case for each row of the tables', () => {
    expect(forbiddenRanges.map(({ range }) => range.split('/')[0])).toEqual(
      [...ipv4, ...ipv6].map(([, first]) => first),
    );
    expect(disguises.length).toBe(7);
  });

  describe.each([...ipv4, ...ipv6])('%s: %s to %s', (what, first, last, ...neighbours) => {
    it('holds its ends', () => expect([first, last].map(whyForbidden)).toEqual([what, what]));
    it.each(neighbours)('does not hold its neighbour %s', (address) =>
      expect(whyForbidden(address)).toBe(null),
    );
  });

  describe.each(wrappings)('%s', (name, wrap) => {
    it.each(ipv4)('%s: %s to %s', (what, first, last, ...neighbours) => {
      for (const address of [first, last]) {
        expect(isIPv6(wrap(address))).toBe(true);
        expect(whyForbidden(wrap(address)), wrap(address)).toBe(what);
      }
      for (const address of neighbours) expect(whyForbidden(wrap(address)), wrap(address)).toBe(null);
    });
    it.each(['8.8.8.8', '10.0.0.1', '192.168.0.1', '172.16.0.1', '192.0.2.1', '1.1.1.1'])(
      `${name} %s is no harm`,
      (address) => expect(whyForbidden(wrap(address))).toBe(null),
    );
  });

  it.each([
    // One bit beside the prefix of a disguise: no IPv4 address is meant.
    '::1:0:127.0.0.1',
    '::fffe:127.0.0.1',
    '::1:ffff:127.0.0.1',
    '1::ffff:127.0.0.1',
    '::fffe:0:127.0.0.1',
    '64:ff9b::1:127.0.0.1',
    '64:ff9a::127.0.0.1',
    '65:ff9b::127.0.0.1',
    '2003:7f00:1::',
    '2001:1:7f00:1::',
    `2001:1::${inverted('127.0.0.1')}`,
    '2001:db8::5eff:127.0.0.1',
    '2001:db8::100:5efe:127.0.0.1',
  ])('%s is what it is', (address) => expect(whyForbidden(address)).toBe(null));

  it.each([
    ...['8.8.8.8', '192.0.2.1', '10.0.0.0', '10.255.255.255', '172.16.0.0', '192.168.255.255', '100.64.0.1'],
    ...[
      '2001:db8::1',
      'fc00::1',
      'fdff::1',
      '2606:4700::1111',
      '2607:f8b0:4004:800::200a',
      '1:2:3:4:5:6:7:8',
    ],
    ...['2001:4860:4860::8888', '2a00::', '::1:0:0:0', 'fd00::1', 'fd12:3456:789a::1', '100::'],
  ])('%s is allowed', (address) => expect(whyForbidden(address)).toBe(null));

  it.each(['', 'localhost', '127.1', '0x7f000001', '1.2.3', '1.2.3.4.5', '::g', ':::', '[::1]', '8.8.8.8/8'])(
    '%j is no address',
    (text) => expect(whyForbidden(text)).toBe('something that is no address'),
  );

  it('does not care for the device', () => {
    expect(whyForbidden('fe80::1%eth0')).toBe(local);
    expect(whyForbidden('::1%lo')).toBe(machine);
    expect(whyForbidden('2001:db8::1%eth0')).toBe(null);
  });

  it('says the same of an address however it is written', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const nearby = fc.constantFrom(0, 1, 0xffff, 0x5efe, 0x7f00, 0x2002, 0x2001, 0xfe80, 0x64, 0xff9b, 0xec2);
    fc.assert(
      fc.property(fc.array(fc.oneof(nearby, group), { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((one) => one.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`http://[${full}]/`).hostname.slice(1, -1);
        const tail = groups.slice(6).flatMap((one) => [one >> 8, one & 255]);
        const dotted = `${groups
          .slice(0, 6)
          .map((one) => one.toString(16))
          .join(':')}:${tail.join('.')}`;
        expect(whyForbidden(short)).toBe(whyForbidden(full));
        expect(whyForbidden(dotted)).toBe(whyForbidden(full.toUpperCase()));
      }),
    );
  });

  it('says the same of an IPv4 address behind each disguise', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...wrappings), (address, [, wrap]) => {
        expect(isIPv4(address)).toBe(true);
        // The compatible form of 0.0.0.0 and 0.0.0.1 is IPv6's own "unspecified" and "loopback": forbidden as well.
        expect(whyForbidden(wrap(address))).toBe(whyForbidden(address));
      }),
    );
  });
});
