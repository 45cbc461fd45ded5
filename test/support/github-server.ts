/**
 * A small GitHub on loopback: REST and a little GraphQL, stateful, over real git, with real payload shapes, pages, ETags,
 * one identity for each token, Apps, and a list of faults to come. What it cannot do, docs/github.md names.
 */

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isAtLeast } from '../../src/domain/forge/permission.ts';
import { type ActionsService, makeActionsRoute } from './github-actions-routes.ts';
import {
  type Answer,
  type Call,
  notFound,
  ok,
  pathOf,
  Refusal,
  type Route,
  readBody,
  readToken,
  textOf,
  withWholeAddress,
} from './github-answer.ts';
import { GithubApps, roleOfApp } from './github-apps.ts';
import { makeCodeRoute } from './github-code-routes.ts';
import { completeFault, type Fault, pauseFor } from './github-fault.ts';
import { answerGit, type GitRequest, readBasicToken, readGitPath, refuseGit } from './github-git-http.ts';
import { type Limits, refuseUngranted, refuseUngrantedQuery, roleWithin } from './github-grants.ts';
import { answerGraphql } from './github-graphql.ts';
import { routeIssueParts } from './github-issue-routes.ts';
import { JobTokens, jobLogin } from './github-job-tokens.ts';
import { cutPage } from './github-pages.ts';
import { makeCollaboratorRoute } from './github-people-routes.ts';
import { followBranches, routePulls } from './github-pull-routes.ts';
import { showMyself, showRepository } from './github-repository-shape.ts';
import { routeRules } from './github-rules.ts';
import { checkGraphql } from './github-schemas/check-graphql.ts';
import { checkRest } from './github-schemas/check-rest.ts';
import { addViolation } from './github-schemas/violations.ts';
import { GithubState, type StoredRepository } from './github-state.ts';
import { GithubStorage } from './github-storage.ts';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly at: number;
  /** 0 until it is answered, and when it never was. */
  status: number;
}

interface Identity {
  readonly login: string;
  readonly isApp: boolean;
  roleIn(repository: StoredRepository): Call['role'];
}

/** To an App it does not tell what it may do. */
function showTo({ isApp, roleIn }: Identity, repository: StoredRepository): object {
  const { permissions, ...others } = showRepository(repository, roleIn(repository));
  return isApp ? others : { ...others, permissions };
}

export class GithubServer {
  readonly state = new GithubState();
  readonly apps = new GithubApps();
  readonly storage = new GithubStorage(this.state);
  readonly faults: Fault[] = [];
  /** Permissions of fine-grained tokens; all others may do what their owners may. */
  readonly grants = new Map<string, readonly string[]>();
  /** What runs workflows, where a test has one. */
  actions: ActionsService | null = null;
  readonly requests: SeenRequest[] = [];
  /** GitHub's is 100; a small one makes every list turn pages. */
  mostPerPage = 100;
  /** What classic tokens were granted, as a header says with every answer. */
  scopes: string | null = null;
  readonly #server: Server;
  readonly #logins = new Map<string, string>();
  readonly jobs = new JobTokens();
  readonly #passed = new WeakMap<Fault, number>();
  readonly #hits = new WeakMap<Fault, number>();
  readonly #routes: readonly Route[] = [
    makeCollaboratorRoute(() => [...this.#logins.values()]),
    makeActionsRoute(() => this.actions),
    routeIssueParts,
    routeRules,
    routePulls,
    makeCodeRoute(() => this.storage.url),
  ];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: Error) => {
        // Otherwise the program waits for an answer until the test has no time left.
        addViolation(`The test GitHub broke: ${error.stack}`);
        request.socket.destroy();
      });
    });
  }

  static async start(): Promise<GithubServer> {
    const server = new GithubServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    await server.storage.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.storage.close();
    this.state.close();
  }

  /** Takes a request that came in elsewhere, such as on a server with TLS; links in answers then lead there. */
  take(request: IncomingMessage, response: ServerResponse): void {
    this.#server.emit('request', request, response);
  }

  addUser(login: string, token: string): void {
    this.#logins.set(token, login);
  }

  #isPull([, owner, name]: readonly string[], number: number): boolean {
    const { issues = [] } = this.state.repositories.get(`${owner}/${name}`) ?? {};
    return issues[number - 1]?.pull != null;
  }

  #limitsOf(token: string): Limits | undefined {
    const granted = this.grants.get(token);
    return granted === undefined
      ? this.jobs.find(token)?.limits
      : { holder: 'personal access token', granted };
  }

  /** Requests of one kind, such as `POST /repos/o/r/issues`. */
  seen(method: string, path: string): SeenRequest[] {
    return this.requests.filter((one) => one.method === method && one.path === path);
  }

  /** How many requests the rate limit would count: all but those that are answered with "not modified". */
  get counted(): number {
    return this.requests.filter((one) => one.status !== 304).length;
  }

  #takeFault(method: string, path: string): Fault | null {
    const index = this.faults.findIndex((fault) => {
      if ((fault.method ?? method) !== method || fault.path?.test(path) === false) return false;
      const passed = this.#passed.get(fault) ?? 0;
      this.#passed.set(fault, passed + 1);
      return passed >= (fault.after ?? 0);
    });
    const fault = this.faults[index] ?? null;
    if (fault === null) return null;
    const hits = (this.#hits.get(fault) ?? 0) + 1;
    this.#hits.set(fault, hits);
    if (hits >= (fault.times ?? 1)) this.faults.splice(index, 1);
    return fault;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { encrypted = false } = request.socket as Partial<TLSSocket>;
    const url = new URL(request.url ?? '/', encrypted ? `https://${request.headers.host}` : this.url);
    const method = request.method ?? 'GET';
    const seen: SeenRequest = { method, path: url.pathname, at: Date.now(), status: 0 };
    this.requests.push(seen);
    const body = await readBody(request);
    const fault = this.#takeFault(method, url.pathname);
    await pauseFor(fault);
    if (fault?.answer !== undefined) {
      fault.onHit?.();
      const { status, headers = {}, deviates } = fault.answer;
      const data = completeFault(status, fault.answer.body);
      seen.status = status;
      const isApi = readGitPath(url.pathname) === null;
      if (isApi && deviates === undefined)
        this.#holdToSchemas(method, url, body.toString('utf8'), { status, data });
      this.#send(response, { status, data, headers });
      return;
    }
    if (fault?.reset === 'before') {
      fault.onHit?.();
      request.socket.destroy();
      return;
    }
    if (readGitPath(url.pathname) !== null) {
      await this.#serveGit({ method, url, headers: request.headers, body }, seen, request, response, fault);
      return;
    }
    const answer = withWholeAddress(this.#answer(request, method, url, body.toString('utf8')), url);
    if (fault?.reset === 'after') {
      fault.onHit?.();
      request.socket.destroy();
      return;
    }
    const whole = answer.list === undefined ? answer : cutPage(url, answer, this.mostPerPage, this.state);
    this.#holdToSchemas(method, url, body.toString('utf8'), whole);
    const known = method === 'GET' && whole.status === 200 ? this.#tag(request, whole) : whole;
    seen.status = known.status;
    this.#send(response, known);
  }

  /** What was asked and what is answered has to fit what GitHub publishes about itself. */
  #holdToSchemas(method: string, url: URL, body: string, { status, data }: Answer): void {
    const path = pathOf(url);
    const asked = body === '' ? undefined : JSON.parse(body);
    // As it goes over the wire: what is undefined is not sent.
    const answer = data === undefined ? undefined : JSON.parse(JSON.stringify(data));
    if (path === '/graphql') checkGraphql({ body: asked, status, answer });
    else checkRest({ method, path, query: url.searchParams, body: asked, status, answer });
  }

  async #serveGit(
    request: GitRequest,
    seen: SeenRequest,
    { socket }: IncomingMessage,
    response: ServerResponse,
    fault: Fault | null,
  ): Promise<void> {
    try {
      const name = readGitPath(request.url.pathname) ?? '';
      const token = readBasicToken(request.headers.authorization);
      const identity = this.#identify(token);
      const limits = this.#limitsOf(token);
      const renamed = this.state.renamed.get(name);
      const repository = this.state.repositories.get(name);
      if (renamed !== undefined) {
        const { href } = request.url;
        seen.status = 301;
        response.writeHead(301, { location: href.replace(`/${name}.git/`, `/${renamed}.git/`) }).end();
        return;
      }
      const role = repository === undefined ? 'none' : roleWithin(limits, identity.roleIn(repository));
      if (repository === undefined || (identity.isApp && !isAtLeast(role, 'read'))) throw notFound();
      const answer = await answerGit(repository, identity.login, role, request, limits !== undefined);
      this.#settle(repository);
      if (fault?.reset === 'after') {
        fault.onHit?.();
        socket.destroy();
        return;
      }
      seen.status = answer.status;
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      seen.status = error.status;
      refuseGit(response, error);
    }
  }

  #answer(request: IncomingMessage, method: string, url: URL, text: string): Answer {
    try {
      // Of installations GitHub takes this form only; of people also the older one.
      const token = readToken(request.headers.authorization ?? '');
      const path = pathOf(url).split('/').slice(1).map(decodeURIComponent);
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const limits = this.#limitsOf(token);
      const given =
        this.apps.answer(method, path, token) ??
        (path[0] === 'graphql'
          ? refuseUngrantedQuery(limits, textOf(body.query))
          : refuseUngranted(limits, { method, path, isPull: (number) => this.#isPull(path, number) }));
      return given ?? this.#route(this.#identify(token), { method, path, query: url.searchParams, body });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message, errors, location } = error;
      return {
        status,
        ...(location === null ? {} : { headers: { location } }),
        data: {
          message,
          ...(errors === undefined ? {} : { errors }),
          ...{ documentation_url: 'https://docs.github.com/rest', status: String(status) },
        },
      };
    }
  }

  #identify(token: string): Identity {
    const app = this.apps.findByToken(token);
    if (app !== null)
      return { login: `${app.slug}[bot]`, isApp: true, roleIn: ({ name }) => roleOfApp(app, name) };
    const login = this.#logins.get(token);
    const job = this.jobs.find(token);
    if (job !== undefined)
      return {
        login: jobLogin,
        isApp: true,
        roleIn: ({ name }) => (name === job.repository ? 'write' : 'none'),
      };
    if (login === undefined) throw new Refusal(401, 'Bad credentials');
    return { login, isApp: false, roleIn: ({ roles }) => roles.get(login) ?? 'none' };
  }

  #route(identity: Identity, request: Pick<Call, 'method' | 'path' | 'query' | 'body'>): Answer {
    const { state } = this;
    const { login } = identity;
    const { method, path, body } = request;
    if (path[0] === 'user' && path.length === 1) {
      if (identity.isApp) throw new Refusal(403, 'Resource not accessible by integration');
      return {
        ...ok(showMyself(login)),
        headers: this.scopes === null ? {} : { 'x-oauth-scopes': this.scopes },
      };
    }
    if (path[0] === 'graphql' && method === 'POST') {
      const answer = answerGraphql({ state, login, body, roleIn: identity.roleIn });
      for (const repository of state.repositories.values()) this.#settle(repository);
      return answer;
    }
    const isById = path[0] === 'repositories';
    const name = `${path[1]}/${path[2]}`;
    const repository = isById
      ? [...state.repositories.values()].find(({ id }) => String(id) === path[1])
      : state.repositories.get(state.renamed.get(name) ?? name);
    if ((path[0] !== 'repos' && !isById) || repository === undefined) throw notFound();
    const rest = path.slice(isById ? 2 : 3);
    if (!isById && state.renamed.has(name)) return this.#redirect(repository, method, rest, request.query);
    const role = identity.roleIn(repository);
    // An App sees nothing of what it was not installed on; ours are all on private matters.
    if (identity.isApp && !isAtLeast(role, 'read')) throw notFound();
    this.#settle(repository);
    const call: Call = { ...request, path: rest, login, state, repository, role };
    if (call.path.length === 0 && method === 'GET') return ok(showTo(identity, repository));
    for (const route of this.#routes) {
      const answer = route(call);
      if (answer !== null) return answer;
    }
    throw notFound();
  }

  /** GitHub knows repositories by former names too, and sends everybody to the number. */
  #redirect(
    repository: StoredRepository,
    method: string,
    rest: readonly string[],
    query: URLSearchParams,
  ): Answer {
    const path = ['repositories', String(repository.id), ...rest.map(encodeURIComponent)].join('/');
    const location = `/${path}${query.size === 0 ? '' : `?${query}`}`;
    return {
      status: method === 'GET' ? 301 : 307,
      data: { message: 'Moved Permanently', url: location },
      headers: { location },
    };
  }

  /** What happened to the branches since the last request. */
  #settle(repository: StoredRepository): void {
    for (const one of repository.later) one.requests -= 1;
    for (const one of repository.later.filter(({ requests }) => requests <= 0)) {
      repository.later.splice(repository.later.indexOf(one), 1);
      one.work();
    }
    followBranches(this.state, repository);
  }

  /** Says "not modified" to whoever has this answer already. */
  #tag(request: IncomingMessage, answer: Answer): Answer {
    const content = JSON.stringify([answer.data, request.headers.authorization]);
    const etag = `W/"${createHash('sha256').update(content).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
    return { ...answer, headers: { ...answer.headers, etag } };
  }

  #send(response: ServerResponse, { status, data, headers }: Answer): void {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
      ...headers,
    });
    response.end(data === undefined ? undefined : JSON.stringify(data));
  }
}
