/** The chains of agents, each from its first event to its end, on the local forge and on GitHub, over real git. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Forge } from '../../src/ports/forge/forge.ts';
import {
  doctorTape,
  endlessTape,
  fileOrder,
  forges,
  openChain,
  plannedTape,
  tiredTape,
} from '../support/chain-world.ts';
import { isExhaustive } from '../support/crash-everywhere.ts';
import type { FleetRoom } from '../support/fleet-room.ts';
import { isLong } from '../support/property-runs.ts';

let world: FleetRoom;
afterEach(() => world.remove());

async function ownComments(forge: Forge, number: number): Promise<string[]> {
  const comments = await forge.listComments(world.repository, number);
  return comments.filter(({ author }) => author === world.own).map(({ body }) => body);
}

/** The limits do not depend on the forge: on GitHub they are walked to with `npm run test:crash`, else with `npm run test:long`. */
const onlyOnce = (kind: string): boolean => (kind === 'GitHub' && !isExhaustive) || !isLong;

describe.each(forges)('on %s', (kind) => {
  it('an issue is implemented, reviewed, corrected, reviewed again and merged', {
    timeout: 240_000,
  }, async () => {
    world = await openChain(kind);
    const { number, event } = await fileOrder(world);
    const outcomes = await world.deliver(event, event);
    const told = outcomes.flatMap(({ outcomes: runs }) =>
      runs.map(({ run, reason }) => `${run.request.agent}: ${reason.message}`),
    );
    const alice = await world.as('alice');
    const [pull] = await alice.listPullRequests(world.repository, { state: 'all' });
    expect(pull?.state, told.join('\n')).toBe('merged');
    expect(pull?.body).toContain(`Closes #${number}`);
    expect(pull?.labels.filter((label) => ['auto-merge', 'needs-review', 'blocked'].includes(label))).toEqual(
      ['auto-merge'],
    );
    const reviews = await alice.listReviews(world.repository, pull?.number ?? 0);
    expect(reviews.map(({ body }) => body.split('\n')[0])).toEqual(['## Issues Found', '## No Issues']);
    expect(world.fileAt('main', 'src/sum.mjs')).toContain('Number(a) + Number(b)');
    expect(world.headOf(pull?.head.branch ?? '')).toBeNull();
    const issue = await alice.getIssue(world.repository, number);
    expect(issue.state).toBe('closed');
    expect(issue.labels).not.toContain('claude-working');
    // What it cost is on the ledger of the issue.
    const cost = (await world.entries(number)).flatMap((entry) =>
      entry.kind === 'model-answered' ? [entry.data.usage] : [],
    );
    expect(cost).toMatchObject([{ inputTokens: 1000, outputTokens: 100 }]);
    expect((await world.house.ledger.verify()).problems).toEqual([]);
    // Everything again: nothing is done twice.
    await world.deliver({ ...event, delivery: `${event.delivery}-late` });
    expect(await alice.listPullRequests(world.repository, { state: 'all' })).toHaveLength(1);
  });

  it.skipIf(onlyOnce(kind))(
    'a correction that never helps ends at the limit, and people are told once',
    {
      timeout: 240_000,
    },
    async () => {
      world = await openChain(kind, endlessTape);
      const { number, event } = await fileOrder(world);
      await world.deliver(event);
      await world.settle();
      const alice = await world.as('alice');
      const [pull] = await alice.listPullRequests(world.repository, { state: 'all' });
      expect(pull?.state).toBe('open');
      expect(await alice.listReviews(world.repository, pull?.number ?? 0)).toHaveLength(3);
      const onPull = await ownComments(alice, pull?.number ?? 0);
      expect(onPull.filter((body) => body.includes('@alice'))).toHaveLength(1);
      const onIssue = await ownComments(alice, number);
      expect(onIssue.filter((body) => body.includes(`#${pull?.number}`))).toHaveLength(1);
    },
  );

  it.skipIf(kind === 'GitHub' && !isLong)(
    'an issue is planned, the plan is revised, approved by its hash, and carried out',
    {
      timeout: 240_000,
    },
    async () => {
      world = await openChain(kind, plannedTape);
      const alice = await world.as('alice');
      await alice.ensureLabel(world.repository, { name: 'planning', colour: '0052cc', description: '' });
      const { number, event } = await fileOrder(world);
      await alice.editIssue(world.repository, number, { addLabels: ['planning'] });
      const say = async (text: string, actor = 'alice'): Promise<void> => {
        const { id } = await (await world.as(actor)).createComment(world.repository, number, text);
        const spoken = { number, isPullRequest: false, comment: id, text, actor };
        await world.deliver(world.event('comment-created', spoken));
      };
      const pulls = () => alice.listPullRequests(world.repository, { state: 'all' });
      await world.deliver(event);
      const [plan] = await ownComments(alice, number);
      expect(plan).toContain('Turn the sign around');
      expect(plan).toContain('@claude approve');
      await say('@claude what about texts?');
      expect(await ownComments(alice, number)).toHaveLength(2);
      // Neither of these approves anything.
      await world.as('mallory', 'read');
      await say('@claude approve', 'mallory');
      await say('> @claude approve\n\nNot yet, I would approve it if the tests were better.');
      expect(await pulls()).toEqual([]);
      await say('@claude approve');
      expect(await pulls()).toHaveLength(1);
      const entries = await world.entries(number);
      const proposed = entries.flatMap((entry) => (entry.kind === 'plan-proposed' ? [entry.data.plan] : []));
      const approved = entries.flatMap((entry) => (entry.kind === 'plan-approved' ? [entry.data] : []));
      expect(approved).toMatchObject([{ plan: proposed.at(-1), by: 'alice' }]);
      expect((await alice.getIssue(world.repository, number)).labels).not.toContain('planning');
    },
  );

  it.skipIf(onlyOnce(kind)).each([
    [1, 'goes on by itself from what was pushed'],
    [4, 'stops after going on twice, and says so once'],
  ])('when the turns run out %i times it %s', { timeout: 240_000 }, async (times) => {
    world = await openChain(kind, tiredTape(times));
    const { number, event } = await fileOrder(world);
    await world.deliver(event);
    await world.settle();
    const alice = await world.as('alice');
    const [pull] = await alice.listPullRequests(world.repository, { state: 'all' });
    const comments = await ownComments(alice, number);
    if (times === 1) {
      // The first round was not lost: its file came along.
      expect(pull?.state).toBe('merged');
      expect(world.fileAt('main', 'notes-1.md')).toContain('Round 1.');
      return;
    }
    expect(pull).toBeUndefined();
    const branch = `gatewright/issue-${number}`;
    expect(world.fileAt(branch, 'notes-3.md')).toContain('Round 3.');
    expect(comments.filter((body) => body.includes('@alice') && body.includes(branch))).toHaveLength(1);
  });

  it('a build that fails is diagnosed on its pull request, else on its commit, once', {
    timeout: 240_000,
  }, async () => {
    world = await openChain(kind, doctorTape, { GATEWRIGHT_AGENTS: 'ci-doctor' });
    const alice = await world.as('alice');
    const main = world.headOf('main') ?? '';
    const fail = async (head: string, branch: string) => {
      const log = 'expected 3, got -1\n';
      const run = await world.build({
        ...{ name: 'CI', headSha: head, branch, event: 'push', status: 'completed', conclusion: 'failure' },
        jobs: [{ name: 'test', steps: [{ name: 'Run tests', conclusion: 'failure', log }] }],
      });
      const event = world.event('workflow-completed', { run, name: 'CI', head, conclusion: 'failure' });
      await world.deliver(event, { ...event, delivery: `${event.delivery}-again` });
    };
    await fail(main, 'main');
    const [onCommit, ...more] = await alice.listCommitComments(world.repository, main);
    expect(more).toEqual([]);
    for (const words of ['Run tests', 'sum subtracts.', 'Turn the sign around'])
      expect(onCommit?.body).toContain(words);
    const head = world.branch('topic', { 'more.txt': 'more\n' });
    const pull = { title: 'More', body: '', head: 'topic', base: 'main' };
    const { number } = await alice.createPullRequest(world.repository, pull);
    await fail(head, 'topic');
    const [onPull, ...others] = await ownComments(alice, number);
    expect(others).toEqual([]);
    expect(onPull).toContain('sum subtracts.');
    expect(await alice.listCommitComments(world.repository, head)).toEqual([]);
  });
});
