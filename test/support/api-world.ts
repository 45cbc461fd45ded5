/** The API of a repository on the local forge, asked in this process as a browser asks it. */
import { LocalClosedIssues } from '../../src/adapters/local-forge/local-closed-issues.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { composeHouse } from '../../src/compose/compose-house.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { placeOfLoopback } from '../../src/entrypoints/server/api/access/judge-request.ts';
import { LinkCodes, makeLinkCode } from '../../src/entrypoints/server/api/access/link-codes.ts';
import { Sessions } from '../../src/entrypoints/server/api/access/sessions.ts';
import type { ApiTools } from '../../src/entrypoints/server/api/api-tools.ts';
import { type Api, makeApi } from '../../src/entrypoints/server/api/make-api.ts';
import { PageFiles } from '../../src/entrypoints/server/api/pages/page-files.ts';
import { sessionSchema } from '../../src/entrypoints/server/api/schemas/session.ts';
import type { House } from '../../src/runs/house.ts';
import { packageRoot } from './fleet-room.ts';
import { builtPages, Playground } from './playground.ts';

const port = 8787;
const apiOrigin = `http://127.0.0.1:${port}`;

type Headers = Readonly<Record<string, string>>;

export interface Asked {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly body: unknown;
}

export class ApiWorld {
  readonly playground: Playground;
  readonly house: House;
  readonly api: Api;
  /** The runs whose gates were answered. */
  readonly answered: string[] = [];
  readonly troubles: unknown[] = [];
  /** How much time passes between two requests; with none, there are soon too many. */
  secondsBetween = 60;
  #milliseconds = 0;
  #cookie = '';
  #csrf = '';

  private constructor(playground: Playground, person: House, fleet: House) {
    this.playground = playground;
    this.house = person;
    const tools: ApiTools = {
      ...{ person, fleet, version: '1.2.3' },
      pages: new PageFiles(builtPages),
      ...{ ledger: fleet.ledger, views: fleet.views, leases: fleet.leases, clock: fleet.clock },
      closed: new LocalClosedIssues(openDatabase(playground.database)),
      repositoryName: fleet.repositoryName,
      agentModels: fleet.agentModels,
      onAnswered: (run) => this.answered.push(run),
      onTrouble: (error) => this.troubles.push(error),
    };
    this.api = makeApi({
      ...{ tools, place: placeOfLoopback(port, '127.0.0.1'), sessions: new Sessions(port) },
      links: new LinkCodes(fleet.signingKey, port, new Date(Date.now() - 1000)),
      tick: () => {
        this.#milliseconds += this.secondsBetween * 1000;
        return this.#milliseconds;
      },
      ...{ pollMilliseconds: 10, heartbeatMilliseconds: 50 },
    });
  }

  static async open(playground = new Playground()): Promise<ApiWorld> {
    const config = readConfig(playground.environment);
    const place = { repository: playground.repository, forge: 'local', name: null } as const;
    const person = await composeHouse(config, packageRoot, place);
    const fleet = await composeHouse(config, packageRoot, { ...place, asAgent: true });
    return new ApiWorld(playground, person, fleet);
  }

  get repository(): string {
    return this.house.repositoryName;
  }

  get csrf(): string {
    return this.#csrf;
  }

  get cookie(): string {
    return this.#cookie;
  }

  makeCode(): string {
    return makeLinkCode(this.house.signingKey, port, new Date());
  }

  /** As it is, with nothing that a browser would add. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.api.fetch(new Request(`${apiOrigin}${path}`, init));
  }

  async #read(response: Response): Promise<Asked> {
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === '' ? null : JSON.parse(text) };
  }

  /** Opens a link as a person does. */
  async signIn(): Promise<void> {
    const opened = await this.fetch(`/open?code=${this.makeCode()}`, { headers: { host: '127.0.0.1:8787' } });
    this.#cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    this.#csrf = sessionSchema.parse((await this.get('/api/session')).body).csrf;
  }

  async get(path: string, headers: Headers = {}): Promise<Asked> {
    const own = { host: '127.0.0.1:8787', cookie: this.#cookie, 'sec-fetch-site': 'same-origin' };
    return this.#read(await this.fetch(path, { headers: { ...own, ...headers } }));
  }

  async post(path: string, body: unknown, headers: Headers = {}): Promise<Asked> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const own = {
      host: '127.0.0.1:8787',
      cookie: this.#cookie,
      origin: apiOrigin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'x-gatewright-csrf': this.#csrf,
    };
    const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== '');
    return this.#read(
      await this.fetch(path, { method: 'POST', body: text, headers: Object.fromEntries(all) }),
    );
  }

  /** What a listening page gets, as text, until it holds `until`. */
  async listen(until: string, headers: Headers = {}): Promise<string> {
    const own = { host: '127.0.0.1:8787', cookie: this.#cookie };
    const response = await this.fetch('/api/events', { headers: { ...own, ...headers } });
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true });
      if (text.includes(until)) return text;
    }
    return text;
  }

  close(): void {
    this.api.close();
    this.playground.remove();
  }
}
