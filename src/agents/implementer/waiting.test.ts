/** What waits for a person is in `status`, with what to say, for as long as it waits. */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld, type Work } from '../../../test/support/implementer-world.ts';

const quick = { GATEWRIGHT_VERIFY: 'true' };
const plan = (call: number): Work => ({ role: 'planner', call, outcome: { text: `Plan ${call}.` } });
let world: ImplementerWorld;
afterEach(() => world.remove());

const waiting = async () => {
  const { playground } = world.fleet;
  const status = (await playground.json(['status'])) as {
    readonly waitingOnForge: readonly { readonly subject: string; readonly what: string }[];
  };
  return status.waitingOnForge.map(({ subject, what }) => [subject, what]);
};

async function askForPlan(): Promise<number> {
  const number = await world.fileIssue('It should add.', { labels: ['planning'] });
  await world.deliver('labeled', { number, isPullRequest: false, label: 'planning' });
  return number;
}

describe('what waits for a person', () => {
  it('is a plan, until it is approved or its issue is closed; the newest only', async () => {
    world = await ImplementerWorld.open([plan(1), plan(2)], quick);
    const number = await askForPlan();
    const subject = `${world.repository}#${number}`;
    expect(await waiting()).toEqual([[subject, 'plan']]);
    await world.say(number, '@claude another one');
    expect(await waiting()).toEqual([[subject, 'plan']]);
    const { playground } = world.fleet;
    const { stdout } = await playground.run(['status']);
    expect(stdout).toContain('Waiting for you (1)');
    expect(stdout).toMatch(new RegExp(`● ${subject} · .*\\n +its plan waits for an answer`, 'u'));
    expect(stdout).toContain('comment there: @claude approve');
    expect(await playground.json(['status'])).toMatchObject({
      waitingOnForge: [{ subject, what: 'plan', how: 'comment there: @claude approve (or what to change)' }],
    });
    const alice = await world.as('alice');
    await alice.editIssue(world.repository, number, { state: 'closed' });
    expect(await waiting()).toEqual([]);
    await alice.editIssue(world.repository, number, { state: 'open' });
    expect(await waiting()).toEqual([[subject, 'plan']]);
    await world.play([{ steps: goodSteps }], quick);
    await world.say(number, '@claude approve');
    expect(await world.pulls()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('is work whose turns ran out too often, until somebody says to go on', async () => {
    const outOfTurns = (call: number): Work => ({
      ...{ call, outcome: { turnsExhausted: true } },
      steps: [{ write: `part-${call}.txt`, content: 'x' }],
    });
    world = await ImplementerWorld.open([1, 2, 3].map(outOfTurns), quick);
    const { number } = await world.order();
    expect(await waiting()).toEqual([[`${world.repository}#${number}`, 'continue']]);
    await world.play([{ call: 4, steps: goodSteps }], quick);
    await world.say(number, '@claude continue');
    expect(await world.pulls()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('is a pull request whose review is not clean after all corrections, until it is closed', async () => {
    const fix = (call: number): Work => ({
      ...{ role: 'fixer', call },
      steps: [{ write: `fix-${call}.txt`, content: 'x' }],
    });
    world = await ImplementerWorld.open([{ steps: goodSteps }, fix(1), fix(2)], quick);
    await world.order();
    const [pull] = await world.pulls();
    const number = pull?.number ?? 0;
    for (const title of ['One', 'Two', 'Three']) await world.review(number, title);
    expect(await waiting()).toEqual([[`${world.repository}#${number}`, 'fix']]);
    await world.recordReview(number, 'Clean', true);
    expect(await waiting()).toEqual([]);
  });
});
