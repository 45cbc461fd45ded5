/** A stopped run that is resumed checks what a start checks: an open issue, no hold, an order that still counts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import type { AgentRequest, RunSummary } from '../../domain/ledger/run.ts';
import { explainNumber } from '../../fleet/explain-number.ts';
import { readEventOfRun } from '../../fleet/read-event.ts';
import { resumeAgentRun } from '../../fleet/run-agent.ts';

let world: ImplementerWorld;
let number = 0;
let run = '';
afterEach(() => world.remove());
beforeEach(async () => {
  world = await ImplementerWorld.open([{ outcome: { failed: 'login' } }], { GATEWRIGHT_VERIFY: 'true' });
  await world.as('bob', 'write');
  number = await world.fileIssue('It should add.');
  const [outcome] = await world.say(number, '@claude please', { as: 'bob' });
  expect(outcome?.outcomes[0]?.status).toBe('blocked');
  run = outcome?.outcomes[0]?.run.id ?? '';
  await world.play([{ steps: goodSteps }], { GATEWRIGHT_VERIFY: 'true' });
});

async function resume() {
  const { house, own } = world.fleet;
  const summary = (await house.views.findRun(run)) as RunSummary<AgentRequest>;
  const event = await readEventOfRun(house, summary);
  if (event === null) throw new Error('there is no event');
  return resumeAgentRun(house, summary, event, { own });
}

async function edit(change: object): Promise<void> {
  await (await world.as('alice')).editIssue(world.repository, number, change);
}

async function hold(): Promise<void> {
  const alice = await world.as('alice');
  await alice.ensureLabel(world.repository, { name: 'hold', colour: 'ededed', description: '' });
  await edit({ addLabels: ['hold'] });
}

async function expectNoWork(): Promise<void> {
  expect(await world.pulls()).toEqual([]);
  expect(world.git('branch', '--list', 'gatewright/*')).toBe('');
  expect(await world.entries(number, 'work-pushed')).toEqual([]);
}

async function stopped(): Promise<unknown[]> {
  return (await world.fleet.playground.json<{ stopped: unknown[] }>(['status'])).stopped;
}

const offered = async () => {
  const { conditions } = await explainNumber(world.fleet.house, world.fleet.own, number);
  return conditions.map(({ command }) => command);
};

describe('a resumed run', () => {
  it('goes on while nothing has changed', async () => {
    expect(await stopped()).toMatchObject([{ run, resume: `gatewright dispatch --resume ${run}` }]);
    expect((await resume()).status).toBe('done');
    expect(await world.pulls()).toHaveLength(1);
  });

  it('ends when the issue was closed, and is offered by no list', async () => {
    await edit({ state: 'closed' });
    expect(await stopped()).toEqual([]);
    expect(await offered()).not.toContainEqual(expect.stringContaining('--resume'));
    const { status, reason } = await resume();
    expect([status, reason.message]).toEqual(['done', `nothing is done about #${number}: it is closed`]);
    await expectNoWork();
    expect(await world.labels(number)).toEqual([]);
  });

  it('stops while the label "hold" is on it, and goes on when the label is taken off', async () => {
    await hold();
    expect(await stopped()).toMatchObject([{ run, resume: '' }]);
    expect((await world.fleet.playground.run(['status'])).stdout).not.toContain('--resume');
    expect(await offered()).not.toContainEqual(expect.stringContaining('--resume'));
    const { status, reason } = await resume();
    expect([status, reason.code]).toEqual(['blocked', 'held']);
    await expectNoWork();
    expect((await world.fleet.playground.run(['status'])).stdout).not.toContain('--resume');
    await edit({ removeLabels: ['hold'] });
    await world.deliver('unlabeled', { number, isPullRequest: false, label: 'hold' });
    expect(await world.pulls()).toHaveLength(1);
  });

  it('is refused when the author of the order lost the permission', async () => {
    await world.as('bob', 'read');
    const refused = await world.fleet.playground.run(['dispatch', '--resume', run]);
    expect(refused.code, refused.all).not.toBe(0);
    expect(refused.all).toContain('bob has no write permission');
    await expectNoWork();
    expect((await world.entries(number, 'event-refused')).at(-1)?.data).toMatchObject({ by: 'bob' });
  });
});
