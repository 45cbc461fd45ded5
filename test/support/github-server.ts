/**
 * A small GitHub on loopback: REST, stateful, with real payload shapes, pages, one identity for each token, and a list of
 * faults to come. What it cannot do, docs/github.md names.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAtLeast, type Permission } from '../../src/domain/permission.ts';
import { GithubState, type StoredRepository } from './github-state.ts';

/** What happens to the next request that it fits. */
export interface Fault {
  readonly method?: string;
  readonly path?: RegExp;
  /** Answered instead of doing anything. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** The connection breaks: before anything was done, or after it was done and before anybody was told. */
  readonly reset?: 'before' | 'after';
  /** Called when it happens. */
  readonly onHit?: () => void;
}

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly at: number;
}

class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;

  constructor(status: number, message: string, errors?: readonly unknown[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

const notFound = () => new Refusal(404, 'Not Found');
const invalid = (resource: string, field: string, code: string) =>
  new Refusal(422, 'Validation Failed', [{ resource, field, code }]);

interface Call {
  readonly login: string;
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly isList?: boolean;
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', reject);
  });
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export class GithubServer {
  readonly state = new GithubState();
  readonly faults: Fault[] = [];
  readonly requests: SeenRequest[] = [];
  /** GitHub's is 100; a small one makes every list turn pages. */
  mostPerPage = 100;
  readonly #server: Server;
  readonly #logins = new Map<string, string>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<GithubServer> {
    const server = new GithubServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addUser(login: string, token: string): void {
    this.#logins.set(token, login);
  }

  /** Requests of one kind, such as `POST /repos/o/r/issues`. */
  seen(method: string, path: string): SeenRequest[] {
    return this.requests.filter((one) => one.method === method && one.path === path);
  }

  #takeFault(method: string, path: string): Fault | null {
    const index = this.faults.findIndex(
      (fault) => (fault.method ?? method) === method && (fault.path?.test(path) ?? true),
    );
    return index === -1 ? null : (this.faults.splice(index, 1)[0] ?? null);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    const at = Date.now();
    this.requests.push({ method, path: url.pathname, at });
    const text = await readBody(request);
    const fault = this.#takeFault(method, url.pathname);
    if (fault?.answer !== undefined) {
      fault.onHit?.();
      this.#send(
        response,
        fault.answer.status,
        fault.answer.body ?? { message: 'Fault' },
        fault.answer.headers,
      );
      return;
    }
    if (fault?.reset === 'before') {
      fault.onHit?.();
      request.socket.destroy();
      return;
    }
    const answer = this.#answer(request, method, url, text);
    if (fault?.reset === 'after') {
      fault.onHit?.();
      request.socket.destroy();
      return;
    }
    if (answer.isList === true) this.#sendPage(response, url, answer.data as unknown[]);
    else this.#send(response, answer.status, answer.data);
  }

  #answer(request: IncomingMessage, method: string, url: URL, text: string): Answer {
    try {
      const token = /^(?:token|bearer) (.+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const login = this.#logins.get(token);
      if (login === undefined) throw new Refusal(401, 'Bad credentials');
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      return this.#route({ login, method, url, body });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message, errors } = error;
      return {
        status,
        data: { message, ...(errors === undefined ? {} : { errors }), status: String(status) },
      };
    }
  }

  #send(response: ServerResponse, status: number, data: unknown, headers = {}): void {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600),
      ...headers,
    });
    response.end(status === 204 ? undefined : JSON.stringify(data));
  }

  #sendPage(response: ServerResponse, url: URL, entries: readonly unknown[]): void {
    const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), this.mostPerPage);
    const page = Number(url.searchParams.get('page') ?? 1);
    const last = Math.max(1, Math.ceil(entries.length / size));
    const link = (to: number, rel: string): string => {
      const target = new URL(url);
      target.searchParams.set('page', String(to));
      return `<${target.href}>; rel="${rel}"`;
    };
    const headers = page < last ? { link: `${link(page + 1, 'next')}, ${link(last, 'last')}` } : {};
    this.#send(response, 200, entries.slice((page - 1) * size, page * size), headers);
  }

  #route(call: Call): Answer {
    const parts = call.url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (parts[0] === 'user' && parts.length === 1)
      return { status: 200, data: { login: call.login, id: 1, type: 'User' } };
    const repository = this.state.repositories.get(`${parts[1]}/${parts[2]}`);
    if (parts[0] !== 'repos' || repository === undefined) throw notFound();
    const role = repository.roles.get(call.login) ?? 'none';
    const rest = parts.slice(3);
    if (rest.length === 0 && call.method === 'GET')
      return { status: 200, data: this.state.showRepository(repository, role) };
    if (rest[0] === 'collaborators') return this.#collaborator(repository, role, rest[1] ?? '');
    if (rest[0] === 'labels') return this.#labels(call, repository, role);
    if (rest[0] === 'issues' && rest.length === 1) return this.#issues(call, repository, role);
    if (rest[0] === 'issues') return this.#issue(call, repository, role, rest.slice(1));
    throw notFound();
  }

  #collaborator(repository: StoredRepository, role: Permission, login: string): Answer {
    if (!isAtLeast(role, 'write'))
      throw new Refusal(403, 'Must have push access to view collaborator permission.');
    if (![...this.#logins.values()].includes(login)) throw notFound();
    const named = repository.roles.get(login) ?? 'none';
    const permission = { triage: 'read', maintain: 'write' }[named as string] ?? named;
    return { status: 200, data: { permission, role_name: named, user: { login } } };
  }

  #labels(call: Call, repository: StoredRepository, role: Permission): Answer {
    if (call.method === 'GET') return { status: 200, data: [...repository.labels.values()], isList: true };
    if (!isAtLeast(role, 'write')) throw notFound();
    const name = String(call.body.name ?? '');
    if (name === '') throw invalid('Label', 'name', 'missing_field');
    if (repository.labels.has(name.toLowerCase())) throw invalid('Label', 'name', 'already_exists');
    const label = this.state.addLabel(repository, name, call.body.color, call.body.description);
    return { status: 201, data: label };
  }

  #issues(call: Call, repository: StoredRepository, role: Permission): Answer {
    if (call.method === 'GET')
      return { status: 200, data: this.state.listIssues(repository, call.url.searchParams), isList: true };
    const title = String(call.body.title ?? '');
    if (title.trim() === '') throw invalid('Issue', 'title', 'missing_field');
    // Whoever may not label is not told so: the labels are dropped.
    const labels = isAtLeast(role, 'triage') ? texts(call.body.labels) : [];
    const issue = this.state.addIssue(repository, call.login, title, String(call.body.body ?? ''), labels);
    return { status: 201, data: this.state.showIssue(repository, issue) };
  }

  #issue(call: Call, repository: StoredRepository, role: Permission, rest: readonly string[]): Answer {
    const issue = repository.issues.find((one) => String(one.number) === rest[0]);
    if (issue === undefined) throw notFound();
    const isOwn = issue.author === call.login;
    const show = () => this.state.showIssue(repository, issue);
    if (rest[1] === 'comments') {
      if (call.method === 'GET')
        return { status: 200, data: issue.comments.map((one) => this.state.showComment(one)), isList: true };
      const comment = this.state.addComment(issue, call.login, String(call.body.body ?? ''));
      return { status: 201, data: this.state.showComment(comment) };
    }
    if (rest[1] === 'labels') {
      if (!isAtLeast(role, 'triage')) throw new Refusal(403, 'Must have triage access to Repository.');
      if (call.method === 'POST') this.state.putLabels(repository, issue, texts(call.body.labels));
      else if (!this.state.dropLabel(issue, rest[2] ?? '')) throw new Refusal(404, 'Label does not exist');
      return { status: 200, data: (show() as { labels: unknown }).labels };
    }
    if (call.method === 'PATCH') {
      const isRewrite = call.body.title !== undefined || call.body.body !== undefined;
      if (!isOwn && !isAtLeast(role, isRewrite ? 'write' : 'triage'))
        throw new Refusal(403, 'Must have admin rights to Repository.');
      this.state.change(issue, call.body);
    }
    return { status: 200, data: show() };
  }
}
