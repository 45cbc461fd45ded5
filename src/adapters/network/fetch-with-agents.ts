/**
 * `fetch` on Node's HTTP client, which can be told how to connect. The platform's own cannot be: that takes the library
 * which is inside Node a second time, a fifth of the published program. A test holds the two beside each other.
 */
import { type Agent as HttpAgent, type IncomingMessage, request as sendPlainly } from 'node:http';
import { type Agent as HttpsAgent, request as sendSecurely } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Fetch } from './network-fetch.ts';

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}

/** Without a sign of life, as the platform's. */
const silenceMilliseconds = 300_000;
const mostRedirects = 20;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);
const forOneHost = ['authorization', 'proxy-authorization', 'cookie', 'host'];
/** A server expects a body with them, so nothing is said to be nothing. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const aboutBody = [
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
  'content-length',
];

const failed = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });

function headersOf({ url, method, headers, body }: Sending): Record<string, string> {
  const usual = {
    accept: '*/*',
    'accept-language': '*',
    'user-agent': 'node',
    'accept-encoding': url.protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate',
  };
  const size = body?.byteLength ?? 0;
  const length = size > 0 || withBody.has(method) ? size : null;
  return {
    ...usual,
    ...Object.fromEntries(headers),
    ...(length === null ? {} : { 'content-length': String(length) }),
  };
}

function send(agents: Agents, sending: Sending): Promise<IncomingMessage> {
  const { url, method, body, signal } = sending;
  const isSecure = url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isSecure ? sendSecurely : sendPlainly)(url, {
    method,
    headers: headersOf(sending),
    agent: isSecure ? agents.https : agents.http,
    timeout: silenceMilliseconds,
    signal,
  });
  // A request that has no connection yet says nothing when it is given up.
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  request.once('timeout', () =>
    request.destroy(new DOMException('No sign of life for five minutes', 'TimeoutError')),
  );
  request.on('error', (error) => reject(signal.aborted ? signal.reason : failed(error)));
  request.once('response', resolve);
  request.end(body ?? undefined);
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}

/** Where an answer sends to, and what is sent there; null when it is the answer. */
function followRedirect(sent: Sending, answer: IncomingMessage): Sending | null {
  const status = answer.statusCode ?? 0;
  const { location } = answer.headers;
  if (!redirects.has(status) || location === undefined) return null;
  const url = URL.parse(Buffer.from(location, 'latin1').toString(), sent.url.href);
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw failed(new Error('it redirects to no web address'));
  if (url.hash === '') url.hash = sent.url.hash;
  const headers = new Headers(sent.headers);
  if (url.origin !== sent.url.origin) for (const name of forOneHost) headers.delete(name);
  const isAsked = sent.method === 'GET' || sent.method === 'HEAD';
  const becomesGet = status === 303 ? !isAsked : status < 303 && sent.method === 'POST';
  if (!becomesGet) return { ...sent, url, headers };
  for (const name of aboutBody) headers.delete(name);
  return { ...sent, url, headers, method: 'GET', body: null };
}

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
};

function decode(answer: IncomingMessage): Readable {
  const names = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const makers = names.map((name) => decoders[name.trim()]);
  // One that is not known leaves the bytes as they came.
  const known = makers.filter((make) => make !== undefined).reverse();
  if (known.length < makers.length) return answer;
  return known.reduce<Readable>((from, make) => pipeline(from, make(), () => undefined), answer);
}

async function* bytesOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* decode(answer);
  } catch (error) {
    throw signal.aborted ? signal.reason : new TypeError('terminated', { cause: error });
  }
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

function toResponse(
  answer: IncomingMessage,
  { url, method, signal }: Sending,
  isElsewhere: boolean,
): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  // Only a proxy asks for its login, and it is asked for connections elsewhere.
  if (status < 200 || status > 599 || status === 407) {
    answer.destroy();
    throw failed(new Error(`the status ${status} is no answer`));
  }
  const hasBody = method !== 'HEAD' && !withoutBody.has(status);
  if (!hasBody) answer.resume();
  const body = hasBody ? ReadableStream.from(bytesOf(answer, signal)) : null;
  const response = new Response(body, { status, statusText, headers: readHeaders(answer) });
  const shown = new URL(url);
  shown.hash = '';
  // The platform sets them only for its own.
  return Object.defineProperties(response, {
    url: { value: shown.href },
    redirected: { value: isElsewhere },
  });
}

export function fetchWithAgents(agents: Agents): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, headers, redirect, signal } = request;
    signal.throwIfAborted();
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    let sending: Sending = { url: new URL(request.url), method, headers, body, signal };
    for (let redirected = 0; ; redirected += 1) {
      const answer = await send(agents, sending);
      const next = redirect === 'manual' ? null : followRedirect(sending, answer);
      if (next === null) return toResponse(answer, sending, redirected > 0);
      answer.destroy();
      if (redirect === 'error') throw failed(new Error('unexpected redirect'));
      if (redirected === mostRedirects) throw failed(new Error('redirect count exceeded'));
      sending = next;
    }
  };
}
