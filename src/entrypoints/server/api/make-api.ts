/**
 * The API as a function from a request to an answer: who may ask comes first, then the route. It knows no socket and no
 * thread, so that tests ask it as a server does.
 */
import { Hono } from 'hono/tiny';
import { isAtLeast } from '../../../domain/forge/permission.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import {
  type AskedRequest,
  isChanging,
  judgeRequest,
  openPath,
  type ServerPlace,
} from './access/judge-request.ts';
import type { LinkCodes } from './access/link-codes.ts';
import { RequestLimits } from './access/request-limits.ts';
import { isCsrfToken, type Session, type Sessions } from './access/sessions.ts';
import type { ApiTools } from './api-tools.ts';
import { RequestCounts } from './count-requests.ts';
import { describeApi } from './describe-api.ts';
import { LiveFeed } from './live/live-feed.ts';
import { answerAsset, answerPage } from './pages/answer-page.ts';
import { renderProblem } from './render/render-problem.ts';
import { gateRoutes } from './routes/gate-routes.ts';
import { ledgerRoutes } from './routes/ledger-routes.ts';
import { overviewRoutes } from './routes/overview-routes.ts';
import { type Route, writeJson } from './routes/route.ts';
import { runRoutes } from './routes/run-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { makeSafe } from './safe-headers.ts';
import { pageAddresses } from './schemas/page-addresses.ts';
import { openQuery } from './schemas/session.ts';

export const routes: readonly Route[] = [
  ...overviewRoutes,
  ...runRoutes,
  ...gateRoutes,
  ...ledgerRoutes,
  ...sessionRoutes,
];

export interface ApiOptions {
  readonly tools: ApiTools;
  readonly place: ServerPlace;
  readonly links: LinkCodes;
  readonly sessions: Sessions;
  /** Milliseconds of a clock that only goes on. */
  readonly tick?: () => number;
  readonly pollMilliseconds?: number;
  readonly heartbeatMilliseconds?: number;
}

export interface Api {
  fetch(request: Request): Promise<Response>;
  /** Everything that listens is told to go. */
  close(): void;
}

const mostBody = 64 * 1024;

function readAsked(request: Request): AskedRequest {
  const { pathname: path } = new URL(request.url);
  return { method: request.method, path, header: (name) => request.headers.get(name) };
}

/** Each name once; a second value would be one that the check has not seen. */
function readQuery(request: Request): Readonly<Record<string, string>> {
  const { searchParams } = new URL(request.url);
  const names = [...searchParams.keys()];
  if (new Set(names).size < names.length)
    throw new GatewrightError('request-invalid', 'The address names something twice.');
  return Object.fromEntries(searchParams);
}

async function readBody(request: Request): Promise<unknown> {
  const length = request.headers.get('content-length');
  if (length === null || !/^\d{1,9}$/u.test(length) || Number(length) > mostBody)
    throw new GatewrightError('request-too-large', 'The body is too large, or does not say how large it is.');
  try {
    return JSON.parse(await request.text());
  } catch {
    throw new GatewrightError('request-invalid', 'The body is not JSON.');
  }
}

export function makeApi({ tools, place, links, sessions, ...timing }: ApiOptions): Api {
  const { tick = () => performance.now() } = timing;
  const { clock, onTrouble, ledger, repositoryName, person, version } = tools;
  const now = (): Date => clock.now();
  const live = new LiveFeed({ ledger, repository: repositoryName, sessions, now, onTrouble, ...timing });
  const limits = new RequestLimits();
  const counts = new RequestCounts();
  const state = { sessions, live };

  /** The session, if there is one; every request but those about the server itself counts. */
  function countIn(request: Request): Session | null {
    const session = sessions.find(request.headers.get('cookie'), now());
    limits.take(session?.id ?? 'stranger', tick());
    return session;
  }

  /** The session, if it may see the repository: asked each time, since a permission can be taken away. */
  async function admit(request: Request): Promise<Session> {
    const session = countIn(request);
    if (session === null)
      throw new GatewrightError('session-missing', 'The request belongs to no open session.');
    if (isChanging(request) && !isCsrfToken(session, request.headers.get('x-gatewright-csrf')))
      throw new GatewrightError('request-foreign', 'The request does not carry the token of its session.');
    const permission = await person.forge.permissionOf(repositoryName, await person.forge.whoAmI());
    if (isAtLeast(permission, 'read')) return session;
    throw new GatewrightError('forge-forbidden', `${person.actor} may not see ${repositoryName}.`);
  }

  /** A browser that comes with a link that opens nothing: it may have a session already, or is told how to get one. */
  function answerSpentLink(request: Request): Promise<Response> | Response {
    const session = sessions.find(request.headers.get('cookie'), now());
    return session === null
      ? answerPage(tools.pages, false)
      : new Response(null, { status: 303, headers: { location: '/' } });
  }

  /** The code is in an address once; what it opens is in none. */
  function openSession(request: Request): Promise<Response> | Response {
    const query = openQuery.safeParse(readQuery(request));
    try {
      links.redeem(query.data?.code ?? '', now());
    } catch (error) {
      // Only who has no valid code is kept waiting: any page of another site can ask here, as often as it likes.
      limits.take('link', tick());
      const isBrowser = request.headers.get('accept')?.includes('text/html') === true;
      if (isBrowser && isGatewrightError(error, 'link-spent')) return answerSpentLink(request);
      throw error;
    }
    const { setCookie } = sessions.begin(now());
    return new Response(null, {
      status: 303,
      headers: { location: '/', 'set-cookie': setCookie },
    });
  }

  const app = new Hono();
  app.use(async ({ req: { raw } }, next) => {
    judgeRequest(readAsked(raw), place);
    await next();
  });
  app.get('/healthz', () => writeJson({ status: 'ok' }));
  app.get('/readyz', async () => {
    await ledger.readPosition();
    return writeJson({ status: 'ready' });
  });
  app.get('/metrics', async () => {
    const text = counts.write({ listeners: live.listeners, position: await ledger.readPosition(), version });
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  });
  app.get(openPath, ({ req }) => openSession(req.raw));
  for (const path of Object.values(pageAddresses))
    app.get(path, ({ req: { raw } }) => answerPage(tools.pages, countIn(raw) !== null));
  app.get('/assets/:name', ({ req }) => {
    countIn(req.raw);
    return answerAsset(tools.pages, req.param('name'));
  });
  app.get('/api/openapi.json', async ({ req }) => {
    await admit(req.raw);
    return writeJson(describeApi(routes, version));
  });
  for (const route of routes)
    app.on(route.method, route.path, async ({ req }) => {
      const session = await admit(req.raw);
      const body = route.body === null ? undefined : await readBody(req.raw);
      const raw = { params: req.param(), query: readQuery(req.raw), body };
      return route.respond({ tools, state, session, request: req.raw }, raw);
    });
  app.notFound(async ({ req: { raw } }) => {
    const isBrowser = raw.method === 'GET' && raw.headers.get('accept')?.includes('text/html') === true;
    // The pages say so themselves, with where else to go.
    if (isBrowser && countIn(raw) !== null) return answerPage(tools.pages, true, 404);
    throw new GatewrightError('route-unknown', 'There is nothing at this address.');
  });
  app.onError((error) => {
    const { response, isOurs } = renderProblem(error);
    if (isOurs) onTrouble(error);
    return response;
  });

  return {
    fetch: async (request) => {
      const response = makeSafe(await app.fetch(request), new URL(request.url).pathname);
      const { method } = request;
      counts.count(method === 'GET' || method === 'POST' ? method : 'other', response.status);
      return response;
    },
    close: () => live.close(),
  };
}
