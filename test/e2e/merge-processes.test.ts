/** Two processes of the built program that want to merge at the same time: everything is merged once, nothing untested. */
import { afterEach, expect, it } from 'vitest';
import { receiveEvent } from '../../src/fleet/receive-event.ts';
import { FleetWorld } from '../support/fleet-world.ts';
import { openReadyPullRequest } from '../support/reviewed-pull-request.ts';

/** Green as long as not more than one of the parts is there. */
const check = `import { readdirSync } from 'node:fs';
if (readdirSync('.').filter((name) => name.startsWith('part-')).length > 1) process.exit(1);
`;

let world: FleetWorld;
afterEach(() => world.remove());

it('two processes merge each pull request once, and never both that break together', {
  timeout: 120_000,
}, async () => {
  world = await FleetWorld.open({ 'check.mjs': check });
  const env = { GATEWRIGHT_VERIFY: 'node check.mjs' };
  const numbers: number[] = [];
  for (const name of ['part-one', 'part-two', 'other'])
    numbers.push((await openReadyPullRequest(world, name, { [`${name}.txt`]: 'x\n' })).number);
  for (const number of numbers)
    await receiveEvent(
      world.house,
      world.event('unlabeled', { number, isPullRequest: true, label: 'something' }),
    );
  const { playground } = world;
  const dispatch = () => playground.run(['dispatch'], { env });
  const both = await Promise.all([dispatch(), dispatch()]);
  for (const { code, all } of both) expect(code, all).toBe(0);
  // What one of them found taken by the other is still open.
  const last = await dispatch();
  expect(await world.house.views.listOpenEvents(), last.all).toEqual([]);
  const forge = await world.as('alice');
  const pulls = await Promise.all(numbers.map((number) => forge.getPullRequest(world.repository, number)));
  const states = pulls.map(({ state }) => state);
  expect(states[2]).toBe('merged');
  expect([...states.slice(0, 2)].sort()).toEqual(['merged', 'open']);
  const titles = playground.git('log', '--format=%s', 'main').split('\n');
  expect(titles.filter((title) => /\(#\d\)$/u.test(title)).length).toBe(2);
  const names = playground.git('ls-tree', '--name-only', 'main').split('\n');
  expect(names.filter((name) => name.startsWith('part-'))).toHaveLength(1);
  const rejected = numbers[states.indexOf('open')] ?? 0;
  expect(await forge.listComments(world.repository, rejected)).toHaveLength(1);
});
