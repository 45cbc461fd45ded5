/** Addresses as numbers, each way to write them, and both ends of every range where a name must not lead. */
import { describe, expect, it } from 'vitest';
import { whyForbidden } from './forbidden-address.ts';
import { isInRange, parseAddress } from './ip-address.ts';

describe('parseAddress', () => {
  it.each([
    ['0.0.0.0', 32, 0n],
    ['1.2.3.4', 32, 0x01020304n],
    ['255.255.255.255', 32, 0xffffffffn],
    ['::', 128, 0n],
    ['::1', 128, 1n],
    ['1::', 128, 1n << 112n],
    ['1::2', 128, (1n << 112n) + 2n],
    ['1:2::3:4', 128, (1n << 112n) + (2n << 96n) + (3n << 16n) + 4n],
    ['1:2:3:4:5:6:7:8', 128, 0x00010002000300040005000600070008n],
    ['::ffff:1.2.3.4', 128, 0xffff01020304n],
    ['64:ff9b::1.2.3.4', 128, (0x64n << 112n) + (0xff9bn << 96n) + 0x01020304n],
    ['1:2:3:4:5:6:255.254.253.252', 128, 0x000100020003000400050006fffefdfcn],
    ['::1:2.3.4.5', 128, (1n << 32n) + 0x02030405n],
    ['ABCD::', 128, 0xabcdn << 112n],
    ['fe80::1%eth0', 128, (0xfe80n << 112n) + 1n],
    ['fe80::%1\n2', 128, 0xfe80n << 112n],
  ] as const)('%s', (text, size, bits) => expect(parseAddress(text)).toEqual({ size, bits }));
  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    ':::',
    '1::2::3',
    '%eth0',
    '[::1]',
  ])('is none: %j', (text) => expect(parseAddress(text)).toBeNull());
});

describe('isInRange', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['1.2.3.4/32', '1.2.3.4', true],
    ['1.2.3.4/32', '1.2.3.5', false],
    ['0.0.0.0/0', '255.0.0.1', true],
    ['fc00::/7', 'fdff::1', true],
    ['fc00::/7', 'fe00::', false],
    ['::/96', '::1.2.3.4', true],
    ['::/0', '1.2.3.4', false],
    ['0.0.0.0/0', '::1', false],
    ['none/8', '1.2.3.4', false],
    ['', '1.2.3.4', false],
  ])('%s has %s: %s', (range, text, expected) => {
    const address = parseAddress(text);
    expect(isInRange(address?.bits ?? -1n, address?.size ?? 32, range)).toBe(expected);
  });
});

describe('where a name must not lead', () => {
  const machine = 'this machine itself';
  const link = 'a link-local address, where clouds keep the credentials of their machines';
  const cloud = 'the metadata service of a cloud';
  const many = 'a multicast address';
  const reserved = 'a reserved or broadcast address';
  const special = 'an address that is set apart for a special use';
  /** The first and the last address of each range, and those right beside it, where they are not forbidden as well. */
  it.each<[what: string, first: string, last: string, ...beside: string[]]>([
    [machine, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    [machine, '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    [link, '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    [cloud, '100.100.100.200', '100.100.100.200', '100.100.100.199', '100.100.100.201'],
    [cloud, '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    [cloud, '192.0.0.192', '192.0.0.192'],
    [special, '192.0.0.0', '192.0.0.191', '191.255.255.255'],
    [special, '192.0.0.193', '192.0.0.255', '192.0.1.0'],
    [special, '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    [special, '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    [special, '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    [special, '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    [many, '224.0.0.0', '239.255.255.255', '223.255.255.255'],
    [reserved, '240.0.0.0', '255.255.255.255'],
    [machine, '::', '::1'],
    [link, 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    [cloud, 'fd00:ec2::', 'fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff', 'fd00:ec1::', 'fd00:ec3::'],
    [cloud, 'fd00:c1::a9fe:a9fe', 'fd00:c1::a9fe:a9fe', 'fd00:c1::a9fe:a9fd', 'fd00:c1::a9fe:a9ff'],
    [cloud, 'fd00:42::42', 'fd00:42::42', 'fd00:42::41', 'fd00:42::43'],
    [cloud, 'fd00:a9fe:a9fe::', 'fd00:a9fe:a9fe:ffff::', 'fd00:a9fe:a9fd::', 'fd00:a9fe:a9ff::'],
    [cloud, 'fd20:ce::254', 'fd20:ce::254', 'fd20:ce::253', 'fd20:ce::255'],
    [many, 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    [special, '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    [special, '3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
    [special, '::2:0:0:0:1', '1fff:ffff::', '2000::'],
    [special, '4000::', 'fbff:ffff::', 'fc00::'],
    [special, 'fe00::', 'fe7f:ffff::', 'fdff:ffff::'],
    [special, 'fec0::', 'feff:ffff::'],
  ])('%s: %s to %s', (what, first, last, ...beside) => {
    expect([whyForbidden(first), whyForbidden(last)]).toEqual([what, what]);
    for (const open of beside) expect(whyForbidden(open), open).toBeNull();
  });

  /** The ways in which an IPv6 address stands for an IPv4 address. */
  it.each<[string, (ipv4: string, hex: string) => string]>([
    ['compatible', (ipv4) => `::${ipv4}`],
    ['mapped', (ipv4) => `::ffff:${ipv4}`],
    ['translated', (ipv4) => `::ffff:0:${ipv4}`],
    ['NAT64', (ipv4) => `64:ff9b::${ipv4}`],
    ['6to4', (_, hex) => `2002:${hex}::1`],
    ['ISATAP', (ipv4) => `2001:db8::5efe:${ipv4}`],
    ['ISATAP of a public address', (ipv4) => `2001:db8::200:5efe:${ipv4}`],
  ])('%s: what it stands for is looked at', (_, write) => {
    expect(whyForbidden(write('127.0.0.2', '7f00:2'))).toBe(machine);
    expect(whyForbidden(write('169.254.169.254', 'a9fe:a9fe'))).toBe(link);
    expect(whyForbidden(write('240.0.0.1', 'f000:1'))).toBe(reserved);
    expect(whyForbidden(write('8.8.8.8', '808:808'))).toBeNull();
    expect(whyForbidden(write('10.1.2.3', 'a01:203'))).toBeNull();
  });

  it('every address that one stands for is looked at, not only the first', () => {
    expect(whyForbidden('2002:808:808::5efe:127.0.0.2')).toBe(machine);
    expect(whyForbidden('2002:7f00:2::5efe:8.8.8.8')).toBe(machine);
    expect(whyForbidden('2002:808:808::5efe:8.8.8.8')).toBeNull();
  });

  it.each(['', 'localhost', '1.2.3', '127.1'])('%j is no address', (text) =>
    expect(whyForbidden(text)).toBe('something that is no address'),
  );
});
