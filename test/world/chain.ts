/** The way from an idea to merged code, step by step, as a person and GitHub walk it in the little internet. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { standardLabels } from '../../src/domain/forge/label-table.ts';
import { type Delivery, listDeliveries } from '../support/github-deliveries.ts';
import type { StoredIssue, StoredRepository } from '../support/github-state.ts';
import type { Result } from '../support/playground.ts';
import { type InternetOptions, LittleInternet } from './little-internet.ts';
import { answerAsModels, brief, repositoryName, startFiles, userSettings } from './story.ts';
import { keys, type MachineOptions, UserMachine } from './user-machine.ts';

/** Whose token the program has. */
export const agentLogin = 'gatewright-agent';
const person = 'alice';
/** Nobody in the little internet has it; tests look with it. */
export const personToken = 'a token of alice';
export const webhookSecret = 'the secret of this hook';

interface ChainOptions extends InternetOptions, MachineOptions {
  /** How many of our labels the repository lacks; GitHub wants a second for each. */
  readonly missingLabels?: number;
}

export class Chain {
  readonly internet: LittleInternet;
  readonly machine: UserMachine;
  readonly stored: StoredRepository;
  readonly #delivered = new Set<string>();

  private constructor(internet: LittleInternet, machine: UserMachine, stored: StoredRepository) {
    this.internet = internet;
    this.machine = machine;
    this.stored = stored;
  }

  static async open(options: ChainOptions = {}): Promise<Chain> {
    const internet = await LittleInternet.open(options);
    const { github, models } = internet;
    models.script = answerAsModels;
    github.addUser(agentLogin, keys.GITHUB_TOKEN);
    github.addUser(person, personToken);
    const stored = github.state.addRepository(repositoryName, { [agentLogin]: 'write', [person]: 'admin' });
    stored.git.commit('main', startFiles);
    for (const { name, colour, description } of standardLabels.slice(options.missingLabels ?? 1))
      github.state.addLabel(stored, name, colour, description);
    const machine = new UserMachine(internet, options);
    machine.configure(userSettings);
    return new Chain(internet, machine, stored);
  }

  get issues(): readonly StoredIssue[] {
    return this.stored.issues.filter(({ pull }) => pull === null);
  }

  get pulls(): readonly StoredIssue[] {
    return this.stored.issues.filter(({ pull }) => pull !== null);
  }

  /** Merged, the issue closed, and GitHub has told everything. */
  get isSettled(): boolean {
    const isMerged = this.pulls.some(({ pull }) => pull !== null && pull.mergedAt !== null);
    return isMerged && this.issues.every(({ state }) => state === 'closed') && this.pending().length === 0;
  }

  readonly finish = async (...words: readonly string[]): Promise<Result> => {
    const result = await this.machine.run(...words);
    expect(result.code, `gatewright ${words.join(' ')}\n${result.all}`).toBe(0);
    return result;
  };

  async clone(): Promise<void> {
    await this.machine.clone(`https://github.com/${repositoryName}.git`);
  }

  async setUp(): Promise<void> {
    await this.clone();
    await this.finish('init', '--yes');
    await this.push('Set up');
  }

  /** As a person does, with git. */
  async push(message: string): Promise<void> {
    const { machine } = this;
    await machine.git('add', '--all');
    if ((await machine.git('status', '--porcelain')) !== '')
      await machine.git('commit', '--quiet', '--message', message);
    await machine.git('push', '--quiet', 'origin', 'HEAD:main');
  }

  fileIssue(): Promise<Result> {
    return this.finish('issue', '--brief', brief, '--auto');
  }

  design(): Promise<Result> {
    return this.finish('lld', '1', '--auto');
  }

  /** Alice says what is wanted. */
  mention(): void {
    const [issue] = this.issues;
    if (issue === undefined) throw new Error('There is no issue.');
    this.internet.github.state.addComment(issue, person, '@claude please implement this.');
  }

  /** What GitHub has told nobody yet. */
  pending(): Delivery[] {
    return listDeliveries(this.stored, (id) => !this.#delivered.has(id));
  }

  /** What happened before the fleet is there to hear of it. */
  skipPending(): void {
    for (const { id } of this.pending()) this.#delivered.add(id);
  }

  dispatchWords({ id, name, payload }: Delivery): string[] {
    const file = join(this.machine.folder, `${id}.json`);
    writeFileSync(file, JSON.stringify(payload));
    return ['dispatch', '--event', file, '--name', name, '--delivery', id];
  }

  /** Every delivery is a process of its own, as in jobs of GitHub Actions. */
  async dispatchAll(run: (words: readonly string[]) => Promise<unknown>): Promise<void> {
    for (let [next] = this.pending(); next !== undefined; [next] = this.pending()) {
      this.#delivered.add(next.id);
      await run(this.dispatchWords(next));
    }
  }

  /** Sends a delivery to the program that serves, and returns what it answers; null when nobody does. */
  post({ id, name, payload }: Delivery, secret = webhookSecret): Promise<number | null> {
    const body = JSON.stringify(payload);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-github-event': name,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return this.#send('POST', '/webhook', headers, body);
  }

  #send(method: string, path: string, headers = {}, body = ''): Promise<number | null> {
    return new Promise((resolve) => {
      const sent = request(
        {
          socketPath: this.internet.serveSocket,
          method,
          path,
          headers: { host: '127.0.0.1:8787', ...headers },
        },
        (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.once('error', () => resolve(null));
      sent.end(body);
    });
  }

  startServer(): ReturnType<UserMachine['start']> {
    return this.machine.start(['gatewright', 'serve'], { GATEWRIGHT_WEBHOOK_SECRET: webhookSecret });
  }

  async untilServing(): Promise<void> {
    const look = (): Promise<number | null> => this.#send('GET', '/healthz');
    await expect.poll(look, { timeout: 40_000, interval: 100 }).toBe(200);
  }

  /**
   * Tells the server everything as it happens, until what is waited for is there. A mortal one is told again what it did
   * not take.
   */
  async deliverUntil(isThere: () => boolean, seconds: number, isMortal = false): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!isThere() && Date.now() < deadline) {
      for (const delivery of this.pending()) {
        const answer = await this.post(delivery);
        if (answer === null && isMortal) break;
        if (answer !== 202) throw new Error(`${delivery.name} was answered with ${answer}`);
        this.#delivered.add(delivery.id);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close(): Promise<void> {
    await this.machine.remove();
    await this.internet.close();
  }
}
