/**
 * A repository in which everything is ready to go wrong: a plan that waits for its approval, pull requests that lack one
 * thing each, a coding agent that would work if anybody could make it. What people do is done on the forge itself, and
 * reaches the agents as it would in a watch.
 */

import { identifyFindings } from '../../src/domain/changes/review-finding.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import { takeHappenings } from '../../src/fleet/receive-event.ts';
import type { Forge } from '../../src/ports/forge/forge.ts';
import type { FleetRoom } from './fleet-room.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';
import { type openReadyPullRequest, recordReview, setLabel } from './reviewed-pull-request.ts';

export type Outsider = readonly [login: string, permission: Permission, because: string];

/** Everybody who has no say, with what they may do on the forge; and why they are not listened to. */
export function listOutsiders(own: string, lookalike: string): readonly Outsider[] {
  const name = own.replace(/\[bot\]$/u, '');
  return [
    ['mallory', 'none', 'not-permitted'],
    ['rita', 'read', 'not-permitted'],
    ['tina', 'triage', 'not-permitted'],
    // Names that look like ours.
    [name, 'read', 'not-permitted'],
    ['claude', 'none', 'not-permitted'],
    [lookalike, 'triage', 'not-permitted'],
    [`${name.replace('i', 'l')}[bot]`, 'write', 'bot'],
    ['claude[bot]', 'admin', 'bot'],
    ['renovate-bot[bot]', 'write', 'bot'],
    [`${name.toUpperCase()}[bot]`, 'write', 'own'],
    // Our own words order nothing either.
    [own, 'write', 'own'],
  ];
}

export const spoofFiles = {
  'src/sum.mjs': 'export function sum(a, b) {\n  return a - b;\n}\n',
  'test/sum.test.mjs': "import test from 'node:test';\n\ntest('nothing', () => {});\n",
};

const finding = {
  path: 'p.txt',
  line: 1,
  severity: 'major',
  category: 'bug',
  title: 'Wrong',
  detail: '',
} as const;
export const [found] = identifyFindings([finding], () => null);

/** Would carry out anything at once. */
const eager = {
  role: 'implementer',
  call: 1,
  request: { includes: ['BEGIN'] },
  steps: [{ edit: 'src/sum.mjs', replace: 'a - b', with: 'a + b' }],
  outcome: { text: 'Done.', object: { summary: 'Done.', testing: '', risk: 'auto-merge', questions: [] } },
};

const planner = {
  role: 'planner',
  call: 1,
  request: { includes: ['BEGIN'] },
  steps: [],
  outcome: { text: '1. Add instead of subtract.' },
};

/** What only the ledger grants. */
const grants: readonly LedgerEntry['kind'][] = [
  'plan-proposed',
  'plan-approved',
  'finding-dismissed',
  'code-reviewed',
  'pull-request-made',
  'work-pushed',
];

type Pull = Awaited<ReturnType<typeof openReadyPullRequest>>;

export class SpoofWorld {
  readonly fleet: FleetRoom;
  readonly #forges = new Map<string, Forge>();
  #cursor = 0;
  #branches = '';
  /** An issue with a plan of ours that waits. */
  planned = 0;
  /** An issue that nothing has been ordered for. */
  unordered = 0;
  /** Lacks nothing but that its finding is settled. */
  flawed: Pull = { number: 0, head: '' };
  /** Lacks nothing but the label. */
  unlabelled: Pull = { number: 0, head: '' };
  /** Lacks nothing but that its hold goes. */
  held: Pull = { number: 0, head: '' };
  /** Lacks nothing but a review. */
  unreviewed: Pull = { number: 0, head: '' };
  /** Reviewed, and pushed to since. */
  outdated: Pull = { number: 0, head: '' };

  private constructor(fleet: FleetRoom) {
    this.fleet = fleet;
  }

  static async open(first: FleetRoom, outsiders: readonly Outsider[]): Promise<SpoofWorld> {
    const file = first.cassette({
      format: 'gatewright-cassette/1',
      about: 'An eager agent.',
      models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
      work: [eager, planner],
    });
    const fleet = await first.reopen({
      GATEWRIGHT_CODER: `cassette:${file}`,
      GATEWRIGHT_AGENTS: 'implementer,auto-merge',
      GATEWRIGHT_BOTS: 'renovate[bot]',
    });
    const world = new SpoofWorld(fleet);
    // Ours has what it needs already.
    for (const [login, permission] of outsiders) if (login !== fleet.own) await fleet.as(login, permission);
    await world.#prepare();
    return world;
  }

  async #prepare(): Promise<void> {
    const { fleet } = this;
    this.planned = await this.fileIssue('alice', 'Add.');
    this.unordered = await this.fileIssue('alice', 'Subtract.');
    await setLabel(fleet, this.planned, 'planning');
    this.flawed = await fleet.openPullRequest('flawed', { 'p.txt': 'x\n' });
    if (found !== undefined) await recordReview(fleet, this.flawed, { findings: [found] });
    await setLabel(fleet, this.flawed.number, 'auto-merge');
    this.unlabelled = await fleet.openPullRequest('unlabelled', { 'u.txt': 'x\n' });
    await recordReview(fleet, this.unlabelled);
    this.held = await fleet.openPullRequest('held', { 'h.txt': 'x\n' });
    await recordReview(fleet, this.held);
    await setLabel(fleet, this.held.number, 'hold');
    await setLabel(fleet, this.held.number, 'auto-merge');
    this.unreviewed = await fleet.openPullRequest('unreviewed', { 'n.txt': 'x\n' });
    await setLabel(fleet, this.unreviewed.number, 'auto-merge');
    this.outdated = await fleet.openPullRequest('outdated', { 'o.txt': 'x\n' });
    await recordReview(fleet, { ...this.outdated, head: fleet.headOf('main') ?? '' });
    await setLabel(fleet, this.outdated.number, 'auto-merge');
    await this.settle();
    // What agents said to that is told too.
    await this.settle();
  }

  get repository(): string {
    return this.fleet.repository;
  }

  /** Each keeps their connection: there are hundreds of cases. */
  async as(login: string): Promise<Forge> {
    const known = this.#forges.get(login);
    if (known !== undefined) return known;
    const forge = await this.fleet.as(login);
    this.#forges.set(login, forge);
    return forge;
  }

  async fileIssue(as: string, body: string, title = 'sum subtracts'): Promise<number> {
    return (await (await this.as(as)).createIssue(this.repository, { title, body, labels: [] })).number;
  }

  /** Takes what happened on the forge and lets agents act on it. */
  async settle() {
    const { fleet } = this;
    const { house } = fleet;
    if (house.eventFeed !== null) this.#cursor = await takeHappenings(house, house.eventFeed, this.#cursor);
    if (fleet instanceof GithubFleetWorld)
      for (const one of await fleet.pending()) await fleet.receive(house, one);
    const outcomes = await fleet.settle();
    this.#branches = fleet.git('for-each-ref', 'refs/heads');
    return outcomes;
  }

  /** All that a spoof could have changed. */
  async look(number: number) {
    const alice = await this.as('alice');
    const issue = await alice.getIssue(this.repository, number);
    const comments = await alice.listComments(this.repository, number);
    const entries = await this.fleet.entries(number);
    return {
      /** Of all branches, when agents last acted. */
      branches: this.#branches,
      state: issue.state,
      labels: [...issue.labels].sort(),
      said: comments.filter(
        ({ author, body }) =>
          author === this.fleet.own && /gatewright:effect [0-9a-f]{24}\.[0-9a-f]{40} -->\n$/u.test(body),
      ).length,
      worked: (await this.fleet.house.views.listRuns()).filter(
        ({ request }) => request.workflow === 'agent' && request.agent === 'implementer',
      ).length,
      asked: entries.filter(({ kind }) => kind === 'prompt-sent').length,
      done: entries.filter(({ kind }) => kind === 'effect-intended').length,
      granted: entries.filter(({ kind }) => grants.includes(kind)).length,
    };
  }

  async refusals(number: number): Promise<string[]> {
    const entries = await this.fleet.entries(number);
    return entries.flatMap((entry) =>
      entry.kind === 'event-refused' ? [`${entry.data.agent}: ${entry.data.by}: ${entry.data.because}`] : [],
    );
  }

  remove(): void | Promise<void> {
    return this.fleet.remove();
  }
}
