/** What was right when it was proposed may not be any more: it is done by the rules and the world as they are then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTape } from '../../../test/support/chain-world.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import type { EntryOf } from '../../domain/ledger/ledger-entry.ts';
import { sealProposal } from '../../domain/proposals/seal-proposal.ts';

let world: FleetWorld;
let play: ActionsPlay;
let head: string;
let file: string;

const review = (call: number) => ({
  ...{ role: 'reviewer', call, request: { includes: ['topic.txt'] } },
  answer: { object: { summary: 'Fine.', findings: [] } },
});

const reviews = async () => (await world.look()).listReviews(world.repository, 1);
const failed = async (): Promise<EntryOf<'model-failed'>[]> =>
  (await world.entries(1)).filter((entry) => entry.kind === 'model-failed');

beforeEach(async () => {
  const plain = await FleetWorld.open();
  ({ head } = await plain.openPullRequest('topic', { 'topic.txt': 'x\n' }));
  const settings = playTape(plain, { calls: [review(1), review(2)] });
  world = await plain.reopen({ ...settings, GATEWRIGHT_AGENTS: 'reviewer' });
  play = new ActionsPlay(world, ['reviewer']);
  await play.receive();
  expect((await play.begin()).next).toBe('propose');
  file = await play.propose();
});
afterEach(() => world.remove());

describe('a proposal from before', () => {
  it('posts its review once, however often it is applied', async () => {
    for (let time = 0; time < 3; time += 1) expect((await play.apply(file)).refused).toBeNull();
    expect(await reviews()).toMatchObject([{ commit: head }]);
    expect(await failed()).toEqual([]);
  });

  it('says in words that the run waits, and counts no attempt', async () => {
    const [run] = await world.house.views.listRuns({ repository: world.repository });
    expect(run).toMatchObject({ status: 'waiting', reason: { code: 'waits-for-model', owner: 'time' } });
    expect(run?.reason?.message).toBe('It waits for a model: the reviewer, call 1.');
    expect(await world.house.views.listOpenEvents()).toHaveLength(1);
    expect((await play.begin()).next).toBe('propose');
    expect(await failed()).toEqual([]);
  });

  it('of yesterday is refused by the workflow run of today', async () => {
    await play.begin();
    expect((await play.apply(file)).refused).toContain('it is for another workflow run');
    expect(await reviews()).toEqual([]);
  });

  it('reviews no head that the pull request has not any more', async () => {
    const { playground } = world;
    playground.git('checkout', '--quiet', 'topic');
    playground.commit({ 'topic.txt': 'y\n' });
    playground.git('checkout', '--quiet', 'main');
    const { applied, refused } = await play.apply(file);
    expect(refused).toBeNull();
    // The new head is reviewed next.
    expect(applied?.waiting).toHaveLength(1);
    expect(await reviews()).toEqual([]);
    const deeds = (await world.entries(1)).map(({ kind }) => kind);
    // What was paid for counts.
    expect(deeds).toContain('model-answered');
  });

  it('whose question is another one by now is paid for and not used', async () => {
    const end = JSON.parse(file) as { body: { runs: { calls: { prompt: string }[] }[] } };
    const { body } = end;
    for (const { calls } of body.runs) for (const call of calls) call.prompt = 'f'.repeat(64);
    const other = sealProposal(world.house.signingKey, body as Parameters<typeof sealProposal>[1]);
    const { applied } = await play.apply(other);
    expect(applied?.unused).toBe(1);
    expect(applied?.waiting).toHaveLength(1);
    expect(await reviews()).toEqual([]);
    expect(await failed()).toMatchObject([{ data: { why: 'answer-outdated', role: 'reviewer' } }]);
    const started: string[] = [];
    const start = async (repository: string, name: string, branch: string): Promise<void> => {
      started.push(`${repository} ${name} ${branch}`);
    };
    // A job that is run again has the model asked once more, and starts the workflow for it once.
    for (let time = 0; time < 2; time += 1) await play.apply(other, { ...world.house, workflows: { start } });
    expect(started).toEqual([`${world.repository} claude-review.yml main`]);
    expect(await failed()).toHaveLength(1);
  });
});
