/** Where GitHub has a merge queue, it merges: it is handed over once for each head, and what comes of it is told once. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { recordReview, setLabel, tellLabel } from '../../../test/support/reviewed-pull-request.ts';
import { GatewrightError } from '../../errors.ts';

let world: GithubFleetWorld;
let head: string;

beforeEach(async () => {
  world = await GithubFleetWorld.open();
  head = (await world.openPullRequest('topic', { 'topic.txt': 'x\n' })).head;
  await recordReview(world, { number: 1, head });
  await setLabel(world, 1, 'auto-merge');
  await tellLabel(world, { number: 1, head });
  const parameters = {
    ...{ check_response_timeout_minutes: 60, grouping_strategy: 'ALLGREEN', merge_method: 'SQUASH' },
    ...{ max_entries_to_build: 5, max_entries_to_merge: 5, min_entries_to_merge: 1 },
    min_entries_to_merge_wait_minutes: 5,
  };
  const rules = [{ type: 'merge_queue', parameters }];
  world.stored.rules.rulesets.push({ id: 7, branch: 'main', bypass: 'never', rules });
});
afterEach(() => world.remove());

async function wake(): Promise<string> {
  await world.deliver(world.event('unlabeled', { number: 1, isPullRequest: true, label: 'something' }));
  const ended = (await world.entries(1)).flatMap((entry) =>
    entry.kind === 'run-ended' || entry.kind === 'run-stopped' ? [entry.data.reason.message] : [],
  );
  return ended.at(-1) ?? '';
}
const queue = () => world.stored.rules.queue.map((one) => [one.number, one.head]);
const said = async () => (await (await world.as('alice')).listComments(world.repository, 1)).length;
const inQueue = '#1 is in the merge queue of the forge, which merges it';

it('hands it over once, however often it is woken', async () => {
  expect(await wake()).toBe(inQueue);
  expect(await wake()).toBe(inQueue);
  expect(queue()).toEqual([[1, head]]);
  expect(world.server.seen('PUT', '/repos/acme/project/pulls/1/merge')).toEqual([]);
  expect(await said()).toBe(0);
});

it('finds its own work when it is killed before it could write that down', async () => {
  const { forge } = world.house;
  const enqueue = forge.enqueuePullRequest.bind(forge);
  let calls = 0;
  forge.enqueuePullRequest = async (...given) => {
    calls += 1;
    await enqueue(...given);
    throw new GatewrightError('lease-lost', 'killed');
  };
  await world.deliver(world.event('unlabeled', { number: 1, isPullRequest: true, label: 'something' }));
  expect(queue()).toEqual([[1, head]]);
  await world.settle();
  expect(calls).toBe(1);
  expect(queue()).toEqual([[1, head]]);
  expect(await wake()).toBe(inQueue);
});

it('says once why the queue took it out, and does not hand over the same commit again', async () => {
  await wake();
  world.stored.rules.queue.length = 0;
  world.stored.rules.removed.push({ number: 1, reason: 'CI_FAILURE' });
  expect(await wake()).toBe('not merged: the merge queue took #1 out again (ci failure)');
  expect(await wake()).toContain('ci failure');
  expect(queue()).toEqual([]);
  expect(await said()).toBe(1);
});

it('is handed over by somebody else without harm', async () => {
  world.stored.rules.queue.push({ number: 1, head, by: 'alice' });
  expect(await wake()).toBe(inQueue);
  expect(queue()).toHaveLength(1);
});
