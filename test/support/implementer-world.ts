/** A small project on the local forge with an implementer whose coding agent is recorded: it really edits and tests. */
import type { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import type { StoredReview } from '../../src/domain/changes/review-finding.ts';
import type { EventKind, EventOf } from '../../src/domain/fleet/event.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { EntryKind, EntryOf } from '../../src/domain/ledger/ledger-entry.ts';
import type { EventOutcome } from '../../src/fleet/handle-event.ts';
import type { PullRequestDetail } from '../../src/ports/forge/forge-code.ts';
import { FleetWorld } from './fleet-world.ts';

/** Work as a cassette holds it; what is left out is filled in. */
export interface Work {
  readonly role?: 'planner' | 'implementer' | 'fixer' | 'merger';
  readonly call?: number;
  readonly includes?: readonly string[];
  readonly steps?: readonly object[];
  readonly outcome?: object;
  readonly usage?: object;
}

const buggy = 'export function sum(a, b) {\n  return a - b;\n}\n';
export const fixed = 'export function sum(a, b) {\n  return a + b;\n}\n';
const testFile = (cases: string): string =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../src/sum.mjs';\n\n${cases}\n`;
const weakTest = testFile("test('nothing', () => assert.equal(sum(0, 0), 0));");
export const goodTest = testFile("test('sum', () => assert.equal(sum(1, 2), 3));");

export const done = (more: object = {}): object => ({
  text: 'Done.',
  object: {
    summary: 'sum adds now.',
    testing: 'A test of sum.',
    risk: 'auto-merge',
    questions: [],
    ...more,
  },
});

/** Corrects the bug, with its test. */
export const goodSteps: readonly object[] = [
  { edit: 'src/sum.mjs', replace: 'a - b', with: 'a + b' },
  { write: 'test/sum.test.mjs', content: goodTest },
];

const files = { 'src/sum.mjs': buggy, 'test/sum.test.mjs': weakTest };
const settings = { GATEWRIGHT_VERIFY: 'node --test', GATEWRIGHT_AGENTS: 'implementer' };

export class ImplementerWorld {
  fleet: FleetWorld;

  private constructor(fleet: FleetWorld) {
    this.fleet = fleet;
  }

  static async open(works: readonly Work[] = [], environment: Readonly<Record<string, string>> = {}) {
    const world = new ImplementerWorld(await FleetWorld.open(files, settings));
    await world.play(works, environment);
    return world;
  }

  /** What the coding agent does from here on. */
  async play(works: readonly Work[], environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const file = this.fleet.cassette({
      format: 'gatewright-cassette/1',
      about: 'An implementer.',
      models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
      work: works.map(({ role = 'implementer', call = 1, includes, steps = [], outcome, usage }) => ({
        role,
        call,
        request: { includes: includes ?? ['BEGIN'] },
        steps,
        outcome: outcome ?? done(),
        ...(usage === undefined ? {} : { usage }),
      })),
    });
    this.fleet = await this.fleet.reopen({
      ...settings,
      GATEWRIGHT_CODER: `cassette:${file}`,
      ...environment,
    });
  }

  get repository(): string {
    return this.fleet.repository;
  }

  as(login: string, permission?: Permission): Promise<LocalForge> {
    return this.fleet.as(login, permission);
  }

  async fileIssue(
    text: string,
    more: { readonly title?: string; readonly labels?: readonly string[]; readonly as?: string } = {},
  ): Promise<number> {
    const forge = await this.as(more.as ?? 'alice');
    for (const name of more.labels ?? [])
      await forge.ensureLabel(this.repository, { name, colour: 'ededed', description: '' });
    const { number } = await forge.createIssue(this.repository, {
      title: more.title ?? 'sum subtracts',
      body: text,
      labels: [],
    });
    if ((more.labels ?? []).length > 0)
      await forge.editIssue(this.repository, number, { addLabels: more.labels ?? [] });
    return number;
  }

  /** Files an issue that mentions the agent, and lets it work. */
  async order(text = '@claude please', more: Parameters<ImplementerWorld['fileIssue']>[1] = {}) {
    const number = await this.fileIssue(text, more);
    const outcomes = await this.deliver('issue-opened', { number, text });
    return { number, outcomes };
  }

  deliver<K extends EventKind>(
    kind: K,
    more: Parameters<typeof FleetWorld.prototype.event<K>>[1],
  ): Promise<EventOutcome[]> {
    return this.fleet.deliver(this.fleet.event(kind, more));
  }

  /** A comment that is really there, as the event that tells of it. */
  async comment(
    number: number,
    text: string,
    more: { readonly as?: string; readonly isPullRequest?: boolean } = {},
  ): Promise<EventOf<'comment-created'>> {
    const actor = more.as ?? 'alice';
    const { id } = await (await this.as(actor)).createComment(this.repository, number, text);
    const actorKind = actor.endsWith('[bot]') ? 'bot' : 'person';
    const isPullRequest = more.isPullRequest ?? false;
    return this.fleet.event('comment-created', {
      number,
      isPullRequest,
      comment: id,
      text,
      actor,
      actorKind,
    });
  }

  async say(...args: Parameters<ImplementerWorld['comment']>): Promise<EventOutcome[]> {
    return this.fleet.deliver(await this.comment(...args));
  }

  /** What we ourselves said there. */
  async said(number: number): Promise<string[]> {
    const comments = await (await this.as('alice')).listComments(this.repository, number);
    return comments.filter(({ author }) => author === this.fleet.own).map(({ body }) => body);
  }

  async labels(number: number): Promise<readonly string[]> {
    return (await (await this.as('alice')).getIssue(this.repository, number)).labels;
  }

  async pulls(): Promise<PullRequestDetail[]> {
    const forge = await this.as('alice');
    const pulls = await forge.listPullRequests(this.repository, { state: 'all' });
    return Promise.all(pulls.map(({ number }) => forge.getPullRequest(this.repository, number)));
  }

  async entries<K extends EntryKind>(number: number, kind: K): Promise<EntryOf<K>[]> {
    const entries = await this.fleet.entries(number);
    return entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
  }

  /** The pull request changes a file, which main deletes. */
  async deleteOnMain(path: string): Promise<void> {
    const { branch } = (await this.pulls())[0]?.head ?? { branch: '' };
    this.fleet.commitToMain({ [path]: 'one\n' });
    this.git('checkout', '--quiet', branch);
    this.git('merge', '--quiet', 'main');
    this.fleet.playground.commit({ [path]: 'two\n' });
    this.git('checkout', '--quiet', 'main');
    this.git('rm', '--quiet', path);
    this.git('commit', '--quiet', '--message', 'gone');
  }

  git(...args: string[]): string {
    return this.fleet.playground.git(...args);
  }

  /** A review of a pull request's head, as the reviewer would leave it on the ledger. */
  async recordReview(number: number, title: string, isClean = false): Promise<void> {
    const { head, base } = await (await this.as('alice')).getPullRequest(this.repository, number);
    const severity = isClean ? 'minor' : 'major';
    const place = { path: 'src/sum.mjs', line: 2, severity, category: 'bug' } as const;
    const review: StoredReview = {
      ...{ commit: head.sha, base: base.branch, summary: 'One thing.', unseen: [] },
      findings: [{ id: findingId(title), ...place, title, detail: 'See sum(1, 2).' }],
    };
    const { ledger } = this.fleet.house;
    const subject = `${this.repository}#${number}`;
    const text = await ledger.putText(JSON.stringify(review));
    await ledger.append([
      {
        ...{
          subject,
          run: 'R',
          actor: 'reviewer',
          kind: 'code-reviewed',
          key: `${subject}@${head.sha}/${title}`,
        },
        data: { number, commit: head.sha, isClean, review: text, by: 'reviewer' },
      },
    ]);
  }

  /** The same, and the task that the reviewer hands on. */
  async review(number: number, title: string, more: { readonly isClean?: boolean } = {}) {
    await this.recordReview(number, title, more.isClean);
    const from = { actor: this.fleet.own, actorKind: 'bot', from: 'R' } as const;
    return this.deliver('handed-on', { number, to: 'implementer', task: 'fix', ...from });
  }

  remove(): void {
    this.fleet.remove();
  }
}

/** The identity of a finding with that title, as `recordReview` writes it. */
export function findingId(title: string): string {
  return sha256(title).slice(0, 10);
}

/** The last words of each run that came of a delivery. */
export function messagesOf(outcomes: readonly EventOutcome[]): string[] {
  return outcomes.flatMap(({ outcomes: runs }) => runs.map(({ reason }) => reason.message));
}

export function codesOf(outcomes: readonly EventOutcome[]): string[] {
  return outcomes.flatMap(({ outcomes: runs }) => runs.map(({ reason }) => reason.code));
}
