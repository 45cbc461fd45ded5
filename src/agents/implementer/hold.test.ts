/** What the label "hold" keeps from beginning goes on when somebody who may takes it off, and is never lost. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  codesOf,
  goodSteps,
  ImplementerWorld,
  messagesOf,
  type Work,
} from '../../../test/support/implementer-world.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

const exhausted: Work = { steps: [{ write: 'n.txt', content: 'n\n' }], outcome: { turnsExhausted: true } };
const fix: Work = { role: 'fixer', steps: [{ write: 'fix.txt', content: 'fix\n' }] };

async function hold(number: number): Promise<void> {
  const alice = await world.as('alice');
  await alice.ensureLabel(world.repository, { name: 'hold', colour: 'ededed', description: '' });
  await alice.editIssue(world.repository, number, { addLabels: ['hold'] });
}

async function release(number: number, more: { as?: string; isPullRequest?: boolean } = {}) {
  const { as: actor = 'alice', isPullRequest = false } = more;
  await (await world.as('alice')).editIssue(world.repository, number, { removeLabels: ['hold'] });
  return world.deliver('unlabeled', { number, isPullRequest, label: 'hold', actor });
}

async function conditionsOf(number: number): Promise<string[]> {
  const { conditions } = await explainNumber(world.fleet.house, world.fleet.own, number);
  return conditions.map(({ what }) => what);
}

const waits = 'the implementer has not started the ordered work: the label "hold" blocks it';

describe('the label "hold"', () => {
  it('keeps work from going on by itself, and lets it when it is taken off', async () => {
    world = await ImplementerWorld.open([exhausted, { call: 2, steps: goodSteps }]);
    const number = await world.fileIssue('@claude please');
    const { transport } = world.fleet.house;
    const push = transport.pushBranch.bind(transport);
    transport.pushBranch = async (...args) => {
      await push(...args);
      await hold(number);
    };
    const first = await world.deliver('issue-opened', { number, text: '@claude please' });
    expect(codesOf(first)).toEqual(['finished', 'held']);
    expect(await conditionsOf(number)).toEqual([waits]);
    expect(await world.said(number)).toHaveLength(1);
    transport.pushBranch = push;
    const next = await release(number);
    expect(codesOf(next)).toEqual(['finished']);
    expect(await world.pulls()).toHaveLength(1);
    // Told once, and taken up once.
    expect(await release(number)).toMatchObject([{ outcomes: [] }]);
    expect(await world.said(number)).toHaveLength(1);
  });

  itLong('keeps corrections waiting, also when something else is settled meanwhile', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps }]);
    await world.order();
    const pull = (await world.pulls())[0]?.number ?? 0;
    await world.play([fix]);
    // A dismissal that says more than that is no order to work either: it is asked about, and costs nothing.
    const doubted = '@claude dismiss 0123456789, but only after Monday';
    expect(messagesOf(await world.say(pull, doubted, { isPullRequest: true }))).toEqual([
      `nothing on #${pull} is dismissed: the comment says more than that`,
    ]);
    expect((await world.said(pull)).at(-1)).toContain('Nothing was dismissed');
    await hold(pull);
    expect(codesOf(await world.review(pull, 'One'))).toEqual(['held']);
    expect(messagesOf(await world.say(pull, '@claude dismiss 0123456789', { isPullRequest: true }))).toEqual([
      `0 findings on #${pull} dismissed, 1 not known`,
    ]);
    expect(await conditionsOf(pull)).toContain(waits);
    const next = await release(pull, { isPullRequest: true });
    expect(messagesOf(next)[0]).toMatch(/was corrected with/u);
    expect(await world.entries(pull, 'work-pushed')).toHaveLength(1);
  });

  it('answers whoever orders something, and does it once it is free', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps, includes: ['with care'] }]);
    const number = await world.fileIssue('It should add.');
    await hold(number);
    expect(codesOf(await world.say(number, '@claude please do this with care'))).toEqual(['held']);
    const said = await world.said(number);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('@alice');
    await release(number);
    expect(await world.pulls()).toHaveLength(1);
    expect(await world.said(number)).toHaveLength(1);
  });

  it('is taken off for nobody who may not, or who no longer may have ordered it', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps }]);
    await world.as('mallory', 'triage');
    await world.as('bob', 'write');
    const number = await world.fileIssue('It should add.');
    await hold(number);
    expect(codesOf(await world.say(number, '@claude please', { as: 'bob' }))).toEqual(['held']);
    await release(number, { as: 'mallory' });
    expect(await world.pulls()).toEqual([]);
    // It was put back.
    expect(await world.labels(number)).toContain('hold');
    await world.as('bob', 'read');
    await release(number);
    expect(await world.pulls()).toEqual([]);
    const refused = await world.entries(number, 'event-refused');
    expect(refused.at(-1)?.data).toMatchObject({ by: 'bob', because: 'not-permitted' });
    expect(await conditionsOf(number)).toContain(
      'the implementer has not started the ordered work while the label "hold" was on it',
    );
  });

  itLong('is not forgotten when whoever took it up was cut off', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps }]);
    const number = await world.fileIssue('It should add.');
    await hold(number);
    await world.say(number, '@claude please');
    const { house } = world.fleet;
    const fetch = house.transport.fetchBranch.bind(house.transport);
    const append = house.ledger.append.bind(house.ledger);
    // Nothing is written any more, as by a process that is gone.
    house.transport.fetchBranch = async () => {
      house.ledger.append = async () => {
        throw new Error('gone');
      };
      throw new Error('gone');
    };
    await expect(release(number)).rejects.toThrow('gone');
    house.transport.fetchBranch = fetch;
    house.ledger.append = append;
    await world.fleet.settle();
    expect(await world.pulls()).toHaveLength(1);
    expect(await house.views.listOpenEvents()).toEqual([]);
  });
});
