/** A host and a port as a list of allowed hosts names them: one way to write each, so that no two readers differ. */
import { isIP } from 'node:net';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Nothing but plain names, addresses and a number: no user, no path, no dot at the end, no other way to write a number. */
const pattern =
  /^((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[[0-9a-f:.]+\]):([1-9]\d{0,4})$/u;

export function parseHost(text: string): HostAndPort | null {
  const [, host = '', digits = ''] = pattern.exec(text.toLowerCase()) ?? [];
  const port = Number(digits);
  if (host === '' || host.length > 253 || port > 65_535) return null;
  const bare = host.replace(/^\[|\]$/gu, '');
  if (host !== bare && isIP(bare) !== 6) return null;
  // "127.1" and "0x7f000001" are addresses to some and names to others.
  if (/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(bare) && isIP(bare) === 0) return null;
  return { host: bare, port };
}
