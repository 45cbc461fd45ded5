/** Scenes in which somebody does something on the forge. */
import { expect } from 'vitest';
import { chainFiles, plannedTape, playTape, tiredTape, wholeTape } from './chain-world.ts';
import type { FleetRoom } from './fleet-room.ts';
import type { FleetScenario } from './fleet-scene.ts';

async function fileOrder(world: FleetRoom, labels: readonly string[] = []): Promise<void> {
  const alice = await world.as('alice');
  for (const name of labels)
    await alice.ensureLabel(world.repository, { name, colour: 'ededed', description: '' });
  const text = 'sum(1, 2) is -1. @claude please.';
  const { number } = await alice.createIssue(world.repository, {
    title: 'sum subtracts',
    body: text,
    labels,
  });
  expect(number).toBe(1);
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
    await fileOrder(world);
    return { schedule: null, environment: playTape(world, wholeTape) };
  },
  expectDone({ forge, git, ledger }) {
    const [pull] = forge.pulls;
    expect(forge.pulls).toHaveLength(1);
    expect(pull?.reviews.map((text) => text.split('\n')[0])).toEqual(['## Issues Found', '## No Issues']);
    expect(pull?.labels).toEqual(['auto-merge']);
    expect(forge.issues[0]?.labels).not.toContain('claude-working');
    expect(ledger.deeds.filter((deed) => deed.includes('model-answered'))).toHaveLength(4);
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
    world.commitToMain({ 'meanwhile.txt': 'x\n' });
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

/** The work of the implementer alone; what the others make of it is shown by the order. */
const alone = { GATEWRIGHT_AGENTS: 'implementer' };

const tired: FleetScenario = {
  name: 'turns that run out',
  agents: ['implementer'],
  files: chainFiles,
  async arrange(world) {
    await fileOrder(world);
    return { schedule: null, environment: { ...playTape(world, tiredTape(1)), ...alone } };
  },
  expectDone({ forge, ledger }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', labels: ['auto-merge'] }]);
    expect(ledger.runs).toHaveLength(2);
    for (const run of ledger.runs) expect(run).toMatch(/^implementer \S+#1 done$/u);
  },
};

const plan: FleetScenario = {
  name: 'a plan',
  agents: ['implementer'],
  files: chainFiles,
  async arrange(world) {
    await fileOrder(world, ['planning']);
    return { schedule: null, environment: { ...playTape(world, plannedTape), ...alone } };
  },
  expectDone({ forge }) {
    expect(forge.pulls).toEqual([]);
    const [{ comments = [] } = {}] = forge.issues;
    expect(comments.filter((text) => text.includes('Turn the sign around'))).toHaveLength(1);
  },
};

const approval: FleetScenario = {
  name: 'a plan that is approved',
  agents: ['implementer'],
  files: chainFiles,
  async arrange(world) {
    await fileOrder(world, ['planning']);
    const work = [plannedTape.work?.[0] ?? {}, wholeTape.work?.[0] ?? {}];
    const environment = { ...playTape(world, { work }), ...alone };
    const { house } = await world.reopen(environment);
    await world.catchUp(house);
    await (await world.as('alice')).createComment(world.repository, 1, '@claude approve');
    return { schedule: null, environment };
  },
  expectDone({ forge }) {
    expect(forge.pulls).toMatchObject([{ state: 'open', labels: ['auto-merge'] }]);
    expect(forge.issues[0]?.labels).toEqual([]);
  },
};

/** A pull request of ours that another one, merged first, brings into conflict. */
const conflict: FleetScenario = {
  name: 'a conflict with the base',
  agents: ['implementer', 'reviewer', 'auto-merge'],
  files: chainFiles,
  async arrange(world) {
    await fileOrder(world);
    const settled = chainFiles['src/sum.mjs'].replace('a - b', 'a + b + 0');
    const merger = {
      ...{ role: 'merger', call: 1, request: { includes: ['src/sum.mjs (contents)'] } },
      steps: [{ write: 'src/sum.mjs', content: settled }],
      outcome: {
        text: 'Done.',
        object: { summary: 'Both.', testing: 'A test.', risk: 'auto-merge', questions: [] },
      },
    };
    const tape = {
      work: [wholeTape.work?.[0] ?? {}, merger],
      calls: [cleanReview(1, 'src/sum.mjs')],
    };
    const environment = playTape(world, tape);
    const { house } = await world.reopen({ ...environment, ...alone });
    await world.catchUp(house);
    const other = chainFiles['src/sum.mjs'].replace('a - b', 'a - b - 0');
    const { number, head } = await world.openPullRequest('other', { 'src/sum.mjs': other });
    const alice = await world.as('alice');
    await alice.mergePullRequest(world.repository, number, { head, title: 'other', body: '' });
    return {
      schedule: null,
      environment: { ...environment, GATEWRIGHT_AGENTS: 'implementer,reviewer,auto-merge' },
    };
  },
  expectDone({ forge }) {
    expect(forge.pulls.map(({ state }) => state)).toEqual(['merged', 'merged']);
    const said = forge.pulls.flatMap(({ comments }) => comments);
    expect(said.filter((text) => text.includes('settles these conflicts'))).toHaveLength(1);
  },
};

/** One on a pull request, one on the default branch. */
const failure: FleetScenario = {
  name: 'builds that fail',
  agents: ['ci-doctor'],
  async arrange(world) {
    const { head } = await world.openPullRequest('topic', { 'topic.txt': 'x\n' });
    const main = world.headOf('main') ?? '';
    const step = { name: 'Run npm test', conclusion: 'failure', log: 'expected 3 to be 4' } as const;
    for (const [headSha, branch] of [
      [head, 'topic'],
      [main, 'main'],
    ] as const)
      await world.build({
        ...{ name: 'ci', headSha, branch, event: 'push', status: 'completed', conclusion: 'failure' },
        jobs: [{ name: 'build', steps: [step] }],
      });
    const object = { what: 'A sum.', why: 'It subtracts.', fix: 'Add.', confidence: 'high' };
    const request = { includes: ['The ends of the logs'] };
    const calls = [{ role: 'doctor', call: 1, request, answer: { object } }];
    const environment = { ...playTape(world, { calls }), GATEWRIGHT_AGENTS: 'ci-doctor' };
    return { schedule: null, environment };
  },
  expectDone({ forge }) {
    expect(forge.commitComments).toHaveLength(1);
    expect(forge.pulls[0]?.comments).toHaveLength(1);
    expect(forge.pulls[0]?.comments[0]).toContain('It subtracts.');
  },
};

export const orderScenes: readonly FleetScenario[] = [order, contribution, failure];

/** Other ways through agents that have a scene already. */
export const furtherOrderScenes: readonly FleetScenario[] = [outdated, tired, plan, approval, conflict];
