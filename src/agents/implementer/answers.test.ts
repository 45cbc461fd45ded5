/** What people answer to a plan, on the local forge: who is asked back, who gets another plan, and what begins the work. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld, type Work } from '../../../test/support/implementer-world.ts';

const planned: Work = { role: 'planner', outcome: { text: 'Change `src/sum.mjs`.' } };
const again = (words: string): Work => ({
  ...{ role: 'planner', call: 2, outcome: { text: 'Change it with care.' } },
  includes: [words],
});
const work: Work = { steps: goodSteps, includes: ['a person has approved'] };

let world: ImplementerWorld;
let number: number;
beforeEach(async () => {
  world = await ImplementerWorld.open([planned]);
  number = await world.fileIssue('It should add.', { labels: ['planning'] });
  await world.deliver('labeled', { number, isPullRequest: false, label: 'planning' });
  await world.as('bob', 'write');
});
afterEach(() => world.remove());

async function isBegun(): Promise<boolean> {
  const isApproved = (await world.entries(number, 'plan-approved')).length > 0;
  expect((await world.pulls()).length).toBe(isApproved ? 1 : 0);
  return isApproved;
}

it('says how it is approved and how it is changed', async () => {
  const [plan] = await world.said(number);
  expect(plan).toContain('**Shall this be carried out?**');
  expect(plan).toContain('say what should be different');
});

async function expectAsked(answers: number): Promise<void> {
  const said = await world.said(number);
  expect(said).toHaveLength(1 + answers);
  expect(said.at(-1)).toContain('not read as an approval');
  expect(said.at(-1)).toContain('`@claude approve`');
  expect(said.at(-1)).toContain('`@claude revise:`');
  expect(await isBegun()).toBe(false);
  expect(await world.entries(number, 'plan-proposed')).toHaveLength(1);
}

describe('is not carried out, and the person is asked,', () => {
  it.each(['❌ approve', '- [ ] approve', '<del>approve</del>', 'please approve'])('for %s', async (text) => {
    await world.say(number, text);
    await expectAsked(1);
    // Of people who talk among themselves the first is asked.
    await world.say(number, text, { as: 'bob' });
    await expectAsked(1);
  });

  it('each time it is said to us', async () => {
    const answers = ['❌ approve', '👎', 'ja', 'no', 'thanks', '<del>approve</del>', 'approve step 1', ''];
    for (const [index, text] of answers.entries()) {
      await world.say(number, `@claude ${text}`);
      await expectAsked(index + 1);
    }
  });
});

describe('is made anew for', () => {
  it.each([
    'the implementation should use SQLite',
    '@claude looks good, but please use SQLite',
    '@claude revise: approve nothing by itself',
  ])('%s', async (text) => {
    await world.play([again(text)]);
    await world.say(number, text);
    expect(await world.entries(number, 'plan-proposed')).toHaveLength(2);
    expect((await world.said(number)).at(-1)).toContain('Change it with care.');
    expect(await isBegun()).toBe(false);
  });
});

describe('is carried out for', () => {
  it.each(['LGTM 👍', '👍', '> Shall this be carried out?\n\nYes, please.'])('%s', async (text) => {
    await world.play([work]);
    await world.say(number, text);
    expect(await isBegun()).toBe(true);
  });
});

describe('a yes', () => {
  it('counts for the plan only when nobody else has spoken since, or when it is said to us', async () => {
    await world.say(number, 'Is there a test for the empty list?', { as: 'bob' });
    await world.say(number, 'yes');
    expect(await isBegun()).toBe(false);
    expect((await world.said(number)).at(-1)).toContain('not read as an approval');
    // Our own question is no other person's.
    await world.say(number, 'go ahead');
    expect(await isBegun()).toBe(false);
    await world.play([work]);
    await world.say(number, '@claude yes');
    expect(await isBegun()).toBe(true);
  });

  it('does not count after a question of ours to another person', async () => {
    await world.say(number, '@claude approve?');
    await expectAsked(1);
    await world.say(number, 'yes', { as: 'bob' });
    expect(await isBegun()).toBe(false);
  });

  it('counts when that person says it', async () => {
    await world.say(number, '@claude approve?');
    await world.play([work]);
    await world.say(number, 'yes');
    expect(await isBegun()).toBe(true);
  });

  it('counts for nothing when a program says it', async () => {
    await world.play([work], { GATEWRIGHT_BOTS: 'helper[bot]' });
    await world.as('helper[bot]', 'write');
    const [outcome] = await world.say(number, 'yes', { as: 'helper[bot]' });
    expect(outcome?.refused.map(({ because }) => because)).toEqual(['bot']);
    expect(await isBegun()).toBe(false);
  });
});

it('nothing is done for words that are not the writer’s own', async () => {
  const other = await world.fileIssue('It should multiply.');
  for (const text of [
    '<del>@claude implement</del>',
    '~~@claude implement~~',
    '\\@claude implement',
    '<details>\n\n@claude implement\n\n</details>',
    '<template>@claude approve</template>',
    '- [ ] @claude please start',
    'On Monday, Bob wrote:\n\n@claude approve',
  ]) {
    const [outcome] = await world.say(other, text);
    expect(outcome?.outcomes).toEqual([]);
  }
  expect(await world.said(other)).toEqual([]);
  expect(await world.entries(other, 'run-started')).toEqual([]);
});
