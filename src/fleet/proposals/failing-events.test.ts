/** An event whose handling fails keeps no other from being handled, and a run that fails keeps no answer from counting. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTape } from '../../../test/support/chain-world.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { override } from '../../../test/support/override.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import type { House } from '../../runs/house.ts';

let world: FleetWorld;

beforeEach(async () => {
  const plain = await FleetWorld.open();
  for (const branch of ['one', 'two']) await plain.openPullRequest(branch, { [`${branch}.txt`]: 'x\n' });
  const calls = ['one', 'two'].map((branch) => ({
    ...{ role: 'reviewer', call: 1, request: { includes: [`${branch}.txt`] } },
    answer: { object: { summary: 'Fine.', findings: [] } },
  }));
  world = await plain.reopen({ ...playTape(plain, { calls }), GATEWRIGHT_AGENTS: 'reviewer' });
});
afterEach(() => world.remove());

/** The same, but about one subject nothing can be done. */
const withBroken = (house: House, subject: string): House => ({
  ...house,
  leases: override(house.leases, {
    acquire: (wanted: string) =>
      wanted === subject ? Promise.reject(new TypeError('It broke.')) : house.leases.acquire(wanted),
  }),
});

describe('an event that fails', () => {
  it('is told, stays open, and blocks no other', async () => {
    const play = new ActionsPlay(world, ['reviewer']);
    await play.receive();
    const subject = `${world.repository}#1`;
    const { next, applied } = await play.begin(withBroken(world.house, subject));
    expect(next).toBe('propose');
    expect(applied?.waiting).toMatchObject([{ subject: `${world.repository}#2` }]);
    expect(applied?.failures).toMatchObject([{ subject, error: { message: 'It broke.' } }]);
    expect(await world.house.views.listOpenEvents()).toHaveLength(2);
    // What was broken is mended: it is handled by the next job.
    expect((await play.begin()).applied).toMatchObject({ failures: [], waiting: [{}, {}] });
  });
});

describe('a job that asks models', () => {
  it('begins no run after half of its time, so that it comes to its end', async () => {
    const play = new ActionsPlay(world, ['reviewer']);
    await play.receive();
    await play.begin();
    let now = Date.now();
    const file = await play.propose((house) => ({
      ...house,
      clock: override(house.clock, { now: () => new Date(now) }),
      leases: override(house.leases, {
        acquire: (subject: string) => {
          now += 16 * 60_000;
          return house.leases.acquire(subject);
        },
      }),
    }));
    const started: string[] = [];
    const start = async (_: string, name: string): Promise<void> => void started.push(name);
    const { applied } = await play.apply(file, { ...world.house, workflows: { start } });
    expect(applied).toMatchObject({ waiting: [{ subject: `${world.repository}#2` }] });
    expect(started).toContain('claude-review.yml');
  });
});

describe('a run that fails while models are asked', () => {
  it('waits on, and the answers for the others count', async () => {
    const play = new ActionsPlay(world, ['reviewer']);
    await play.receive();
    await play.begin();
    const file = await play.propose((house) => withBroken(house, `${world.repository}#1`));
    const { applied } = await play.apply(file);
    expect(applied).toMatchObject({ failures: [], waiting: [{ subject: `${world.repository}#1` }] });
    const forge = await world.look();
    expect(await forge.listReviews(world.repository, 2)).toHaveLength(1);
    expect(await forge.listReviews(world.repository, 1)).toEqual([]);
  });

  it('fails the job where no answer would be lost', async () => {
    const play = new ActionsPlay(world, ['reviewer']);
    await play.receive();
    await play.begin();
    const proposing = play.propose((house) =>
      withBroken(withBroken(house, `${world.repository}#1`), `${world.repository}#2`),
    );
    await expect(proposing).rejects.toThrow('It broke.');
  });
});
