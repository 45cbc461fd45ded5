/** Merges on the local forge with real git: that pull request, at that head, once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutOffEverywhere } from '../../../test/support/cut-off-everywhere.ts';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { openReadyPullRequest, recordReview, setLabel } from '../../../test/support/reviewed-pull-request.ts';
import { mostMergeAttempts } from '../../domain/fleet/merge-attempts.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { GatewrightError } from '../../errors.ts';
import { explainNumber } from '../../fleet/explain-number.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';
import type { WorkflowRun } from '../../ports/forge/forge.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open({ 'base.txt': 'base\n' });
});
afterEach(() => world.remove());

const wakeFor = (number: number) =>
  world.event('unlabeled', { number, isPullRequest: true, label: 'something' });

async function messages(number: number): Promise<string[]> {
  return (await world.entries(number)).flatMap((entry) =>
    entry.kind === 'run-ended' ? [entry.data.reason.message] : [],
  );
}

const alice = () => world.as('alice');
const pullOf = async (number: number) => (await alice()).getPullRequest(world.repository, number);

function commit(path: string, content: string, branch = 'main'): string {
  const { playground } = world;
  playground.git('checkout', '--quiet', branch);
  playground.write(path, content);
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', `Write ${path}`);
  const head = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', 'main');
  return head;
}

/** An issue, and a pull request of ours for it. */
async function openOurs(branch: string, body: (issue: number) => string) {
  const forge = await alice();
  const issue = await forge.createIssue(world.repository, {
    title: 'T',
    body: '',
    labels: ['claude-working'],
  });
  const pull = await openReadyPullRequest(world, branch, { 'new.txt': 'new\n' }, body(issue.number));
  const subject = `${world.repository}#${pull.number}`;
  const data = { number: pull.number, issue: issue.number, branch, base: 'main' };
  await world.house.ledger.append([
    { subject, run: 'R0', actor: 'alice', kind: 'pull-request-made', key: subject, data },
  ]);
  return { ...pull, issue: issue.number };
}

describe('merging', () => {
  it.each([
    ['says that it closes it', (issue: number) => `Closes #${issue}`],
    ['says so no more', () => 'Edited.'],
  ])('squashes, deletes our branch and closes the issue, whether the text %s', async (_, body) => {
    const { number, head, issue } = await openOurs('gatewright/work', body);
    const before = world.playground.git('rev-parse', 'main');
    await world.deliver(wakeFor(number), wakeFor(number));
    expect(await pullOf(number)).toMatchObject({ state: 'merged', head: { sha: head } });
    const { playground } = world;
    expect(playground.git('log', '-1', '--format=%P', 'main')).toBe(before);
    expect(playground.git('log', '-1', '--format=%s', 'main')).toBe(`Work on gatewright/work (#${number})`);
    expect(playground.git('branch', '--list', 'gatewright/*')).toBe('');
    expect(await (await alice()).getIssue(world.repository, issue)).toMatchObject({
      state: 'closed',
      labels: [],
    });
    expect(await messages(number)).toEqual([`merged #${number}`, `nothing to do: #${number} is merged`]);
  });

  it('leaves other people’s branches, and does not wait for a green build to be told twice', async () => {
    const { number, head } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'new\n' });
    await (await alice()).setStatus(world.repository, head, {
      name: 'test',
      state: 'success',
      description: '',
    });
    const built = { run: 1, name: 'test', head, conclusion: 'success' } as const;
    await world.deliver(world.event('workflow-completed', built));
    expect((await pullOf(number)).state).toBe('merged');
    expect(world.playground.git('branch', '--list', 'topic')).toContain('topic');
  });

  it('does not merge what its build says is broken or has not said yet', async () => {
    const { number, head } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'new\n' });
    const build = { name: 'ci', headSha: head, branch: 'topic', event: 'push' } as const;
    const report = async (how: Pick<WorkflowRun, 'status' | 'conclusion'>) =>
      (await alice()).recordWorkflowRun(world.repository, { ...build, ...how });
    await report({ status: 'completed', conclusion: 'failure' });
    await world.deliver(wakeFor(number));
    await report({ status: 'in-progress', conclusion: null });
    await world.deliver(wakeFor(number));
    expect((await pullOf(number)).state).toBe('open');
    expect(await messages(number)).toEqual([
      expect.stringContaining('the check "ci" failed'),
      expect.stringContaining('the check "ci" has not finished'),
    ]);
    await report({ status: 'completed', conclusion: 'success' });
    await world.deliver(wakeFor(number));
    expect((await pullOf(number)).state).toBe('merged');
  });

  it('brings it up to date first when its base has moved, and has it reviewed again', async () => {
    const { number, head } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'new\n' });
    const base = commit('meanwhile.txt', 'x\n');
    await world.deliver(wakeFor(number));
    const pull = await pullOf(number);
    expect(pull.state).toBe('open');
    expect(world.playground.git('log', '-1', '--format=%P', pull.head.sha)).toBe(`${head} ${base}`);
    const handed = (await world.entries(number)).find(
      (entry) => entry.kind === 'run-ended' && entry.data.handoffs !== undefined,
    );
    expect(handed?.data).toMatchObject({ handoffs: [{ to: 'reviewer', task: 'start', number }] });
    await recordReview(world, { number, head: pull.head.sha });
    await world.deliver(wakeFor(number));
    expect((await pullOf(number)).state).toBe('merged');
  });

  it('merges neither a head nor onto a base that came after the last look', async () => {
    for (const moved of ['head', 'base'] as const) {
      const { number } = await openReadyPullRequest(world, `topic-${moved}`, { [`${moved}.txt`]: 'x\n' });
      const { forge } = world.house;
      const merge = forge.mergePullRequest.bind(forge);
      let later = '';
      forge.mergePullRequest = async (...args) => {
        if (later === '')
          later = commit(`late-${moved}.txt`, 'y\n', moved === 'head' ? 'topic-head' : 'main');
        return merge(...args);
      };
      await world.deliver(wakeFor(number));
      forge.mergePullRequest = merge;
      expect((await pullOf(number)).state).toBe('open');
      const failed = (await world.entries(number)).filter((entry) => entry.kind === 'effect-failed');
      expect(failed.map(({ data }) => data.code)).toEqual(['head-moved']);
    }
  });

  itLong(
    'gives up after a few attempts in a row, says so once, and tries again at the next event',
    async () => {
      const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
      const { forge } = world.house;
      const merge = forge.mergePullRequest.bind(forge);
      let attempts = 0;
      forge.mergePullRequest = async () => {
        attempts += 1;
        throw new GatewrightError('head-moved', 'It moved.');
      };
      await world.deliver(wakeFor(number));
      expect(attempts).toBe(mostMergeAttempts);
      const explain = async () =>
        (await explainNumber(world.house, world.own, number)).conditions.map(({ what }) => what);
      expect(await explain()).toEqual([
        'reached the limit of merge attempts (4 in a row): each time the pull request or its base had moved',
      ]);
      await world.deliver(wakeFor(number));
      expect(attempts).toBe(2 * mostMergeAttempts);
      const said = await (await alice()).listComments(world.repository, number);
      expect(said.map(({ body }) => body)).toEqual([
        expect.stringMatching(/^Not merged: 4 attempts in a row found that this or main had moved on/u),
      ]);
      forge.mergePullRequest = merge;
      await world.deliver(wakeFor(number));
      expect((await pullOf(number)).state).toBe('merged');
      expect(await explain()).toEqual([]);
    },
  );

  it('is done once, wherever it is cut off', async () => {
    const { number, issue } = await openOurs('gatewright/work', () => '');
    await receiveEvent(world.house, wakeFor(number));
    expect(await cutOffEverywhere(world)).toBeGreaterThan(10);
    expect((await pullOf(number)).state).toBe('merged');
    expect(world.playground.git('rev-list', '--count', 'main')).toBe('3');
    expect(await (await alice()).getIssue(world.repository, issue)).toMatchObject({ state: 'closed' });
    const intents = (entries: LedgerEntry[]) =>
      entries.filter(({ kind }) => kind === 'effect-intended').length;
    const receipts = (entries: LedgerEntry[]) =>
      entries.filter(({ kind }) => kind === 'effect-receipted').length;
    const entries = await world.entries(number);
    expect(receipts(entries)).toBe(intents(entries));
  });

  it('waits while another run is merging, and goes on after it', async () => {
    const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'new\n' });
    const taken = await world.house.leases.acquire(`${world.repository}~merge-queue`);
    const [outcome] = await world.deliver(wakeFor(number));
    expect(outcome?.isSettled).toBe(false);
    expect((await pullOf(number)).state).toBe('open');
    if ('lease' in taken) await taken.lease.release();
    await world.settle();
    expect((await pullOf(number)).state).toBe('merged');
  });

  it('does not undo a hold that was set after it was found ready', async () => {
    const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'new\n' });
    const taken = await world.house.leases.acquire(`${world.repository}~merge-queue`);
    await world.deliver(wakeFor(number));
    await setLabel(world, number, 'hold');
    if ('lease' in taken) await taken.lease.release();
    await world.settle();
    expect((await pullOf(number)).state).toBe('open');
  });
});
