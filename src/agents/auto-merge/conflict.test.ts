/**
 * From a conflict with the base to the merge, on both forges: auto-merge notices it, the implementer settles it, and the
 * new head is reviewed and tested before it is merged. What people allowed for the old head does not count for the new.
 */
import { afterEach, describe, expect, it } from 'vitest';
import {
  chainFiles,
  fileOrder,
  forges,
  openChain,
  playTape,
  wholeTape,
} from '../../../test/support/chain-world.ts';
import type { FleetRoom } from '../../../test/support/fleet-room.ts';
import type { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { pullRequestRule } from '../../../test/support/github-rules.ts';
import { setLabel, tellLabel } from '../../../test/support/reviewed-pull-request.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

const theirs = 'export function sum(a, b) {\n  return a - b - 0;\n}\n';
const both = 'export function sum(a, b) {\n  return a + b + 0;\n}\n';
const cleanReview = (call: number) => ({
  ...{ role: 'reviewer', call, request: { includes: ['src/sum.mjs'] } },
  answer: { object: { summary: 'Fine.', findings: [] } },
});
const merger = (call: number, steps: readonly object[] = [{ write: 'src/sum.mjs', content: both }]) => ({
  ...{ role: 'merger', call, request: { includes: ['src/sum.mjs (contents)'] }, steps },
  outcome: {
    text: 'Done.',
    object: { summary: 'Both are kept.', testing: 'A test.', risk: 'auto-merge', questions: [] },
  },
});
const tape = {
  work: [wholeTape.work?.[0] ?? {}, merger(1), merger(2)],
  calls: [1, 2, 3].map(cleanReview),
};

let world: FleetRoom;
afterEach(() => world.remove());

/** The pull request of an order; its base moves on before anybody has reviewed it. */
async function openConflict(forge: (typeof forges)[number]): Promise<number> {
  world = await openChain(forge, tape, { GATEWRIGHT_AGENTS: 'implementer' });
  const { event } = await fileOrder(world);
  await world.deliver(event);
  const [pull] = await (await world.as('alice')).listPullRequests(world.repository, { state: 'open' });
  world.commitToMain({ 'src/sum.mjs': theirs });
  world = await world.reopen({
    ...playTape(world, tape),
    GATEWRIGHT_AGENTS: 'implementer,reviewer,auto-merge',
  });
  return pull?.number ?? 0;
}

const pullOf = async (number: number) => (await world.as('alice')).getPullRequest(world.repository, number);

async function wake(number: number): Promise<string[]> {
  const { head } = await pullOf(number);
  const outcomes = await world.deliver(world.event('pull-request-reopened', { number, head: head.sha }));
  return outcomes.flatMap(({ outcomes: runs }) =>
    runs.map(({ run, reason }) => `${run.request.agent}: ${reason.message}`),
  );
}

describe.each(forges)('a conflict on %s', (forge) => {
  it('is noticed, settled, reviewed again and merged', async () => {
    const number = await openConflict(forge);
    const before = await pullOf(number);
    const said = await wake(number);
    const { head, state } = await pullOf(number);
    expect(said).toEqual([
      `reviewer: #${number} at ${before.head.sha.slice(0, 12)}: no issues`,
      expect.stringContaining('conflicts with its base'),
      `implementer: #${number} was brought up to date with ${head.sha.slice(0, 12)}`,
      `reviewer: #${number} at ${head.sha.slice(0, 12)}: no issues`,
      `auto-merge: merged #${number}`,
    ]);
    expect(state).toBe('merged');
    expect(world.fileAt('main', 'src/sum.mjs').trimEnd()).toBe(both.trimEnd());
    // The commit says what was done, and not only the title.
    const message = world.git('log', '-1', '--format=%B', 'main');
    expect(message).toContain(`sum adds now.\n\nBoth are kept.\n\nFor #1. Reviewed at ${head.sha}.`);
  });

  it('takes the grant of a person with it: the new head needs their word anew', async () => {
    const number = await openConflict(forge);
    const alice = await world.as('alice');
    const { head } = await pullOf(number);
    await alice.editIssue(world.repository, number, { removeLabels: ['auto-merge'] });
    await setLabel(world, number, 'auto-merge');
    await tellLabel(world, { number, head: head.sha });
    const said = await wake(number);
    expect(said.at(-1)).toContain('holds for that commit only: newer commits were pushed');
    expect((await pullOf(number)).state).toBe('open');
  });
});

describe('an approval on GitHub', () => {
  it('of the head before a conflict was settled does not count for the head after it', async () => {
    const number = await openConflict('GitHub');
    const { stored } = world as GithubFleetWorld;
    const pullRule = pullRequestRule({ required_approving_review_count: 1 });
    stored.rules.rulesets.push({ id: 7, branch: 'main', bypass: 'never', rules: [pullRule] });
    const approve = async () => {
      const { head } = await pullOf(number);
      const review = { commit: head.sha, decision: 'approve' as const, body: 'Good.', comments: [] };
      await (await world.as('bob', 'write')).createReview(world.repository, number, review);
    };
    await approve();
    expect((await wake(number)).at(-1)).toContain('GitHub requires 1 approving review');
    expect((await pullOf(number)).state).toBe('open');
    await approve();
    await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'x' }));
    expect((await pullOf(number)).state).toBe('merged');
  });
});

describe('a conflict that stays', () => {
  it('is explained with the word that settles it, and noticed no more after its limit', async () => {
    const number = await openConflict('the local forge');
    const lazy = [{ write: 'notes.md', content: 'x\n' }];
    world = await world.reopen({
      ...playTape(world, { ...tape, work: [merger(1, lazy), merger(2, lazy)] }),
      GATEWRIGHT_AGENTS: 'implementer,reviewer,auto-merge',
    });
    const explain = async () => {
      const { conditions } = await explainNumber(world.house, world.own, number);
      return conditions.map(({ what, command }) => ({ what, command }));
    };
    const settles = {
      what: 'it conflicts with its base',
      command: expect.stringMatching(/^gatewright forge issue comment \d+ --body '@claude continue'/u),
    };
    expect(await explain()).toContainEqual(settles);
    expect((await wake(number)).at(-1)).toContain('a person is needed');
    const explained = await explain();
    expect(explained).toContainEqual(settles);
    expect(explained.map(({ what }) => what)).toContain('reached the update limit (2) since the last order');
    const { head } = await pullOf(number);
    const label = { number, isPullRequest: true, label: 'x', head: head.sha } as const;
    const outcomes = await world.deliver(world.event('unlabeled', label));
    expect(outcomes.flatMap((one) => one.outcomes.map(({ run }) => run.request.agent))).toEqual([
      'auto-merge',
    ]);
  });

  it('of another author is told once for a head, where it is to be merged', async () => {
    world = await openChain('the local forge', { calls: [cleanReview(1)] });
    const { number } = await world.openPullRequest('topic', { 'src/sum.mjs': theirs });
    world.commitToMain({ 'src/sum.mjs': `// x\n${chainFiles['src/sum.mjs'].replace('a - b', 'b - a')}` });
    await wake(number);
    const alice = await world.as('alice');
    const said = async () => (await alice.listComments(world.repository, number)).map(({ body }) => body);
    expect(await said()).toEqual([]);
    await setLabel(world, number, 'auto-merge');
    for (const label of ['x', 'y'])
      await world.deliver(world.event('unlabeled', { number, isPullRequest: true, label }));
    expect(await said()).toEqual([expect.stringContaining('it conflicts.')]);
  });
});
