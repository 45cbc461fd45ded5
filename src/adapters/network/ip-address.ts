/** IPv4 and IPv6 addresses as numbers, and the ranges that they are in. */
import { isIP } from 'node:net';

/** All bits as one number. */
function bitsOfIpv4(address: string): bigint {
  return address.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);
}

const groupsOf = (half: string): string[] => half.split(':').filter((group) => group !== '');

function bitsOfIpv6(address: string): bigint {
  const start = address.lastIndexOf(':') + 1;
  const last = address.slice(start);
  const hex = (bits: bigint): string => bits.toString(16);
  const plain = last.includes('.')
    ? `${address.slice(0, start)}${hex(bitsOfIpv4(last) >> 16n)}:${hex(bitsOfIpv4(last) & 0xffffn)}`
    : address;
  const [left = '', right = ''] = plain.split('::');
  const before = groupsOf(left);
  const after = groupsOf(right);
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return groups.reduce((bits, group) => bits * 0x1_0000n + BigInt(`0x${group}`), 0n);
}

/** Null for what is no address. A zone (`%eth0`) says through which device it is reached, not where it leads. */
export function parseAddress(text: string): { readonly size: 32 | 128; readonly bits: bigint } | null {
  const address = text.replace(/%.*/su, '');
  const family = isIP(address);
  if (family === 4) return { size: 32, bits: bitsOfIpv4(address) };
  return family === 6 ? { size: 128, bits: bitsOfIpv6(address) } : null;
}

export function isInRange(bits: bigint, size: 32 | 128, range: string): boolean {
  const [address = '', length = ''] = range.split('/');
  const network = parseAddress(address);
  const shift = BigInt(size - Number(length));
  return network?.size === size && bits >> shift === network.bits >> shift;
}
