/** The other way to approve a plan: the label for planning is taken off by somebody who may, and then the work is ordered. */
import { afterEach, expect, it } from 'vitest';
import { done, goodSteps, ImplementerWorld, type Work } from '../../../test/support/implementer-world.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import { handleOpenEvents } from '../../fleet/handle-event.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

const plan = 'Change `src/sum.mjs`.';
const planned: Work = { role: 'planner', outcome: { text: plan } };
const revised = 'Change `src/sum.mjs` with care.';
const again: Work = { role: 'planner', call: 2, outcome: { text: revised } };
const work: Work = { steps: goodSteps, outcome: done(), includes: [plan, 'which a person has approved'] };

async function askForPlan(works: readonly Work[]): Promise<number> {
  world = await ImplementerWorld.open(works);
  const number = await world.fileIssue('It should add.', { labels: ['planning'] });
  await world.deliver('labeled', { number, isPullRequest: false, label: 'planning' });
  return number;
}

async function takeOff(number: number, as = 'alice'): Promise<void> {
  await (await world.as(as)).editIssue(world.repository, number, { removeLabels: ['planning'] });
  await world.deliver('unlabeled', { number, isPullRequest: false, label: 'planning', actor: as });
}

it('is carried out, and its approval is on the ledger', async () => {
  const number = await askForPlan([planned, work]);
  await takeOff(number);
  expect(await world.entries(number, 'plan-approved')).toEqual([]);
  await world.say(number, '@claude please do this now');
  const [approved] = await world.entries(number, 'plan-approved');
  expect(approved?.data).toMatchObject({ plan: sha256(plan), by: 'alice' });
  expect(await world.pulls()).toHaveLength(1);
});

it.each<[string, string, string]>([
  ['a change', '@claude do this, but with care', 'alice'],
  ['a "not"', '@claude do not do this now', 'alice'],
  ['somebody who may not', '@claude please do this now', 'mallory'],
])('is not carried out for %s', async (_name, text, as) => {
  const number = await askForPlan([planned, again]);
  await takeOff(number);
  await world.as('mallory', 'read');
  await world.say(number, text, { as });
  expect(await world.entries(number, 'plan-approved')).toEqual([]);
  expect(await world.pulls()).toEqual([]);
});

itLong(
  'is not carried out while the label stands, when it went before the plan, or when somebody took it who may not',
  async () => {
    const number = await askForPlan([planned, again, { ...again, call: 3 }]);
    await world.say(number, '@claude please do this now');
    // That asked for another plan, which nobody has let go yet.
    expect(await world.entries(number, 'plan-proposed')).toHaveLength(2);
    const { forge } = world.fleet.house;
    const list = forge.listLabelEvents.bind(forge);
    const at = new Date().toISOString();
    const removed = {
      label: 'planning',
      change: 'removed',
      actorKind: 'person',
      head: null,
      base: null,
    } as const;
    await world.as('carol', 'triage');
    for (const one of [
      { ...removed, actor: 'carol', at },
      { ...removed, actor: 'alice', at: '2020-01-01T00:00:00Z' },
      { ...removed, actor: 'alice', at: '2999-01-01T00:00:00Z' },
      { ...removed, actor: 'helper[bot]', actorKind: 'bot', at },
    ] as const) {
      forge.listLabelEvents = async (...args) => [...(await list(...args)), one];
      await world.say(number, '@claude please do this now');
      expect(await world.entries(number, 'plan-approved')).toEqual([]);
    }
    expect(await world.pulls()).toEqual([]);
  },
);

it.each<[string, 'by hand' | 'by us' | 'by us, cut off', number]>([
  ['is carried out when the person took it off whose account we use', 'by hand', 1],
  ['is not carried out when we took it off under a person’s account', 'by us', 0],
  ['is not carried out when we did, and were cut off before that was written down', 'by us, cut off', 0],
])('%s', async (_name, how, approvals) => {
  const number = await askForPlan([planned, how === 'by hand' ? work : again]);
  const { house } = world.fleet;
  const subject = `${world.repository}#${number}`;
  const entry = { subject, run: 'R-keeper', actor: 'label-keeper', key: 'R-keeper/revert#1' };
  const labels = { add: [], remove: ['planning'] };
  const effect = { kind: 'edit-labels', repository: world.repository, number, ...labels } as const;
  if (how !== 'by hand')
    await house.ledger.append([{ ...entry, kind: 'effect-intended', data: { effect, dryRun: false } }]);
  await takeOff(number);
  const result = { labels: [], updatedAt: new Date().toISOString() };
  if (how === 'by us')
    await house.ledger.append([{ ...entry, kind: 'effect-receipted', data: { result, found: false } }]);
  await receiveEvent(house, await world.comment(number, '@claude please do this now'));
  await handleOpenEvents(house, { own: 'alice' }, () => undefined);
  expect(await world.entries(number, 'plan-approved')).toHaveLength(approvals);
  expect(await world.entries(number, 'plan-proposed')).toHaveLength(approvals === 1 ? 1 : 2);
});
