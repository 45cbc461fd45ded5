/**
 * Whether a request may be looked at at all: it has to name this server, and nothing of another site may have caused it.
 * Asked before who sends it. What is listed here is allowed; everything else is refused.
 */
import { GatewrightError } from '../../../../errors.ts';
import { pageAddresses } from '../schemas/page-addresses.ts';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  /** By the name of a header, in small letters. */
  readonly header: (name: string) => string | null;
}

/** Where the server is reached by browsers of this machine. */
export interface ServerPlace {
  /** Names with the port, as a browser writes them into `host`. */
  readonly hosts: readonly string[];
}

const methods: readonly string[] = ['GET', 'POST'];

/** A click on another site may lead there: the code is the proof. */
export const openPath = '/open';

/** No signs beside these stand in our addresses: nothing encoded, nothing that leads elsewhere. */
const plainPath = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/(?!$)|$))*$/u;

const pages = Object.values(pageAddresses).map(
  (path) => new RegExp(`^${path.replace(':id', '[^/]+')}$`, 'u'),
);

/** @param host where it listens: there are more addresses of this machine alone than the usual ones */
export function placeOfLoopback(port: number, host: string): ServerPlace {
  const end = port === 80 ? '' : `:${port}`;
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host]);
  return { hosts: [...names].map((name) => `${name}${end}`) };
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

export function isChanging({ method }: Pick<AskedRequest, 'method'>): boolean {
  return method !== 'GET';
}

function refuseForeign(why: string): never {
  throw new GatewrightError('request-foreign', why);
}

/**
 * A click on another site may also lead to a page, in a tab of its own. A page holds no data and is never framed. The
 * browser sends no session along, so that the person has to go on from there; only from another port of this very host it
 * does, which is the same site to browsers, and what opens then is the page without data.
 */
function isClickOnPage({ path, header }: Pick<AskedRequest, 'path' | 'header'>): boolean {
  const isClick = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document';
  return isClick && pages.some((page) => page.test(path));
}

function judgeSite({ path, header, ...asked }: AskedRequest, host: string): void {
  const origin = header('origin');
  const site = header('sec-fetch-site');
  if (origin !== null && origin !== `http://${host}`) refuseForeign('The request comes from another origin.');
  if (isChanging(asked)) {
    if (origin === null) refuseForeign('The request does not name its origin.');
    if (site !== null && site !== 'same-origin') refuseForeign('The request comes from another site.');
    return;
  }
  // `none`: a person typed the address, or a program opened it.
  const isOwn = site === null || site === 'same-origin' || site === 'none';
  if (!isOwn && path !== openPath && !isClickOnPage({ path, header }))
    refuseForeign('The request comes from another site.');
}

/** Throws when it may not be looked at. */
export function judgeRequest(asked: AskedRequest, { hosts }: ServerPlace): void {
  const host = asked.header('host')?.toLowerCase() ?? '';
  if (!hosts.includes(host))
    throw new GatewrightError('host-unknown', 'The request names a host that is not this server.');
  if (!methods.includes(asked.method) || !plainPath.test(asked.path))
    throw new GatewrightError('route-unknown', 'There is nothing at this address.');
  judgeSite(asked, host);
  const type = asked.header('content-type');
  // A page of another site can send a form; it cannot send JSON without asking first, which is never allowed.
  if (isChanging(asked) && type !== 'application/json')
    throw new GatewrightError('request-invalid', 'The body has to be application/json.');
}
