/** A connection to a host through a proxy that speaks HTTP, asked for with CONNECT. */
import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { GatewrightError } from '../../errors.ts';
import { connectionProblem } from './explain-connection.ts';
import { describeProxy, type ProxyServer, portOf } from './proxy-rules.ts';

/** As it is meant: a "%" that begins no code stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const login = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${login}` };
}

/** The proxy answered something else than that there is a connection now. */
function explainAnswer(proxy: ProxyServer, target: string, status: number): GatewrightError {
  const who = describeProxy(proxy).replace(/^t/u, 'T');
  if (status === 407) {
    const has = proxy.url.username === '' ? 'wants a login' : 'does not take the login that it was given';
    return new GatewrightError('proxy-refused', `${who} ${has} (407, for ${target}).`);
  }
  // What a proxy says when it could not reach the host itself.
  return [502, 503, 504].includes(status)
    ? new GatewrightError('proxy-unreachable', `${who} could not reach ${target} (${status}).`)
    : new GatewrightError('proxy-refused', `${who} refuses to connect to ${target} (${status}).`);
}

interface ThroughOptions {
  readonly milliseconds: number;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/** Rejects with an error that names the proxy, and never its login. */
export function connectThrough(
  proxy: ProxyServer,
  host: string,
  port: number,
  { milliseconds, signal }: ThroughOptions,
): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { url } = proxy;
  const limit = AbortSignal.timeout(milliseconds);
  const server = url.hostname.replace(/^\[|\]$/gu, '');
  const request = (url.protocol === 'https:' ? requestSecurely : requestPlainly)({
    method: 'CONNECT',
    host: server,
    // Else Node would take the name of the target, from the header, for that of the proxy.
    servername: isIP(server) === 0 ? server : '',
    port: portOf(url),
    path: target,
    headers: { host: target, ...loginOf(url) },
    agent: false,
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  });
  return new Promise((resolve, reject) => {
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(explainAnswer(proxy, target, statusCode));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    // An answer to another method than CONNECT: no proxy at all.
    request.once('response', (response) => {
      response.destroy();
      reject(explainAnswer(proxy, target, response.statusCode ?? 0));
    });
    request.once('error', (error) => {
      const { what, isCertificate } = limit.aborted
        ? { what: 'it did not answer in time', isCertificate: false }
        : connectionProblem(error);
      reject(
        new GatewrightError(
          isCertificate ? 'certificate-rejected' : 'proxy-unreachable',
          `There is no connection to ${describeProxy(proxy)}, which ${target} is reached through: ${what}.`,
        ),
      );
    });
    request.end();
  });
}
