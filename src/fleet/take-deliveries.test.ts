/** Deliveries of the inbox reach the ledger once, and stay in the inbox until they do. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { openDatabase } from '../adapters/sqlite/database.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Inbox } from '../ports/inbox.ts';
import { takeDeliveries } from './take-deliveries.ts';

let world: FleetWorld;
let troubles: unknown[];
let told: string[];
beforeEach(async () => {
  world = await FleetWorld.open();
  [troubles, told] = [[], []];
});
afterEach(() => world.remove());

const telling = {
  onEvent: ({ delivery }: FleetEvent) => void told.push(delivery),
  onTrouble: (error: unknown) => void troubles.push(error),
};

const comment = (number: number, id: number): FleetEvent =>
  world.event('comment-created', {
    ...{ number, isPullRequest: false, comment: id, text: 'Nice.', delivery: `d-${id}`, actor: 'alice' },
  });

/** In memory; what was not taken is handed out again. */
function fill(events: readonly FleetEvent[]): Inbox & { left: FleetEvent[]; kept: FleetEvent[] } {
  let handed: FleetEvent[] = [];
  const inbox = {
    left: [...events],
    kept: [] as FleetEvent[],
    yieldToReceiver: async () => false,
    next: async (limit: number) => {
      handed = inbox.left.slice(0, limit);
      return handed;
    },
    taken: async ({ all }: { readonly all: boolean }) => {
      inbox.left = inbox.left.slice(handed.length);
      if (!all) inbox.kept.push(...handed);
    },
  };
  return inbox;
}

const received = async (number: number) =>
  (await world.entries(number)).flatMap(({ kind, key }) => (kind === 'event-received' ? [key] : []));

it('writes each once, also when it is handed out again', async () => {
  const events = Array.from({ length: 250 }, (_, index) => comment(1 + (index % 3), index + 1));
  expect(await takeDeliveries(world.house, fill([...events, ...events]), telling)).toBe(false);
  expect(told).toEqual(events.map(({ delivery }) => delivery));
  expect((await received(1)).length + (await received(2)).length + (await received(3)).length).toBe(250);
});

it('says that there is more rather than keep the fleet waiting', async () => {
  const inbox = fill(Array.from({ length: 2_500 }, (_, index) => comment(1, index + 1)));
  expect(await takeDeliveries(world.house, inbox, telling)).toBe(true);
  expect(inbox.left).toHaveLength(2_500 - 60 * 32);
  expect(await takeDeliveries(world.house, inbox, telling)).toBe(false);
  expect(await received(1)).toHaveLength(2_500);
});

it('keeps only what a chain that was tampered with does not take', async () => {
  await takeDeliveries(world.house, fill([comment(1, 1), comment(2, 2)]), telling);
  openDatabase(world.playground.database).exec(`UPDATE ledger SET actor = 'mallory' WHERE key = 'd-1'`);
  const inbox = fill([comment(1, 3), comment(2, 4), comment(1, 5), comment(3, 6)]);
  expect(await takeDeliveries(world.house, inbox, telling)).toBe(false);
  expect(await received(1)).toEqual(['d-1']);
  expect([...(await received(2)), ...(await received(3))]).toEqual(['d-2', 'd-4', 'd-6']);
  expect(troubles.map((error) => isGatewrightError(error, 'ledger-broken'))).toEqual([true, true]);
  expect(inbox.kept).toHaveLength(4);
});

it('leaves everything in the inbox while the ledger cannot be written', async () => {
  const inbox = fill([comment(1, 1)]);
  const full = async (): Promise<never> => {
    throw new GatewrightError('disk-full', 'No room.');
  };
  const ledger = Object.assign(Object.create(world.house.ledger), { appendNew: full, areKnown: full });
  await expect(takeDeliveries({ ...world.house, ledger }, inbox, telling)).rejects.toThrow('No room.');
  expect(inbox.left).toHaveLength(1);
  expect(await takeDeliveries(world.house, inbox, telling)).toBe(false);
  expect(await received(1)).toEqual(['d-1']);
});
