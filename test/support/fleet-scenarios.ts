/**
 * One scene for every agent of the fleet (some share one), on the local forge: what is there before, what wakes them, and
 * what there has to be at the end. Played undisturbed, with SIGKILL, and cut off in this process.
 */
import { expect } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { agents } from '../../src/agents/agents.ts';
import { makeScheduleEvent } from '../../src/dispatch/due-schedules.ts';
import type { House } from '../../src/dispatch/house.ts';
import { receiveEvent } from '../../src/dispatch/receive-event.ts';
import { settleHappenings, settleOpenEvents } from '../../src/dispatch/settle-event.ts';
import { agentNames, type WorkerName } from '../../src/domain/agent-names.ts';
import type { ScheduleName } from '../../src/domain/schedule.ts';
import { chainFiles, playTape, wholeTape } from './chain-world.ts';
import { FleetWorld } from './fleet-world.ts';
import type { WorldState } from './world-state.ts';

type Environment = Readonly<Record<string, string>>;

interface Scene {
  /** Null: what happened on the forge. */
  readonly schedule: ScheduleName | null;
  readonly environment: Environment;
}

export interface FleetScenario {
  readonly name: string;
  /** Whose work it shows. */
  readonly agents: readonly WorkerName[];
  readonly files?: Readonly<Record<string, string>>;
  readonly arrange: (world: FleetWorld) => Promise<Scene>;
  /** What came of it, beside what holds for every world. */
  readonly expectDone: (state: WorldState) => void;
}

export interface Stage {
  readonly world: FleetWorld;
  /** What `gatewright` is called with, once or as often as it is killed. */
  readonly command: readonly string[];
  readonly environment: Environment;
  /** The same in this process. */
  readonly settle: (house: House) => Promise<void>;
}

const delivery = 'due';

export async function setUp({ files = {}, arrange }: FleetScenario): Promise<Stage> {
  const plain = await FleetWorld.open(files);
  const { schedule, environment: more } = await arrange(plain);
  const present = agentNames.filter((name) => agents[name] !== undefined);
  const environment = { GATEWRIGHT_AGENTS: present.join(','), ...more };
  const world = await plain.reopen(environment);
  const session = { own: world.own };
  const ignore = (): void => undefined;
  if (schedule === null)
    return {
      ...{ world, environment, command: ['dispatch'] },
      settle: (house) => settleHappenings(house, session, ignore),
    };
  const event = makeScheduleEvent(world.house, world.own, { schedule, delivery, at: new Date() });
  return {
    ...{ world, environment, command: ['dispatch', '--schedule', schedule, '--delivery', delivery] },
    settle: async (house) => {
      await receiveEvent(house, event);
      await settleOpenEvents(house, session, ignore);
    },
  };
}

/** Alice's forge as it was so many days ago. */
function forgeInThePast({ playground }: FleetWorld, days: number): LocalForge {
  const now = () => new Date(systemClock.now().getTime() - days * 86_400_000);
  const database = openDatabase(playground.database);
  return new LocalForge(database, { ...systemClock, now }, 'alice', playground.environment);
}

function cleanReview(call: number, path: string): object {
  const answer = { object: { summary: 'Fine.', findings: [] } };
  return { role: 'reviewer', call, request: { includes: [path] }, answer };
}

const order: FleetScenario = {
  name: 'an order',
  agents: ['implementer', 'reviewer', 'pr-size-guardian', 'auto-merge'],
  files: chainFiles,
  async arrange(world) {
    const alice = await world.as('alice');
    const text = 'sum(1, 2) is -1. @claude please.';
    await alice.createIssue(world.repository, { title: 'sum subtracts', body: text, labels: [] });
    return { schedule: null, environment: playTape(world, wholeTape) };
  },
  expectDone({ forge, git, ledger }) {
    const [pull] = forge.pulls;
    expect(forge.pulls).toHaveLength(1);
    expect(pull?.reviews.map((text) => text.split('\n')[0])).toEqual(['## Issues Found', '## No Issues']);
    expect(pull?.labels).toEqual(['auto-merge']);
    expect(forge.issues[0]?.labels).not.toContain('claude-working');
    expect(ledger.deeds.filter((deed) => deed.includes('model-answered'))).toHaveLength(4);
    if (agents['auto-merge'] === undefined) return;
    expect(pull?.state).toBe('merged');
    expect(forge.issues[0]?.state).toBe('closed');
    expect(forge.branches).toEqual(['main']);
    expect(git.log.match(/sum subtracts/gu)).toHaveLength(1);
  },
};

/** Where no command tells whether a change works, what is merged has to hold the newest base first. */
const outdated: FleetScenario = {
  name: 'a pull request whose base has moved on',
  agents: ['reviewer', 'auto-merge'],
  async arrange(world) {
    const { number } = await world.openPullRequest('topic', { 'topic.txt': 'x\n' });
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'auto-merge', colour: 'ededed', description: '' });
    await alice.editIssue(world.repository, number, { addLabels: ['auto-merge'] });
    world.playground.commit({ 'meanwhile.txt': 'x\n' });
    const { GATEWRIGHT_VERIFY: _, ...environment } = playTape(world, {
      calls: [1, 2].map((call) => cleanReview(call, 'topic.txt')),
    });
    return { schedule: null, environment };
  },
  expectDone({ forge, git }) {
    expect(forge.pulls).toMatchObject([{ state: 'merged', reviews: { length: 2 } }]);
    expect(git.log.match(/Work on topic/gu)).toHaveLength(1);
  },
};

const contribution: FleetScenario = {
  name: 'a large pull request that somebody labels without the right to',
  agents: ['pr-size-guardian', 'reviewer', 'label-keeper'],
  async arrange(world) {
    const { number } = await world.openPullRequest('big', { 'big.txt': 'x\n'.repeat(500) });
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'auto-merge', colour: 'ededed', description: '' });
    const triager = await world.as('triager', 'triage');
    await triager.editIssue(world.repository, number, { addLabels: ['auto-merge'] });
    return { schedule: null, environment: playTape(world, { calls: [cleanReview(1, 'big.txt')] }) };
  },
  expectDone({ forge }) {
    const [pull] = forge.pulls;
    expect(pull?.labels).toEqual([]);
    expect(pull?.reviews).toHaveLength(1);
    expect(pull?.comments.filter((text) => text.includes('**500 lines**'))).toHaveLength(1);
    expect(pull?.comments.filter((text) => text.includes('triager'))).toHaveLength(1);
  },
};

/** An agent that works by the clock and files what it has to tell as an issue. */
function reportOf(
  schedule: ScheduleName & WorkerName,
  label: string,
  arrange: (world: FleetWorld) => Promise<void>,
  expectMore: (state: WorldState) => void = () => undefined,
): FleetScenario {
  return {
    name: schedule,
    agents: [schedule],
    async arrange(world) {
      await arrange(world);
      return { schedule, environment: {} };
    },
    expectDone(state) {
      expect(state.forge.issues.filter(({ labels }) => labels.includes(label))).toHaveLength(1);
      expectMore(state);
    },
  };
}

async function fileIssue(forge: LocalForge, { repository }: FleetWorld, title: string): Promise<void> {
  await forge.createIssue(repository, { title, body: '', labels: [] });
}

const digest = reportOf('daily-digest', 'daily-digest', async (world) => {
  await fileIssue(forgeInThePast(world, 0.01), world, 'New');
});

const health = reportOf('health-report', 'agent-health-report', async () => undefined);

const gardener = reportOf(
  'stale-gardener',
  'gardener-report',
  async (world) => {
    await fileIssue(forgeInThePast(world, 70), world, 'Quiet');
    await fileIssue(forgeInThePast(world, 40), world, 'It crashes');
  },
  ({ forge: { issues } }) => {
    const marked = issues.filter(({ labels }) => labels.includes('stale'));
    expect(marked.map(({ title, labels }) => [title, labels])).toEqual([
      ['It crashes', ['bug', 'stale']],
      ['Quiet', ['stale']],
    ]);
    expect(marked.map(({ comments }) => comments.length)).toEqual([1, 1]);
  },
);

export const fleetScenarios: readonly FleetScenario[] = [
  order,
  outdated,
  contribution,
  digest,
  health,
  gardener,
];
