/** Every stop of every agent reaches a person on the forge, once, and is listed by `status`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { slot } from '../../../test/support/scheduled-world.ts';
import type { ScheduleName } from '../../domain/fleet/agent-names.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import { handleOpenEvents } from '../../fleet/handle-event.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';
import type { House } from '../../runs/house.ts';
import { readStatus } from '../../runs/read-status.ts';
import { agents } from '../agents.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open({ 'README.md': 'See `src/gone.ts`.\n' });
});
afterEach(() => world.remove());

/** The house with a forge on which reading fails as long as a code is set. */
function failing(code: () => ErrorCode | null, methods: readonly string[]): House {
  const forge = new Proxy(world.house.forge, {
    get: (target, name) => {
      const failure = code();
      if (failure !== null && methods.includes(String(name)))
        return () => Promise.reject(new GatewrightError(failure, 'The forge says no.'));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...world.house, forge };
}

async function deliver(house: House, event: Parameters<typeof receiveEvent>[1]): Promise<void> {
  await receiveEvent(house, event);
  await handleOpenEvents(house, { own: world.own }, () => undefined);
}

async function listStopIssues(state: 'open' | 'all') {
  const issues = await (await world.as('alice')).listIssues(world.repository, { state });
  return issues.filter(({ labels }) => labels.includes('agent-stopped'));
}

async function stoppedAgents(): Promise<string[]> {
  const closed = { listClosed: async () => [], listHeld: async () => [] };
  const status = await readStatus({ ...world.house, closed, folder: '/', exists: () => true }, new Date());
  return status.stopped.map(({ run }) => ('agent' in run.request ? run.request.agent : ''));
}

it('every agent can tell that its run was given up', async () => {
  for (const [name, { load }] of Object.entries(agents))
    expect([name, typeof (await load()).tellGivenUp]).toEqual([name, 'function']);
});

const reads = ['listIssues', 'listPullRequests', 'listWorkflowRuns', 'defaultBranch'];

describe.each<ScheduleName>(['daily-digest', 'health-report', 'stale-gardener', 'doc-drift'])(
  'a stop of %s',
  (name) => {
    it('opens one issue, however often it stops, and closes it after a good run', async () => {
      let code: ErrorCode | null = 'forge-forbidden';
      const house = failing(() => code, reads);
      await deliver(house, slot(world, name));
      const [issue, ...more] = await listStopIssues('all');
      expect(more).toEqual([]);
      expect(issue).toMatchObject({
        title: `The agent ${name} has stopped`,
        author: world.own,
        state: 'open',
      });
      expect(issue?.body).toContain('The forge says no.');
      expect(issue?.body).toContain('gatewright dispatch --resume');
      expect(await stoppedAgents()).toEqual([name]);
      // The same again a week later, and then for another reason.
      await deliver(house, slot(world, name, 7));
      const comments = async () => {
        const all = await (await world.as('alice')).listComments(world.repository, issue?.number ?? 0);
        return all.map(({ body }) => body);
      };
      expect(await comments()).toEqual([]);
      code = 'forge-archived';
      await deliver(house, slot(world, name, 14));
      expect(await listStopIssues('all')).toHaveLength(1);
      expect(await comments()).toHaveLength(1);
      code = null;
      if (name === 'doc-drift') return;
      await deliver(house, slot(world, name, 21));
      expect(await listStopIssues('open')).toEqual([]);
      expect((await comments()).at(-1)).toContain('has ended a run well');
      expect(await stoppedAgents()).toEqual([]);
    });

    it('is not told when time alone helps, nor in a dry run', async () => {
      const house = failing(() => 'forge-unavailable', reads);
      await deliver(house, slot(world, name));
      expect(await listStopIssues('all')).toEqual([]);
    });
  },
);

describe('a stop of ci-doctor', () => {
  it.each([true, false])(
    'is told where its diagnosis would stand, once (pull request: %s)',
    async (isPull) => {
      const { number, head } = isPull
        ? await world.openPullRequest('work', { 'b.txt': 'b\n' })
        : { number: 0, head: world.branch('work', { 'b.txt': 'b\n' }) };
      const alice = await world.as('alice');
      const run = await alice.recordWorkflowRun(world.repository, {
        ...{ name: 'ci', headSha: head, branch: 'work', event: 'push' },
        ...{ status: 'completed', conclusion: 'failure', attempt: 1 },
        jobs: [{ name: 'build', steps: [{ name: 'test', conclusion: 'failure', log: 'no' }] }],
      });
      const house = failing(() => 'forge-forbidden', ['readFailedLogs', 'listWorkflowRuns']);
      for (let times = 0; times < 2; times += 1)
        await deliver(
          house,
          world.event('workflow-completed', { run, name: 'ci', head, conclusion: 'failure' }),
        );
      const told = isPull
        ? await alice.listComments(world.repository, number)
        : await alice.listCommitComments(world.repository, head);
      expect(told).toHaveLength(1);
      expect(told[0]?.body).toContain('The diagnosis of a failed build has stopped: The forge says no.');
      expect(await stoppedAgents()).toEqual(['ci-doctor']);
    },
  );
});
