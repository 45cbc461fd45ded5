/**
 * The scenario of loop-scenario.ts as the fleet drives it: what people do on the issue, each thing when nothing more comes
 * of the one before. Played in this process with any house, or in processes that are killed.
 */
import { labelNames } from '../../src/domain/forge/labels.ts';
import type { House } from '../../src/runs/house.ts';
import { letItMerge, makeLaterClock, promoteHint, replanOrder } from './loop-scenario.ts';
import type { LoopWorld } from './loop-world.ts';
import { MortalDispatch } from './mortal-dispatch.ts';

interface Ordering {
  readonly world: LoopWorld;
  readonly house: House;
  /** Lets so many hours go by. */
  readonly pass: (hours: number) => void;
}

type Order = (at: Ordering) => Promise<void>;

const say =
  (words: string): Order =>
  ({ world }) =>
    world.say(words);

const orders: readonly Order[] = [
  ({ world }) => world.label(labelNames.loop),
  say('Only these, in `src/`. It is done when `node --test` passes.'),
  ({ world }) => world.label(labelNames.loopApproved),
  // Now a task is blocked.
  ({ world, house }) => promoteHint(world, house, 'note'),
  async ({ world, pass }) => {
    pass(1);
    await world.say(`@claude replan: ${replanOrder}`);
  },
  say('@claude approve'),
  say('@claude issue: it is empty\nType: Error\nLocation: US-001'),
  say('Works!'),
  ({ world }) => letItMerge(world),
];

/** What this returns gives all orders that are left, and has the fleet do what comes of them. */
export function makeOrders(world: LoopWorld): (house: House, isDead?: () => boolean) => Promise<void> {
  const { clock, pass } = makeLaterClock(world.house);
  let given = 0;
  return async (mortal, isDead = () => false) => {
    const house = { ...mortal, clock };
    for (;;) {
      await world.fleet.catchUp(house);
      const order = orders[given];
      // People wait until the fleet is back.
      if (isDead() || order === undefined) return;
      await order({ world, house, pass });
      given += 1;
    }
  };
}

/** The same by `gatewright dispatch`, which is killed (SIGKILL) at every so-manieth point; returns how often. */
export async function giveOrdersToMortals(world: LoopWorld, every: number): Promise<number> {
  const dispatch = new MortalDispatch(world.fleet, every);
  for (const order of orders) {
    await dispatch.settle();
    await order({ world, house: world.house, pass: (hours) => dispatch.pass(hours) });
  }
  await dispatch.settle();
  return dispatch.deaths;
}
