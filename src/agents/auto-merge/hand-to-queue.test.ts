/** Where GitHub has a merge queue, it merges: it is handed over once for each head, and what comes of it is told once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { dequeue, mergeQueued, setUpQueue } from '../../../test/support/github-merge-queue.ts';
import {
  recordReview,
  setLabel,
  setLabelAgain,
  tellLabel,
} from '../../../test/support/reviewed-pull-request.ts';
import { GatewrightError } from '../../errors.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

let world: GithubFleetWorld;
let head: string;

beforeEach(async () => {
  world = await GithubFleetWorld.open();
  head = (await world.openPullRequest('topic', { 'topic.txt': 'x\n' })).head;
  await recordReview(world, { number: 1, head });
  await setLabel(world, 1, 'auto-merge');
  await tellLabel(world, { number: 1, head });
  setUpQueue(world.stored);
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

const outAgain = (why: string) =>
  `#1 is not merged: the merge queue of the forge removed it (${why}), and it is not added again at the same commit`;
const take = (reason: string, by?: string) => {
  world.server.state.advance(2000);
  dequeue(world.server.state, world.stored, 1, reason, by);
  world.server.state.advance(2000);
};
/** Everything that GitHub has told nobody yet. */
const tell = () => world.catchUp();
const lastEnd = async () =>
  (await world.entries(1)).flatMap((entry) =>
    entry.kind === 'run-ended' ? [entry.data.reason.message] : [],
  );
const explain = async () =>
  (await explainNumber(world.house, world.own, 1)).conditions.map(({ what, who, command, how }) => ({
    ...{ what, who, command, how },
  }));

describe('what the queue takes out again', () => {
  beforeEach(async () => {
    await tell();
    await wake();
    expect(queue()).toEqual([[1, head]]);
  });

  it.each([
    ['failed checks', 'CI_FAILURE', undefined, 'ci failure'],
    ['a person', 'MANUAL', 'alice', 'manual'],
    ['what nobody knows', 'UNKNOWN_REMOVAL_REASON', undefined, 'no reason is known'],
  ])('is told once, and not handed over a second time: %s', async (_, reason, by, why) => {
    take(reason, by);
    await tell();
    expect((await lastEnd()).at(-1)).toBe(outAgain(why));
    expect(await wake()).toBe(outAgain(why));
    expect(queue()).toEqual([]);
    expect(await said()).toBe(1);
    expect(await explain()).toEqual([
      {
        what: outAgain(why).slice('#1 is not merged: '.length),
        who: 'a person with write permission',
        command: '',
        how: 'push a fix; or remove the label and set it again; or put it into the merge queue by hand',
      },
    ]);
  });

  it('is known without being told of', async () => {
    take('CI_TIMEOUT');
    expect(await wake()).toBe(outAgain('ci timeout'));
    expect(queue()).toEqual([]);
  });

  it('goes in again when a person sets the label anew', async () => {
    take('MANUAL', 'alice');
    await tell();
    const alice = await world.as('alice');
    await alice.editIssue(world.repository, 1, { removeLabels: ['auto-merge'] });
    await alice.editIssue(world.repository, 1, { addLabels: ['auto-merge'] });
    await tell();
    expect(queue()).toEqual([[1, head]]);
    expect((await lastEnd()).at(-1)).toBe(inQueue);
    expect(await said()).toBe(1);
    take('CI_FAILURE');
    await tell();
    expect(queue()).toEqual([]);
    expect(await said()).toBe(2);
  });
});

describe('what the queue merges', () => {
  it('ends as what we merge ourselves', async () => {
    await tell();
    await wake();
    mergeQueued(world.server.state, world.stored, 1);
    await tell();
    expect((await lastEnd()).filter((message) => message.startsWith('the merge queue'))).toHaveLength(1);
    expect(await wake()).toBe('nothing to do: #1 is merged');
  });

  it('is nobody’s business when somebody else handed it over', async () => {
    world.stored.rules.queue.push({ number: 1, head, by: 'alice' });
    mergeQueued(world.server.state, world.stored, 1);
    await tell();
    expect((await lastEnd()).filter((message) => message.includes('queue'))).toEqual([]);
  });
});

describe('where only a person may let it into the queue', () => {
  it('says so once, and so does explain', async () => {
    const listing = await world.reopen({ GATEWRIGHT_BOTS: 'listed[bot]' });
    await world.as('listed[bot]', 'write');
    await setLabelAgain(listing, 1, 'auto-merge', 'listed[bot]');
    await listing.catchUp();
    await listing.deliver(listing.event('unlabeled', { number: 1, isPullRequest: true, label: 'something' }));
    const what = 'the forge merges through its merge queue, and only a person may add it there';
    expect((await lastEnd()).at(-1)).toContain(what);
    expect(queue()).toEqual([]);
    const comments = await (await world.as('alice')).listComments(world.repository, 1);
    expect(comments.filter(({ body }) => body.includes(what))).toHaveLength(1);
    const { conditions } = await explainNumber(listing.house, listing.own, 1);
    expect(conditions).toContainEqual({
      ...{ what, who: 'a person with write permission' },
      command: '',
      how: 'remove the label and set it again yourself, or put it into the merge queue by hand',
    });
  });
});

it('is handed over by somebody else without harm', async () => {
  world.stored.rules.queue.push({ number: 1, head, by: 'alice' });
  expect(await wake()).toBe(inQueue);
  expect(queue()).toHaveLength(1);
});
