/** What was right when it was proposed may not be any more: it is done by the rules and the world as they are then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTape } from '../../../test/support/chain-world.ts';
import { setUp } from '../../../test/support/fleet-scene.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { orderScenes } from '../../../test/support/order-scenes.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import type { EntryOf } from '../../domain/ledger/ledger-entry.ts';
import type { Proposal } from '../../domain/proposals/proposal.ts';
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

  it('that another one was faster than is paid for and not used', async () => {
    // The second of two workflow runs that overlap is at the same run of the reviewer.
    const { body } = JSON.parse(file) as { body: Proposal };
    expect((await play.apply(file)).refused).toBeNull();
    await play.begin();
    body.workflowRun += 1;
    for (const { calls } of body.runs)
      for (const { done } of calls)
        if (done.kind === 'asked' && 'usage' in done.end) done.end.usage.costUsd = 0.25;
    const second = sealProposal(world.house.signingKey, body);
    // Once, however often it is applied.
    for (const unused of [1, 0])
      expect(await play.apply(second)).toMatchObject({ refused: null, applied: { unused } });
    expect(await reviews()).toHaveLength(1);
    expect(await failed()).toMatchObject([{ data: { why: 'answer-outdated', usage: { costUsd: 0.25 } } }]);
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

  it('reviews no pull request that is closed by now, and its answer is paid for', async () => {
    await (await world.as('alice')).editPullRequest(world.repository, 1, { state: 'closed' });
    const { applied, refused } = await play.apply(file);
    expect(refused).toBeNull();
    expect(applied?.unused).toBe(1);
    expect(await reviews()).toEqual([]);
    expect(await failed()).toMatchObject([{ data: { why: 'answer-outdated' } }]);
    const [run] = await world.house.views.listRuns({ repository: world.repository });
    expect(run).toMatchObject({ status: 'done', reason: { message: 'nothing to review: #1 is closed' } });
  });

  it('does nothing that only the file speaks of', async () => {
    const { body } = JSON.parse(file) as { body: Parameters<typeof sealProposal>[1] };
    const kinds = ['merge-pull-request', 'create-comment', 'push-branch', 'edit-issue', 'create-issue'];
    const runs = body.runs.map((run) => ({
      ...run,
      intended: [
        ...run.intended,
        ...kinds.map((kind) => ({ key: `${run.run}/${kind}`, kind, hash: sha256(kind) })),
      ],
    }));
    const forged = sealProposal(world.house.signingKey, { ...body, runs } as typeof body);
    expect((await play.apply(forged)).refused).toBeNull();
    const deeds = (await world.entries(1)).flatMap((entry) =>
      entry.kind === 'effect-intended' ? [entry.data.effect.kind] : [],
    );
    expect(deeds).toEqual(['create-review']);
    expect(await reviews()).toMatchObject([{ commit: head }]);
  });

  it('whose question another workflow run had answered is paid for and not used', async () => {
    const { body } = JSON.parse(file) as {
      body: { runs: { calls: { done: { end: { usage: { costUsd: number } } } }[] }[] };
    };
    for (const { calls } of body.runs) for (const { done } of calls) done.end.usage.costUsd = 0.25;
    const other = sealProposal(world.house.signingKey, body as unknown as Parameters<typeof sealProposal>[1]);
    expect((await play.apply(file)).applied?.unused).toBe(0);
    for (const time of [1, 2]) {
      expect((await play.apply(other)).refused, `${time}`).toBeNull();
      expect(await reviews()).toHaveLength(1);
      expect(await failed()).toMatchObject([{ data: { why: 'answer-outdated', usage: { costUsd: 0.25 } } }]);
    }
    const [run] = await world.house.views.listRuns({ repository: world.repository });
    expect(run?.costUsd).toBeGreaterThanOrEqual(0.25);
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

describe('work on an issue', () => {
  const order = (): ReturnType<typeof setUp> => {
    const [scene] = orderScenes;
    if (scene === undefined) throw new Error('There is no scene.');
    return setUp(scene);
  };

  it.each([
    ['closed', { state: 'closed' as const }],
    ['on hold', { addLabels: [labelNames.hold] }],
  ])('is not proposed where it is %s by now', async (_, change) => {
    const { world: room } = await order();
    try {
      const own = new ActionsPlay(room);
      await own.receive();
      await own.begin();
      const proposal = await own.propose();
      const alice = await room.as('alice');
      await alice.ensureLabel(room.repository, { name: labelNames.hold, colour: 'ededed', description: '' });
      await alice.editIssue(room.repository, 1, change);
      expect((await own.apply(proposal)).refused).toBeNull();
      const forge = await room.look();
      expect(await forge.listPullRequests(room.repository)).toEqual([]);
      expect(room.git('branch', '--list').split('\n')).toHaveLength(1);
      expect((await forge.getIssue(room.repository, 1)).labels).not.toContain(labelNames.working);
    } finally {
      await room.remove();
    }
  });
});
