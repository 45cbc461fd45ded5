/** The proxy that this machine itself has to go through, if it has one: what leaves a sandbox goes through it too. */
import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { Socket } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a host is on the list of those that are reached directly: `*`, `host`, `.suffix`, each perhaps with a port. */
function isDirect(list: string, host: string, port: number): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [name = '', only] = /^(.*?)(?::(\d+))?$/u.exec(entry)?.slice(1) ?? [];
      if (only !== undefined && Number(only) !== port) return false;
      const suffix = name.replace(/^\*?\.?/u, '');
      return name === '*' || host === suffix || (suffix !== '' && host.endsWith(`.${suffix}`));
    });
}

/** Null when the host is reached directly. */
export function findUpstreamProxy(environment: Environment, host: string, port: number): URL | null {
  const address = environment.https_proxy || environment.HTTPS_PROXY || environment.all_proxy || '';
  if (!/^https?:\/\//u.test(address) || !URL.canParse(address)) return null;
  return isDirect(environment.no_proxy || environment.NO_PROXY || '', host, port) ? null : new URL(address);
}

/** A connection to a host through a proxy; rejects when the proxy does not make one. */
export function connectThrough(
  proxy: URL,
  host: string,
  port: number,
  milliseconds: number,
): Promise<Socket> {
  const secret = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const request = (proxy.protocol === 'https:' ? requestSecurely : requestPlainly)({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/gu, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: {
      host: target,
      ...(proxy.username === ''
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(secret).toString('base64')}` }),
    },
    agent: false,
    timeout: milliseconds,
  });
  return new Promise((resolve, reject) => {
    request.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200) {
        socket.destroy();
        reject(new Error(`the proxy answered ${statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    request.once('response', (response) => {
      response.destroy();
      reject(new Error('the proxy does not connect'));
    });
    request.once('timeout', () => request.destroy(new Error('the proxy does not answer')));
    request.once('error', reject);
    request.end();
  });
}
