/** The same thing told under two deliveries, as by a webhook of the repository and one of a GitHub App, is one event. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import type { EventOf } from '../domain/fleet/event.ts';
import { seeText } from '../domain/forge/seen-text.ts';
import { GatewrightError } from '../errors.ts';
import { handleOpenEvents } from './handle-event.ts';
import { receiveDeliveries } from './receive-event.ts';

let world: FleetWorld;
let order: EventOf<'comment-created'>;

beforeEach(async () => {
  world = await FleetWorld.open();
  order = world.event('comment-created', {
    ...{ number: 1, isPullRequest: false, comment: 7, text: '@claude please' },
    seen: seeText({ title: 'T', body: 'B' }),
  });
});
afterEach(() => world.remove());

const again = { delivery: 'by the app', seen: seeText({ title: 'T', body: 'B, a moment later' }) };
const received = async () =>
  (await world.entries(1)).flatMap(({ kind, key }) => (kind === 'event-received' ? [key] : []));

const receiveDelivery = async (
  records: Parameters<typeof receiveDeliveries>[0],
  event: Parameters<typeof receiveDeliveries>[1][number],
): Promise<boolean> => (await receiveDeliveries(records, [event])).includes(true);

describe('a comment', () => {
  it('that is delivered by two webhooks is one order', async () => {
    expect(await receiveDelivery(world.house, order)).toBe(true);
    expect(await receiveDelivery(world.house, { ...order, ...again })).toBe(false);
    expect(await receiveDelivery(world.house, order)).toBe(false);
    expect(await received()).toEqual([order.delivery]);
    expect(await world.house.views.listOpenEvents()).toHaveLength(1);
  });

  it('is one order also when both come at once', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ ...order, delivery: `at once ${index}` }));
    const taken = await Promise.all(many.map((one) => receiveDelivery(world.house, one)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await received()).toHaveLength(1);
  });

  it('with other words is another order', async () => {
    await receiveDelivery(world.house, order);
    expect(await receiveDelivery(world.house, { ...order, ...again, text: '@claude stop' })).toBe(true);
    expect(await received()).toEqual([order.delivery, again.delivery]);
  });

  it('is one order when the first of the two was killed: before, and after it was written down', async () => {
    const { ledger } = world.house;
    const appendNew: typeof ledger.appendNew = async (...given) => {
      await ledger.appendNew(...given);
      throw new GatewrightError('lease-lost', 'killed');
    };
    const areKnown: typeof ledger.areKnown = (entries) => ledger.areKnown(entries);
    const dying = {
      actor: world.house.actor,
      ledger: { areKnown, appendNew, putText: (text: string) => ledger.putText(text) },
    };
    await expect(receiveDelivery(dying, order)).rejects.toThrow('killed');
    expect(await receiveDelivery(world.house, { ...order, ...again })).toBe(false);
    expect(await received()).toEqual([order.delivery]);
    await handleOpenEvents(world.house, { own: world.own }, () => undefined);
    expect(await world.house.views.listOpenEvents()).toEqual([]);
    // Delivered once more when all is over.
    expect(await receiveDelivery(world.house, { ...order, delivery: 'much later' })).toBe(false);
    expect(await world.house.views.listOpenEvents()).toEqual([]);
  });
});
