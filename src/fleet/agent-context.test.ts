/** What an agent gets to work with cannot do more than its type says. */
import { afterEach, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { implementer } from '../agents/implementer/implementer.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import { makeAgentContext } from './agent-context.ts';

let world: FleetWorld;
afterEach(() => world.remove());

it('gives agents a transport that fetches and cannot push', async () => {
  world = await FleetWorld.open();
  const { house, own, repository } = world;
  const subject = `${repository}#1`;
  const lease = await acquireLease(house, subject);
  const event = world.event('issue-opened', { number: 1, text: '' });
  const request = { workflow: 'agent', agent: 'implementer', repository, number: 1, dryRun: false } as const;
  const place = { title: 'x', root: world.playground.repository };
  const run = {
    id: 'R',
    subject,
    startedAt: event.at,
    request: { ...request, ...place, delivery: event.delivery },
  };
  const { transport } = makeAgentContext(house, implementer, run, event, { own }, lease);
  const main = world.git('rev-parse', 'main');
  expect(await transport.fetchBranch(repository, 'main')).toBe(main);
  expect(await transport.fetchCommit(repository, main, { branch: 'main' })).toBe(main);
  // Nothing that an agent could get at leads to the transport that pushes.
  expect(Reflect.ownKeys(transport)).toEqual(['fetchCommit', 'fetchBranch']);
  expect(Object.getPrototypeOf(transport)).toBe(Object.prototype);
  await lease.release();
});
