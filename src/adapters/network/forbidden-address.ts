/**
 * Where a listed name must not lead: to this machine itself, to the services that a cloud keeps for its machines, to many
 * machines at once, and to every range that IANA's registries of special-purpose addresses do not call globally reachable.
 * Of those, only two kinds are open: private networks (10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7), because the
 * registries of companies are there, and the two documentation ranges in which the tests build their internet
 * (192.0.2.0/24, 2001:db8::/32), because no machine outside of such a test has an address there. An IPv6 address can stand
 * for an IPv4 address in several ways; both are looked at.
 */
import { isInRange, parseAddress } from './ip-address.ts';

interface Row {
  /** Completes "the name leads to …". */
  readonly what: string;
  /** An address and the number of bits that count, of 32 or 128. */
  readonly range: string;
}

const thisMachine = 'this machine itself';
const linkLocal = 'a link-local address, where clouds keep the credentials of their machines';
const metadata = 'the metadata service of a cloud';
const multicast = 'a multicast address';
const reserved = 'a reserved or broadcast address';
const special = 'an address that is set apart for a special use';

export const forbiddenRanges: readonly Row[] = [
  { range: '0.0.0.0/8', what: thisMachine },
  { range: '127.0.0.0/8', what: thisMachine },
  { range: '169.254.0.0/16', what: linkLocal },
  { range: '100.100.100.200/32', what: metadata },
  { range: '168.63.129.16/32', what: metadata },
  { range: '192.0.0.192/32', what: metadata },
  // Protocol assignments of the IETF, relays of 6to4, benchmarks, documentation.
  { range: '192.0.0.0/24', what: special },
  { range: '192.88.99.0/24', what: special },
  { range: '198.18.0.0/15', what: special },
  { range: '198.51.100.0/24', what: special },
  { range: '203.0.113.0/24', what: special },
  { range: '224.0.0.0/4', what: multicast },
  { range: '240.0.0.0/4', what: reserved },
  { range: '::/127', what: thisMachine },
  { range: 'fe80::/10', what: linkLocal },
  { range: 'fd00:ec2::/32', what: metadata },
  { range: 'fd00:c1::a9fe:a9fe/128', what: metadata },
  { range: 'fd00:42::42/128', what: metadata },
  { range: 'fd00:a9fe:a9fe::/48', what: metadata },
  { range: 'fd20:ce::254/128', what: metadata },
  { range: 'ff00::/8', what: multicast },
  // Protocol assignments of the IETF (Teredo, benchmarks, ORCHID …) and documentation.
  { range: '2001::/23', what: special },
  { range: '3fff::/20', what: special },
];

/**
 * The IPv6 addresses that are given out at all: global unicast and private networks. What is in neither and stands for no
 * IPv4 address leads nowhere that a registry or an API could be: `100::/64`, `64:ff9b:1::/48`, `fec0::/10`, `5f00::/16` …
 */
export const givenOut: readonly string[] = ['2000::/3', 'fc00::/7'];

interface Disguise {
  readonly range: string;
  /** Where the 32 bits of the IPv4 address begin, counted from the left. */
  readonly from: number;
}

/** The IPv6 addresses that stand for an IPv4 address. */
export const disguises: readonly Disguise[] = [
  // IPv4-compatible, IPv4-mapped and IPv4-translated addresses.
  { range: '::/96', from: 96 },
  { range: '::ffff:0:0/96', from: 96 },
  { range: '::ffff:0:0:0/96', from: 96 },
  // NAT64 and 6to4.
  { range: '64:ff9b::/96', from: 96 },
  { range: '2002::/16', from: 16 },
];

/** ISATAP puts an IPv4 address behind these 32 bits, in any network. */
const isatap: readonly bigint[] = [0x0000_5efen, 0x0200_5efen];

const findRange = (bits: bigint, size: 32 | 128): string | null =>
  forbiddenRanges.find(({ range }) => isInRange(bits, size, range))?.what ?? null;

/** The IPv4 addresses that an IPv6 address stands for or goes through. */
function lookBehind(bits: bigint): bigint[] {
  const found = disguises
    .filter(({ range }) => isInRange(bits, 128, range))
    .map(({ from }) => (bits >> BigInt(96 - from)) & 0xffff_ffffn);
  return isatap.includes((bits >> 32n) & 0xffff_ffffn) ? [...found, bits & 0xffff_ffffn] : found;
}

/** Why a name must not lead to an address; null when it may. */
export function whyForbidden(text: string): string | null {
  const address = parseAddress(text);
  if (address === null) return 'something that is no address';
  const { size, bits } = address;
  if (size === 32) return findRange(bits, 32);
  const behind = lookBehind(bits).map((ipv4) => findRange(ipv4, 32));
  const why = findRange(bits, 128) ?? behind.find((what) => what !== null) ?? null;
  if (why !== null) return why;
  const isOpen = [...givenOut, ...disguises.map(({ range }) => range)].some((range) =>
    isInRange(bits, 128, range),
  );
  return isOpen ? null : special;
}
