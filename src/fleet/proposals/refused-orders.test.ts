/** An order that does not count any more is not waited for: no model is asked, and no workflow is started for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetRoom } from '../../../test/support/fleet-room.ts';
import { setUp } from '../../../test/support/fleet-scene.ts';
import { orderScenes } from '../../../test/support/order-scenes.ts';
import { override } from '../../../test/support/override.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import type { House } from '../../runs/house.ts';

let world: FleetRoom;
let play: ActionsPlay;
let started: string[];

/** The same house after the person who gave the order has lost the permission. */
const without = (house: House): House => ({
  ...house,
  forge: override(house.forge, { permissionOf: async () => 'read' as const }),
  workflows: {
    start: async (_, file) => {
      started.push(file);
    },
  },
});
const runs = () => world.house.views.listRuns({ repository: world.repository });
const labels = async () => (await (await world.look()).getIssue(world.repository, 1)).labels;

beforeEach(async () => {
  started = [];
  const [order] = orderScenes;
  if (order === undefined) throw new Error('There is no scene.');
  ({ world } = await setUp(order));
  play = new ActionsPlay(world);
  await play.receive();
  expect((await play.begin()).next).toBe('propose');
  expect(await labels()).toContain('claude-working');
}, 60_000);
afterEach(() => world.remove());

describe('a person who loses the permission between the jobs', () => {
  it('is not asked for by the job that applies: the run waits for a person', async () => {
    const file = await play.propose();
    const { refused, applied } = await play.apply(file, without(world.house));
    expect(refused).toBeNull();
    // What was paid for counts.
    expect(applied).toMatchObject({ waiting: [], unused: 1 });
    expect(started).toEqual([]);
    expect(await runs()).toMatchObject([
      { status: 'blocked', reason: { code: 'waits-for-model', owner: 'person' } },
    ]);
    expect((await runs())[0]?.reason?.message).toContain('alice has no write permission, only read');
    expect(await labels()).not.toContain('claude-working');
    const forge = await world.look();
    expect(await forge.listPullRequests(world.repository, { state: 'open' })).toEqual([]);
  });

  it('has no model asked by the next workflow run', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await play.begin(without(world.house))).toMatchObject({
        next: 'done',
        applied: { waiting: [] },
      });
    expect(started).toEqual([]);
    expect(await world.house.ledger.verify()).toMatchObject({ problems: [] });
  });
});
