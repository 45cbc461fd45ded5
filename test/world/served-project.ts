/** `gatewright serve` as a GitHub App for the project of a chain, and the people who label and comment there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { openForge } from '../contracts/github-world.ts';
import type { StoredIssue } from '../support/github-state.ts';
import { openRecords } from '../support/open-records.ts';
import { type Chain, personToken, webhookSecret } from './chain.ts';
import { repositoryName } from './story.ts';
import type { Started } from './user-machine.ts';

const appLogin = 'gate-bot';
/** Who writes what the program writes. */
export const appAuthor = `${appLogin}[bot]`;

/** The GitHub App that the program acts as; returns what `serve` has to be told. */
function addApp({ internet, machine }: Chain): Readonly<Record<string, string>> {
  const app = internet.github.apps.add(appLogin, [repositoryName], {
    ...{ contents: 'write', issues: 'write', pull_requests: 'write', actions: 'read', checks: 'read' },
    ...{ statuses: 'read', metadata: 'read' },
  });
  const keyFile = join(machine.home, 'app.pem');
  writeFileSync(keyFile, app.privateKey, { mode: 0o600 });
  return {
    GATEWRIGHT_WEBHOOK_SECRET: webhookSecret,
    GATEWRIGHT_GITHUB_APP_ID: String(app.id),
    GATEWRIGHT_GITHUB_APP_KEY_FILE: keyFile,
  };
}

interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** When a server is killed: after so many of its requests, and so long after the last of them. */
export interface Moment {
  readonly requests: number;
  readonly milliseconds: number;
}

export class ServedProject {
  readonly chain: Chain;
  readonly alice: GithubForge;
  /** The requests after which it died. */
  readonly deaths: string[] = [];
  readonly #variables: Readonly<Record<string, string>>;
  #moments: readonly Moment[] = [];
  #server: Started | null = null;
  #said = '';

  private constructor(chain: Chain, variables: Readonly<Record<string, string>>) {
    this.chain = chain;
    this.#variables = variables;
    this.alice = this.as(personToken);
  }

  /** @param settings what the person who runs the program has set for themselves */
  static async open(
    chain: Chain,
    files: Readonly<Record<string, string | null>>,
    settings: object = {},
  ): Promise<ServedProject> {
    const variables = addApp(chain);
    chain.stored.git.commit('main', files);
    await chain.setUp();
    chain.machine.configure(settings);
    return new ServedProject(chain, variables);
  }

  as(token: string): GithubForge {
    return openForge(this.chain.internet.github.url, { kind: 'token', token });
  }

  async fileIssue(issue: NewIssue): Promise<number> {
    const { number } = await this.alice.createIssue(repositoryName, { ...issue, labels: [...issue.labels] });
    return number;
  }

  /** @param moments when its lives but the last one end: it is killed and started again */
  async start(moments: readonly Moment[] = []): Promise<void> {
    this.#moments = moments;
    await this.#live();
  }

  async #live(): Promise<void> {
    const { internet, machine } = this.chain;
    const server = machine.start(['gatewright', 'serve'], this.#variables);
    this.#server = server;
    const [moment, ...rest] = this.#moments;
    this.#moments = rest;
    let left = moment?.requests ?? Number.POSITIVE_INFINITY;
    internet.onRequest = ({ method, host, path }) => {
      left -= 1;
      if (left === 0) {
        this.deaths.push(`${moment?.milliseconds} ms after ${method} ${host}${path}`);
        setTimeout(() => server.child.kill('SIGKILL'), moment?.milliseconds);
      }
      return 'answered';
    };
    const ended = server.ended.then(async ({ all, signal }) => {
      this.#said += all;
      if (signal !== 'SIGKILL') throw new Error(all);
      await this.#live();
    });
    // It ends at the end, too.
    ended.catch(() => undefined);
    await Promise.race([this.chain.untilServing(), ended]);
  }

  /** Ends it as a person does; returns all that it said. */
  async stop(): Promise<string> {
    this.#server?.child.kill('SIGTERM');
    const ended = await this.#server?.ended;
    expect(ended?.code, this.#said).toBe(0);
    return this.#said;
  }

  issue(number: number): StoredIssue | undefined {
    return this.chain.stored.issues.find((one) => one.number === number);
  }

  /** The headings of the comments. */
  headings(number: number): string[] {
    return this.issue(number)?.comments.map(({ body }) => body.split('\n')[0] ?? '') ?? [];
  }

  labels(number: number): readonly string[] {
    return this.issue(number)?.labels ?? [];
  }

  async until(isThere: () => boolean): Promise<void> {
    await this.chain.deliverUntil(isThere, 400, true);
    if (isThere()) return;
    this.#server?.child.kill('SIGTERM');
    await this.#server?.ended;
    const told = this.chain.stored.issues.flatMap(({ number, labels, comments }) => [
      `#${number} ${labels.join()}`,
      ...comments.map(({ author, body }) => `${author}: ${body}`),
    ]);
    throw new Error([...told, this.#said].join('\n'));
  }

  /** Everything was told, and nothing is left to do. */
  async untilIdle(): Promise<void> {
    await this.until(() => this.chain.pending().length === 0);
    const listOpen = async (): Promise<string[]> => {
      const { views, close } = openRecords(this.chain.machine);
      const events = (await views.listOpenEvents()).map(({ delivery }) => delivery);
      const runs = (await views.listRuns()).filter(({ status }) => status === 'running').map(({ id }) => id);
      close();
      return [...events, ...runs];
    };
    await expect.poll(listOpen, { timeout: 120_000, interval: 500 }).toEqual([]);
    // What was done last is told last.
    if (this.chain.pending().length > 0) await this.untilIdle();
  }

  async speak(number: number, body: string, forge = this.alice): Promise<void> {
    // A person needs more than the second in which they were asked.
    this.chain.internet.github.state.advance(2_000);
    await forge.createComment(repositoryName, number, body);
  }

  async label(number: number, name: string): Promise<void> {
    this.chain.internet.github.state.advance(2_000);
    await this.alice.editIssue(repositoryName, number, { addLabels: [name] });
  }
}
