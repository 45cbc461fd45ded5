/** What another process works on is tried again, and is not lost when that takes longer than a job can wait. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTape } from '../../../test/support/chain-world.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { override } from '../../../test/support/override.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import type { Lease } from '../../ports/leases.ts';
import type { House } from '../../runs/house.ts';

let world: FleetWorld;
let play: ActionsPlay;
let slept: number;
let started: string[];

/** A house whose clock moves only while a job waits. @param onWait called each time, with how long was waited so far */
function houseThatWaits(onWait: (milliseconds: number) => Promise<void> | void = () => {}): House {
  const begun = Date.now();
  const clock = override(world.house.clock, {
    now: () => new Date(begun + slept),
    sleep: async (milliseconds: number) => {
      slept += milliseconds;
      await onWait(slept);
    },
  });
  const start = async (_: string, file: string): Promise<void> => {
    started.push(file);
  };
  return { ...world.house, clock, workflows: { start } };
}

async function hold(number: number): Promise<Lease> {
  const got = await world.house.leases.acquire(`${world.repository}#${number}`);
  if (!('lease' in got)) throw new Error('It is held.');
  return got.lease;
}

const openEvents = () => world.house.views.listOpenEvents();

beforeEach(async () => {
  [slept, started] = [0, []];
  const plain = await FleetWorld.open();
  await plain.openPullRequest('one', { 'one.txt': 'x\n' });
  const review = {
    ...{ role: 'reviewer', call: 1, request: { includes: ['one.txt'] } },
    answer: { object: { summary: 'Fine.', findings: [] } },
  };
  const settings = playTape(plain, { calls: [review] });
  world = await plain.reopen({ ...settings, GATEWRIGHT_AGENTS: 'reviewer' });
  play = new ActionsPlay(world, ['reviewer']);
  await play.receive();
});
afterEach(() => world.remove());

describe('an event about something that another process works on', () => {
  it('is handled by the same job once that one is done', async () => {
    const lease = await hold(1);
    const house = houseThatWaits((waited) => (waited === 60_000 ? lease.release() : undefined));
    const { next, applied } = await play.begin(house);
    expect(slept).toBe(60_000);
    expect(next).toBe('propose');
    expect(applied).toMatchObject({ left: [], waiting: [{}], outcomes: [{ isHeld: false }] });
    expect(started).toEqual([]);
  });

  it('is told, and its workflow is started again, by each workflow run up to a limit', async () => {
    const lease = await hold(1);
    const house = houseThatWaits();
    const { next, applied } = await play.begin(house);
    expect(next).toBe('done');
    expect(slept).toBe(180_000);
    expect(applied?.left).toMatchObject([{ subject: `${world.repository}#1` }]);
    expect(await openEvents()).toHaveLength(1);
    expect(started).toEqual(['claude-review.yml']);
    for (let time = 2; time <= 10; time += 1) expect((await play.begin(house)).notStarted).toEqual([]);
    expect(started).toHaveLength(10);
    expect((await play.begin(house)).notStarted).toMatchObject([
      { why: expect.stringContaining('10 times') },
    ]);
    expect(started).toHaveLength(10);
    await lease.release();
    expect((await play.begin(house)).next).toBe('propose');
    expect(await world.house.ledger.verify()).toMatchObject({ problems: [] });
  });

  it('is not waited for where the next job of the workflow run looks again', async () => {
    await world.openPullRequest('two', { 'two.txt': 'x\n' });
    await play.receive();
    const lease = await hold(1);
    expect((await play.begin(houseThatWaits())).next).toBe('propose');
    expect([slept, started]).toEqual([0, []]);
    await lease.release();
  });
});

describe('a run that another process works on', () => {
  it('gets its answer in the same job once that one is done', async () => {
    await play.begin();
    const file = await play.propose();
    const lease = await hold(1);
    const house = houseThatWaits((waited) => (waited === 10_000 ? lease.release() : undefined));
    expect(await play.apply(file, house)).toMatchObject({ applied: { left: [], waiting: [] } });
    // It was handed on, and this workflow has nothing left.
    expect(started).toEqual(['auto-merge.yml']);
    expect(await (await world.look()).listReviews(world.repository, 1)).toHaveLength(1);
  });

  it('has the workflow started again when it is held for long', async () => {
    await play.begin();
    const file = await play.propose();
    const lease = await hold(1);
    const { started: files, notStarted } = await play.apply(file, houseThatWaits());
    expect({ files, notStarted, started }).toEqual({
      files: ['claude-review.yml'],
      notStarted: [],
      started: ['claude-review.yml'],
    });
    await lease.release();
  });
});
