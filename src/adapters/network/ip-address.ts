/** IPv4 and IPv6 addresses as numbers, and the ranges that they are in. */
import { isIP } from 'node:net';

/** All bits as one number. */
function bitsOfIpv4(address: string): bigint {
  return address.split('.').reduce((bits, part) => bits * 256n + BigInt(part), 0n);
}

function bitsOfIpv6(address: string): bigint {
  const dotted = /[\d.]+$/u.exec(address)?.[0] ?? '';
  const plain = dotted.includes('.')
    ? `${address.slice(0, -dotted.length)}${(bitsOfIpv4(dotted) >> 16n).toString(16)}:${(bitsOfIpv4(dotted) & 0xffffn).toString(16)}`
    : address;
  const [left = '', right = ''] = plain.split('::');
  const [before, after] = [left, right].map((half) => half.split(':').filter((group) => group !== ''));
  const known = (before?.length ?? 0) + (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(8 - known).fill('0'), ...(after ?? [])];
  return groups.reduce((bits, group) => bits * 0x1_0000n + BigInt(`0x${group}`), 0n);
}

/** Null for what is no address. A zone (`%eth0`) says through which device it is reached, not where it leads. */
export function parseAddress(text: string): { readonly size: 32 | 128; readonly bits: bigint } | null {
  const address = text.replace(/%.*$/su, '');
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
