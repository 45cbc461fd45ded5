/** What a cancelled run kept for other machines is given up with it. The rest is in test/e2e/cancelled-work.test.ts. */
import { expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import { tidyUpCancelled } from './tidy-up-cancelled.ts';

it('gives up the work that a cancelled run kept, which this machine may not have seen yet', async () => {
  const world = await FleetWorld.open();
  const { number, head } = await world.openPullRequest('one', { 'one.txt': 'x\n' });
  await world.deliver(world.event('pull-request-opened', { number, head }));
  const runs = await world.house.views.listRuns({ repository: world.repository });
  const run = runs.find(({ request }) => 'agent' in request && request.agent === 'pr-size-guardian');
  if (run === undefined) throw new Error('The guardian did not run.');
  const asked: string[] = [];
  const note = (what: string) => async (id: string) => {
    asked.push(`${what} ${id === run.id}`);
  };
  const keptWork = { bring: note('bring'), keep: async () => undefined, drop: note('drop') };
  const lease = await acquireLease(world.house, run.subject);
  await tidyUpCancelled({ ...world.house, keptWork }, run, lease);
  await lease.release();
  expect(asked).toEqual(['bring true', 'drop true']);
  await world.remove();
}, 60_000);
