/** GitHub tells of a pull request of ours before the run that opened it has written it down: it is still ours. */
import { afterEach, expect, it } from 'vitest';
import { fileOrder, forges, openChain } from '../../test/support/chain-world.ts';
import type { FleetRoom } from '../../test/support/fleet-room.ts';
import { handleEvent, handleOpenEvents } from './handle-event.ts';
import { receiveEvent } from './receive-event.ts';

let world: FleetRoom;
afterEach(() => world.remove());

it.each(forges)(
  'on %s its review is followed by a correction, and both by the merge',
  {
    timeout: 120_000,
  },
  async (forge) => {
    world = await openChain(forge);
    const { own, repository } = world;
    const { event } = await fileOrder(world);
    await receiveEvent(world.house, event);
    const assignment: (readonly string[])[] = [];
    // What GitHub does while the answer to our request is still on its way.
    const early = async (number: number): Promise<void> => {
      const { head } = await world.house.forge.getPullRequest(repository, number);
      const opened = world.event('pull-request-opened', {
        number,
        head: head.sha,
        actor: own,
        actorKind: 'bot',
      });
      const { outcomes } = await handleEvent(world.house, opened, { own });
      assignment.push(outcomes.map(({ run }) => run.request.agent));
    };
    const forgeTold = new Proxy(world.house.forge, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'createPullRequest') return value.bind(target);
        return async (...words: Parameters<typeof target.createPullRequest>) => {
          const made = await target.createPullRequest(...words);
          await early(made.number);
          return made;
        };
      },
    });
    await handleOpenEvents({ ...world.house, forge: forgeTold }, { own }, () => undefined);
    expect(assignment).toEqual([[]]);
    const alice = await world.as('alice');
    const pulls = await alice.listPullRequests(repository, { state: 'all' });
    expect(pulls.map(({ state }) => state)).toEqual(['merged']);
  },
);

it('one that somebody opens by hand under our account is reviewed', async () => {
  world = await openChain('the local forge');
  const { number, head } = await world.openPullRequest('work', { 'a.txt': 'a\n' });
  const opened = world.event('pull-request-opened', { number, head, actor: world.own, actorKind: 'bot' });
  const { outcomes } = await handleEvent(world.house, opened, { own: world.own });
  expect(outcomes.map(({ run }) => run.request.agent)).toContain('reviewer');
});
