/**
 * Tries whether hosts can be reached, the way work would reach them: out of the sandbox through a real gate, or as calls of
 * APIs go, with a proxy where there is one. It connects, shakes hands over TLS, and sends nothing else.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, type PeerCertificate } from 'node:tls';
import { countOf } from '../../domain/text/count-of.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { errorCatalogue, GatewrightError } from '../../errors.ts';
import type { HostNeed, TriedHost } from '../../ports/checkup.ts';
import { blockedPortCode, isBlockedPort } from '../network/blocked-ports.ts';
import { connectThrough } from '../network/connect-through.ts';
import { connectToAny } from '../network/connect-to-any.ts';
import { blockedPortHint, connectionProblem } from '../network/explain-connection.ts';
import { findAddresses, type Lookup } from '../network/find-addresses.ts';
import { describeProxy, type Environment, findProxy } from '../network/proxy-rules.ts';
import { openNetworkGate } from './network-gate.ts';

interface TrialOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** For each host; they are tried side by side. */
  readonly milliseconds?: number;
  /** Finds the addresses of names. */
  readonly lookup?: Lookup;
}

interface Connection {
  readonly socket: Socket;
  /** Completes "is reached …". */
  readonly how: string;
}

/** Why a host was not reached, as it is told. */
class NotReached extends Error {
  readonly fix: string;

  constructor(why: string, fix: string) {
    super(why);
    this.fix = fix;
  }
}

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
const nameOf = ({ host, port }: HostNeed): string => `${bracketed(host)}:${port}`;
const family = (address: string): string => `over ${isIPv6(address) ? 'IPv6' : 'IPv4'}`;

async function connectDirectly(
  need: HostNeed,
  limit: AbortSignal,
  options: TrialOptions,
): Promise<Connection> {
  const { host, port, isSecure } = need;
  const proxy = findProxy(options.environment, { protocol: isSecure ? 'https:' : 'http:', host, port });
  const limits = { milliseconds: 60_000, signal: limit };
  if (proxy !== null) {
    const socket = await connectThrough(proxy, host, port, limits);
    return { socket, how: `through ${describeProxy(proxy)}` };
  }
  if (need.fetchSetting !== undefined && isBlockedPort(port)) {
    throw new NotReached(problemOf(blockedPortCode).what, blockedPortHint(need.fetchSetting));
  }
  const addresses = isIP(host) === 0 ? await findAddresses(host, options.lookup) : [host];
  const socket = await connectToAny(addresses, port, limits);
  return { socket, how: family(socket.remoteAddress ?? '') };
}

const forbiddenFix =
  'Check what your name servers answer for it; docs/sandbox.md lists the refused addresses.';

/** What the gate says about a connection, in its `Proxy-Status`. */
function readGateAnswer(head: string): { readonly nextHop: string; readonly refusal: NotReached | null } {
  const read = (name: string): string => new RegExp(`[ ;]${name}="?([^";]*)`, 'u').exec(head)?.[1] ?? '';
  if (/^HTTP\/1\.1 200 /u.test(head)) return { nextHop: read('next-hop'), refusal: null };
  const [, details = 'it gave no reason'] = /details="(.*)"\r?$/mu.exec(head) ?? [];
  const isForbidden = read('error') === 'destination_ip_prohibited';
  return {
    nextHop: '',
    refusal: isForbidden
      ? new NotReached(`the sandbox refuses it: ${details}`, forbiddenFix)
      : new NotReached(details.replace(/\.$/u, ''), problemOf(codes[read('error')] ?? 'ENETUNREACH').hint),
  };
}

/** What to do about each kind of refusal, by the code that means the same. */
const codes: Readonly<Record<string, string>> = {
  dns_error: 'ENOTFOUND',
  dns_timeout: 'EAI_AGAIN',
  connection_refused: 'ECONNREFUSED',
  connection_terminated: 'ECONNRESET',
  connection_timeout: 'ETIMEDOUT',
};

const problemOf = (code: string) => connectionProblem(Object.assign(new Error(code), { code }));

/** The bytes up to the empty line; what came after it belongs to the host. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = Buffer.alloc(0);
  for (let end = -1; ; ) {
    const [chunk] = (await Promise.race([
      once(socket, 'data', { signal }),
      once(socket, 'close', { signal }).then(() => [null]),
    ])) as [Buffer | null];
    if (chunk === null) return head.toString();
    head = Buffer.concat([head, chunk]);
    end = head.indexOf('\r\n\r\n');
    if (end === -1) continue;
    socket.pause();
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
    return head.subarray(0, end).toString();
  }
}

async function connectByGate(need: HostNeed, folder: string, limit: AbortSignal): Promise<Connection> {
  const socket = connect(join(folder, 'proxy'));
  try {
    await once(socket, 'connect', { signal: limit });
    const target = nameOf(need);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    const { nextHop, refusal } = readGateAnswer(await readHead(socket, limit));
    if (refusal !== null) throw refusal;
    return { socket, how: isIP(nextHop) === 0 ? `through ${nextHop}` : family(nextHop) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The names in a certificate, and its signer. */
function describeCertificate({ subjectaltname, issuer }: PeerCertificate): string {
  const names = String(subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/u, ''));
  const shown = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  const signer = issuer?.CN ?? issuer?.O ?? 'an unknown issuer';
  return `it is for ${escapeForLine(shown || 'no name', 100)}, issued by "${escapeForLine(String(signer), 100)}"`;
}

async function shakeHands(socket: Socket, host: string, signal: AbortSignal): Promise<void> {
  const secure = connectSecurely({
    ...{ socket, host, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] },
    // What does not fit is looked at, too.
    rejectUnauthorized: false,
  });
  try {
    await Promise.race([
      once(secure, 'secureConnect', { signal }),
      once(socket, 'close', { signal }).then(() => {
        throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
      }),
    ]);
    if (secure.authorized) return;
    const code = String(secure.authorizationError);
    const { what, hint } = problemOf(code);
    throw new NotReached(
      `${what}: ${describeCertificate(secure.getPeerCertificate())}`,
      hint || errorCatalogue['certificate-rejected'].hint,
    );
  } finally {
    secure.destroy();
  }
}

function explain(error: unknown, isTooLate: boolean, milliseconds: number): TriedHost {
  const tell = (how: string, fix: string): TriedHost => ({ isReached: false, how, fix });
  if (error instanceof NotReached) return tell(error.message, error.fix);
  if (isTooLate) {
    return tell(
      `it did not answer within ${countOf(milliseconds / 1000, 'second')}`,
      problemOf('ETIMEDOUT').hint,
    );
  }
  if (error instanceof GatewrightError) return tell(error.message.replace(/\.$/u, ''), error.hint);
  const { what, hint } = connectionProblem(error);
  return tell(what, hint || 'Try again in a moment.');
}

async function tryHost(need: HostNeed, folder: string, options: TrialOptions): Promise<TriedHost> {
  const { milliseconds = 5000, signal } = options;
  const late = AbortSignal.timeout(milliseconds);
  const limit = AbortSignal.any([signal, late]);
  let socket: Socket | null = null;
  const work = async (): Promise<TriedHost> => {
    const connection = need.isFromSandbox
      ? await connectByGate(need, folder, limit)
      : await connectDirectly(need, limit, options);
    socket = connection.socket;
    socket.on('error', () => undefined);
    if (limit.aborted) socket.destroy();
    if (need.isSecure) await shakeHands(socket, need.host, limit);
    return { isReached: true, how: connection.how, fix: '' };
  };
  // Looking a name up cannot be cut short, but waiting for it can.
  const stop = Promise.withResolvers<never>();
  limit.addEventListener('abort', () => stop.reject(limit.reason), { once: true });
  try {
    return await Promise.race([work(), stop.promise]);
  } catch (error) {
    return explain(error, late.aborted, milliseconds);
  } finally {
    (socket as Socket | null)?.destroy();
  }
}

/** What came of each, in their order. */
export async function tryHosts(needs: readonly HostNeed[], options: TrialOptions): Promise<TriedHost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-gate-'));
  const fromSandbox = needs.filter(({ isFromSandbox }) => isFromSandbox).map(nameOf);
  const gate = fromSandbox.length === 0 ? null : await openNetworkGate(folder, fromSandbox, options);
  try {
    return await Promise.all(needs.map((need) => tryHost(need, folder, options)));
  } finally {
    await gate?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
