/** An event whose handling fails keeps no other from being handled. */
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
  world = await plain.reopen({ ...playTape(plain, { calls: [] }), GATEWRIGHT_AGENTS: 'reviewer' });
});
afterEach(() => world.remove());

describe('an event that fails', () => {
  it('is told, stays open, and blocks no other', async () => {
    const play = new ActionsPlay(world, ['reviewer']);
    await play.receive();
    const subject = `${world.repository}#1`;
    const leases = override(world.house.leases, {
      acquire: (wanted: string) =>
        wanted === subject ? Promise.reject(new TypeError('It broke.')) : world.house.leases.acquire(wanted),
    });
    const house: House = { ...world.house, leases };
    const { next, applied } = await play.begin(house);
    expect(next).toBe('propose');
    expect(applied?.waiting).toMatchObject([{ subject: `${world.repository}#2` }]);
    expect(applied?.failures).toMatchObject([{ subject, error: { message: 'It broke.' } }]);
    expect(await world.house.views.listOpenEvents()).toHaveLength(2);
    // What was broken is mended: it is handled by the next job.
    expect((await play.begin()).applied).toMatchObject({ failures: [], waiting: [{}, {}] });
  });
});
