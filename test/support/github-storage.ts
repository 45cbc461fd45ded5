/** The server that keeps logs for the small GitHub. It is another one than GitHub's, as in life; nobody signs in there. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredJob } from './github-actions-settings.ts';
import { stepSeconds } from './github-code-shapes.ts';
import type { GithubState } from './github-state.ts';

/** Each line with its moment, and a byte order mark before all. */
function writeJobLog(job: StoredJob): string {
  const lines = job.steps.flatMap((step, index) => {
    const at = new Date(job.startedAt + (index * stepSeconds + 1) * 1000).toISOString().replace('Z', '4567Z');
    return step.log
      .replace(/\n$/u, '')
      .split('\n')
      .filter((line, _, all) => all.length > 1 || line !== '')
      .map((line) => `${at} ${line}\n`);
  });
  return `\uFEFF${lines.join('')}`;
}

export class GithubStorage {
  /** The headers of every request. */
  readonly requests: IncomingHttpHeaders[] = [];
  /** Answers instead, when it is set. */
  override: ((response: ServerResponse) => void) | null = null;
  readonly #server: Server;
  readonly #state: GithubState;

  constructor(state: GithubState) {
    this.#state = state;
    this.#server = createServer((request, response) => {
      this.requests.push(request.headers);
      if (this.override !== null) {
        this.override(response);
        return;
      }
      const id = /^\/logs\/(\d+)\?sig=opens-it$/u.exec(request.url ?? '')?.[1];
      const jobs = [...this.#state.repositories.values()].flatMap(({ runs }) =>
        runs.flatMap((run) => run.jobs),
      );
      const job = jobs.find((one) => String(one.id) === id);
      response.writeHead(job === undefined ? 404 : 200, { 'content-type': 'text/plain' });
      response.end(job === undefined ? '' : writeJobLog(job));
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
