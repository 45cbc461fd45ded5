/** Work that a person cancelled: the inbox and `explain` say who did it and how it starts again, until it is over. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLease } from '../../src/runs/acquire-lease.ts';
import { FleetWorld } from '../support/fleet-world.ts';

interface Waiting {
  readonly subject: string;
  readonly what: string;
  readonly why: string;
  readonly how: string;
}

let world: FleetWorld;
let number: number;
beforeEach(async () => {
  world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'implementer,reviewer' });
  ({ number } = await world.openPullRequest('topic', { 'new.txt': 'x\n' }));
  await world.catchUp();
});
afterEach(() => world.remove());

async function start(agent: 'implementer' | 'reviewer', run: string): Promise<void> {
  const { house, repository, playground } = world;
  const subject = `${repository}#${number}`;
  const lease = await acquireLease(house, subject);
  const request = {
    ...({ workflow: 'agent', agent, title: 'findings', delivery: `d-${run}`, number } as const),
    ...({ repository, root: playground.repository, dryRun: false, forge: 'local' } as const),
  };
  await house.ledger.append(
    [{ subject, run, actor: 'alice', kind: 'run-started', key: `d-${run}`, data: { request } }],
    lease,
  );
  await lease.release();
}

const asked = async (): Promise<readonly Waiting[]> =>
  (await world.playground.json<{ waitingOnForge: readonly Waiting[] }>(['status'])).waitingOnForge;

it.each([
  ['implementer', 'continue'],
  ['reviewer', 'review'],
] as const)('of the %s waits for a person and starts again with a comment', async (agent, words) => {
  const run = '01ABCDEFGHJKMNPQRSTVWXYZ01';
  await start(agent, run);
  expect(await asked()).toEqual([]);
  expect((await world.playground.run(['runs', 'cancel', run])).code).toBe(0);
  const subject = `${world.repository}#${number}`;
  expect(await asked()).toMatchObject([
    {
      ...{ subject, what: 'cancelled' },
      why: `alice cancelled the run ${run} of the ${agent}`,
      how: `comment there: @claude ${words}`,
    },
  ]);
  expect((await world.playground.run(['status'])).stdout).toContain('Waiting for you (1)');
  const { conditions } = await world.playground.json<{ conditions: { what: string; command: string }[] }>([
    'explain',
    `#${number}`,
  ]);
  expect(conditions).toContainEqual(
    expect.objectContaining({
      what: expect.stringMatching(new RegExp(`^alice cancelled the run ${run} of the ${agent} at 20`, 'u')),
      command: expect.stringContaining(`gatewright forge issue comment ${number} --body '@claude ${words}'`),
    }),
  );
  expect((await world.playground.run(['ledger', 'verify', '--projections'])).code).toBe(0);
  // What starts it again is understood: the agent works on it from then on, or has stopped for another reason.
  const alice = await world.as('alice');
  await alice.createComment(world.repository, number, `@claude ${words}`);
  await world.catchUp();
  const runs = await world.house.views.listRuns({ subject });
  const [newest] = runs.filter(({ request }) => 'agent' in request && request.agent === agent);
  expect(newest?.id).not.toBe(run);
  expect((await asked()).filter(({ what }) => what === 'cancelled')).toEqual([]);
});

it('is put aside, and gone when the pull request is closed', async () => {
  const [first, second] = ['01ABCDEFGHJKMNPQRSTVWXYZ01', '01ABCDEFGHJKMNPQRSTVWXYZ02'] as const;
  await start('implementer', first);
  await world.playground.run(['runs', 'cancel', first]);
  const aside = await world.playground.run(['runs', 'dismiss', first]);
  expect([aside.code, aside.stdout]).toEqual([0, expect.stringContaining(`Put ${first} aside`)]);
  expect(await asked()).toEqual([]);
  await start('implementer', second);
  await world.playground.run(['runs', 'cancel', second]);
  expect(await asked()).toHaveLength(1);
  const alice = await world.as('alice');
  await alice.editPullRequest(world.repository, number, { state: 'closed' });
  expect(await asked()).toEqual([]);
  const { conditions } = await world.playground.json<{ conditions: unknown[] }>(['explain', `#${number}`]);
  expect(conditions).toEqual([]);
  expect((await world.playground.run(['ledger', 'verify', '--projections'])).code).toBe(0);
});
