/** Where a listed name must not lead: each range with its ends and the neighbours that are outside, in every disguise. */
import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disguises, forbiddenRanges, givenOut, whyForbidden } from './forbidden-address.ts';

const machine = 'this machine itself';
const local = 'a link-local address, where clouds keep the credentials of their machines';
const metadata = 'the metadata service of a cloud';
const multicast = 'a multicast address';
const reserved = 'a reserved or broadcast address';
const special = 'an address that is set apart for a special use';

/** What it is, the first and the last address of the range, and what stands before and after it; null where nothing does. */
type Case = readonly [what: string, first: string, last: string, ...neighbours: readonly string[]];

const ipv4: readonly Case[] = [
  [machine, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  [machine, '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  [local, '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  [metadata, '100.100.100.200', '100.100.100.200', '100.100.100.199', '100.100.100.201'],
  [metadata, '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  [metadata, '192.0.0.192', '192.0.0.192'],
  [special, '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  [special, '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  [special, '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  [special, '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  [special, '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  [multicast, '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  [reserved, '240.0.0.0', '255.255.255.255'],
];

const ones = (groups: number): string => Array(groups).fill('ffff').join(':');

const ipv6: readonly Case[] = [
  [machine, '::', '::1'],
  [local, 'fe80::', `febf:${ones(7)}`],
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
  [multicast, 'ff00::', ones(8)],
  [special, '2001::', `2001:1ff:${ones(6)}`, `2000:${ones(7)}`, '2001:200::'],
  [special, '3fff::', `3fff:fff:${ones(6)}`, `3ffe:${ones(7)}`, '3fff:1000::'],
];

/** What IANA's two registries of special-purpose addresses (and that of the IPv6 address space) do not call globally reachable. */
const registry: readonly string[] = [
  ...['0.0.0.0', '0.255.255.255', '127.0.0.1', '169.254.169.254', '192.0.0.0', '192.0.0.8', '192.0.0.170'],
  ...['192.0.0.171', '192.88.99.2', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.7'],
  ...['240.0.0.1', '255.255.255.255', '224.0.0.1', '::', '::1', '::ffff:127.0.0.1'],
  ...['64:ff9b:1::1', `64:ff9b:1:${ones(5)}`, '100::', '100::1', '100:0:0:1::1', '2001::1', '2001:1::4'],
  ...['2001:2::1', '2001:10::1', '2001:1f::1', '3fff::1', '5f00::1', 'fec0::1', `feff:${ones(7)}`, 'fe80::1'],
  ...['ff02::1', '200::1', '400::', '1000::', `1fff:${ones(7)}`, '4000::', '8000::', 'fbff::1', 'fe00::1'],
];

/** Not globally reachable either, and open for the reasons that stand at the head of the table. */
const opened: readonly string[] = [
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '192.0.2.0', '192.0.2.255'],
  ...['fc00::1', 'fd12:3456:789a::1', '2001:db8::', `2001:db8:${ones(6)}`],
];

const hex = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
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
  ['ISATAP', (address) => `2001:db8::5efe:${address}`],
  ['ISATAP, marked as unique', (address) => `2001:db8::200:5efe:${address}`],
];

describe('an address that a listed name may not lead to', () => {
  it('has a case for each row of the tables', () => {
    expect(forbiddenRanges.map(({ range }) => range.split('/')[0])).toEqual(
      [...ipv4, ...ipv6].map(([, first]) => first),
    );
    expect(disguises.length).toBe(5);
    expect(givenOut).toEqual(['2000::/3', 'fc00::/7']);
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

  it.each(registry)('%s of the registries is refused', (address) =>
    expect(whyForbidden(address)).not.toBe(null),
  );
  it.each(opened)('%s is open all the same', (address) => expect(whyForbidden(address)).toBe(null));

  it.each([
    // One bit beside the prefix of a disguise: no IPv4 address is meant, and the address is not given out.
    ...['::1:0:8.8.8.8', '::fffe:8.8.8.8', '::1:ffff:8.8.8.8', '1::ffff:8.8.8.8', '::fffe:0:8.8.8.8'],
    ...['64:ff9b::1:8.8.8.8', '64:ff9a::8.8.8.8', '65:ff9b::8.8.8.8', '::1:0:0:0', '1:2:3:4:5:6:7:8'],
  ])('%s is given out to none', (address) => expect(whyForbidden(address)).toBe(special));

  it.each([
    // And in networks that are given out the bits are what they are.
    ...['2003:7f00:1::', '2001:db8::5eff:127.0.0.1', '2001:db8::100:5efe:127.0.0.1'],
    ...[
      '8.8.8.8',
      '2606:4700::1111',
      '2607:f8b0:4004:800::200a',
      '2001:4860:4860::8888',
      '2a00::',
      'fd00::1',
    ],
    // Globally reachable by the registries: AS112 and AMT.
    ...['192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'],
  ])('%s is allowed', (address) => expect(whyForbidden(address)).toBe(null));

  it('lets no IPv6 address pass that is neither given out nor stands for an IPv4 address', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(group, fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
        const isGlobal = first >> 13 === 1;
        const isPrivate = first >> 9 === 0x7e;
        fc.pre(!isGlobal && !isPrivate && first !== 0 && first !== 0x64);
        const address = [first, ...rest].map((one) => one.toString(16)).join(':');
        expect(whyForbidden(address)).not.toBe(null);
      }),
    );
  });

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
