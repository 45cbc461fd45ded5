/**
 * Which proxy a connection goes through, read from the variables that curl and git read, for everything that connects:
 * the gate of the sandbox, calls of APIs, `doctor`.
 */
import { isIP } from 'node:net';
import { GatewrightError } from '../../errors.ts';
import { isInRange, parseAddress } from './ip-address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxyServer {
  readonly url: URL;
  /** The variable that named it. */
  readonly variable: string;
}

export interface Target {
  readonly protocol: 'http:' | 'https:';
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/** In the order in which they count; an empty one is as good as none. */
const variablesFor: Readonly<Record<Target['protocol'], readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/** Whether any connection may have to go through a proxy. */
export function namesProxy(environment: Environment): boolean {
  return Object.values(variablesFor)
    .flat()
    .some((name) => (environment[name] ?? '') !== '');
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  ['127.0.0.0/8', '::1/128'].some((range) => isAddressIn(host, range));

function isAddressIn(host: string, range: string): boolean {
  const address = parseAddress(host);
  const [network = '', length] = range.split('/');
  const size = parseAddress(network)?.size;
  if (address === null || size === undefined) return false;
  const bits = length ?? String(size);
  return /^\d{1,3}$/u.test(bits) && Number(bits) <= size
    ? isInRange(address.bits, address.size, `${network}/${bits}`)
    : false;
}

/** The host of an entry and, if it has one, its port: `host:80`, `[2001:db8::1]:80`; an address with colons has none. */
function splitEntry(entry: string): readonly [host: string, port: string | undefined] {
  const [, bracketed, after] = /^\[([^\]]*)\](?::(\d+))?$/u.exec(entry) ?? [];
  if (bracketed !== undefined) return [bracketed, after];
  const [, host, port] = /^([^:]*):(\d+)$/u.exec(entry) ?? [];
  return host === undefined ? [entry, undefined] : [host, port];
}

/**
 * Whether a host is on the list of those that are reached directly: `*`, a domain with everything below it (with or
 * without `.` or `*.` before it), an address, a range of addresses; each perhaps with a port.
 */
function isDirect(list: string, { host, port }: Target): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((entry) => {
      const [name, only] = splitEntry(entry);
      if (only !== undefined && Number(only) !== port) return false;
      if (name === '*') return true;
      if (isIP(host) !== 0) return isAddressIn(host, name);
      const domain = name.replace(/^\*?\./u, '').replace(/\.$/u, '');
      return host === domain || host.endsWith(`.${domain}`);
    });
}

/** The host and port of a proxy: what may be shown of it. */
export function describeProxy({ url, variable }: ProxyServer): string {
  return `the proxy ${url.hostname}:${portOf(url)} (${variable})`;
}

export function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Nothing of a value that is wrong is shown: it may hold a password. */
function readProxy(value: string, variable: string): ProxyServer {
  // curl takes an address without a scheme for one of HTTP.
  const address = /^[a-z][a-z\d+.-]*:\/\//iu.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '')
    throw new GatewrightError('proxy-refused', `${variable} does not hold the address of a proxy.`, {
      hint: `Write it as http://HOST:PORT, or unset ${variable}.`,
    });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new GatewrightError(
      'proxy-refused',
      `${variable} names a proxy that speaks "${url.protocol.replace(/:$/u, '')}", which Gatewright does not.`,
      { hint: 'Set HTTPS_PROXY to a proxy that speaks HTTP; it goes before ALL_PROXY.' },
    );
  return { url, variable };
}

/** Null when the host is reached directly. Throws when a variable names something that is no usable proxy. */
export function findProxy(environment: Environment, target: Target): ProxyServer | null {
  const host = target.host.toLowerCase().replace(/\.$/u, '');
  const variable = variablesFor[target.protocol].find((name) => (environment[name] ?? '') !== '');
  if (variable === undefined || isThisMachine(host)) return null;
  if (isDirect(environment.no_proxy || environment.NO_PROXY || '', { ...target, host })) return null;
  return readProxy((environment[variable] ?? '').trim(), variable);
}

/** The proxy on the way to an address, in words; null when there is none, or when the variable that names it is wrong. */
export function describeProxyFor(environment: Environment, address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  try {
    const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
    const found = findProxy(environment, { protocol: url.protocol, host, port: portOf(url) });
    return found === null ? null : describeProxy(found);
  } catch {
    return null;
  }
}
