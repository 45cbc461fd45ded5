/** One bad event keeps nobody else waiting, and who has lost the right to order something is not followed any more. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { GatewrightError } from '../errors.ts';
import { handleOpenEvents } from './handle-event.ts';
import { receiveEvent } from './receive-event.ts';
import { watchFleet } from './watch-fleet.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open({ 'a.txt': 'a\n' });
});
afterEach(() => world.remove());

async function fileIssue(as = 'alice'): Promise<number> {
  const issue = { title: 'Something', body: '', labels: [] };
  return (await (await world.as(as)).createIssue(world.repository, issue)).number;
}

describe('an event that cannot be settled', () => {
  it('keeps no other waiting, and is told in the end', async () => {
    const number = await fileIssue();
    const comment = { number, isPullRequest: false, text: '@claude do it', actorKind: 'person' as const };
    const bad = world.event('comment-created', { ...comment, comment: 1, actor: 'vanished' });
    const good = world.event('comment-created', { ...comment, comment: 2, actor: 'mallory' });
    for (const event of [bad, good]) await receiveEvent(world.house, event);
    const { forge } = world.house;
    const broken = {
      ...world.house,
      forge: Object.assign(Object.create(forge) as typeof forge, {
        permissionOf: async (repository: string, actor: string) => {
          if (actor === 'vanished') throw new GatewrightError('forge-unavailable', 'Nobody knows.');
          return forge.permissionOf(repository, actor);
        },
      }),
    };
    const settled: string[] = [];
    const settling = handleOpenEvents(broken, { own: world.own }, ({ event }) => settled.push(event.actor));
    await expect(settling).rejects.toMatchObject({ code: 'forge-unavailable' });
    expect(settled).toEqual(['mallory']);
    expect((await world.house.views.listOpenEvents()).map(({ delivery }) => delivery)).toEqual([
      bad.delivery,
    ]);
    // When it can be asked again, it is settled too.
    await world.settle();
    expect(await world.house.views.listOpenEvents()).toEqual([]);
  });

  it('is not one about a label of something that is gone', async () => {
    const gone = world.event('labeled', {
      number: 999,
      isPullRequest: false,
      label: 'AI: Approved',
      actor: 'tina',
    });
    const [outcome] = await world.deliver(gone);
    expect(outcome).toMatchObject({ isSettled: true, outcomes: [], refused: [] });
  });
});

describe('a right that is lost', () => {
  it('between the order and its settling counts for nothing', async () => {
    const bob = await world.as('bob', 'write');
    const number = await fileIssue();
    const { id: comment } = await bob.createComment(world.repository, number, '@claude do it');
    const event = world.event('comment-created', {
      ...{ number, isPullRequest: false, comment, text: '@claude do it', actor: 'bob' },
    });
    await receiveEvent(world.house, event);
    await world.as('bob', 'read');
    const [outcome] = await world.settle();
    expect(outcome).toMatchObject({ outcomes: [], refused: [{ because: 'not-permitted' }] });
  });

  it('while the work was stopped keeps a watch from going on with it', async () => {
    await world.as('bob', 'write');
    const number = await fileIssue();
    // Its coder cannot be asked, and time could help that.
    const file = world.cassette({
      format: 'gatewright-cassette/1',
      about: 'An agent that is out of quota.',
      models: { coder: { name: 'claude-sonnet-4-5', title: 'Claude' } },
      work: [
        {
          ...{ role: 'implementer', call: 1, request: { includes: ['BEGIN'] }, steps: [] },
          outcome: { quota: { until: '2020-01-01T00:00:00.000Z' } },
        },
      ],
    });
    const fleet = await world.reopen({
      GATEWRIGHT_CODER: `cassette:${file}`,
      GATEWRIGHT_AGENTS: 'implementer',
    });
    const order = { number, isPullRequest: false, comment: 1, text: '@claude do it', actor: 'bob' };
    const [first] = await fleet.deliver(fleet.event('comment-created', order));
    const stopped = first?.outcomes[0];
    expect(stopped?.status).toBe('paused');
    await world.as('bob', 'read');
    const stop = new AbortController();
    const { eventFeed } = fleet.house;
    if (eventFeed === null) throw new Error('this forge tells nothing');
    const troubles: unknown[] = [];
    const watching = watchFleet(fleet.house, eventFeed, {
      ...{ own: fleet.own, signal: stop.signal, workers: 1, pollMilliseconds: 20 },
      dueEvents: async () => [],
      onEvent: () => undefined,
      onSettled: () => undefined,
      onTrouble: (error) => troubles.push(error),
    });
    const refused = async () =>
      (await fleet.entries(number)).filter(
        (entry) => entry.kind === 'event-refused' && entry.data.by === 'bob',
      );
    await expect.poll(refused, { timeout: 20_000 }).toHaveLength(1);
    await new Promise((done) => setTimeout(done, 200));
    stop.abort();
    await watching;
    expect(troubles).toEqual([]);
    expect((await fleet.entries(number)).filter(({ kind }) => kind === 'run-resumed')).toEqual([]);
    expect(await refused()).toHaveLength(1);
  }, 240_000);
});
