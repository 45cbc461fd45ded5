/** Why a pull request is not merged, where a person has to see output or files first: on the local forge, with real git. */
import { afterEach, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { openReadyPullRequest, recordReview } from '../../../test/support/reviewed-pull-request.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

let world: FleetWorld;
afterEach(() => world.remove());

const wakeFor = (number: number) =>
  world.deliver(world.event('unlabeled', { number, isPullRequest: true, label: 'something' }));

it('names the command that failed, and where its output is', async () => {
  const check = `console.log('two of three fail');\nprocess.exit(3);\n`;
  const first = await FleetWorld.open({ 'check.mjs': check }, { GATEWRIGHT_AGENTS: 'auto-merge' });
  world = await first.reopen({ GATEWRIGHT_AGENTS: 'auto-merge', GATEWRIGHT_VERIFY: 'node check.mjs' });
  const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
  await wakeFor(number);
  const run = (await world.entries(number)).findLast(({ kind }) => kind === 'merge-rejected')?.run ?? '';
  const { conditions } = await explainNumber(world.house, world.own, number);
  const [failed] = conditions.filter(({ what }) => what.includes('breaks the tests'));
  expect(failed?.what).toMatch(
    /it breaks the tests: "node check\.mjs" failed \(exit code 3\)\. It printed last: .*two of three fail/u,
  );
  expect(failed?.how).toContain(`see its output with: gatewright runs show ${run}`);
  const shown = await world.playground.run(['runs', 'show', run]);
  expect(shown.stdout).toMatch(
    /command-verified {3,}node check\.mjs at [0-9a-f]+: exit 3.*\n(?: +\S.*\n)* {10}two of three fail\n/u,
  );
});

it('says to commit or stash what a checkout holds, with the files', async () => {
  world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'auto-merge' });
  const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
  world.playground.write('base.txt', 'mine\n');
  await wakeFor(number);
  const { conditions } = await explainNumber(world.house, world.own, number);
  const [dirty] = conditions.filter(({ what }) => what.includes('uncommitted'));
  expect(dirty).toMatchObject({
    what: `auto-merge: The branch main is checked out in ${world.playground.repository} with uncommitted changes: base.txt.`,
    advice: expect.stringContaining('Commit or stash your changes'),
    command: expect.stringMatching(/^gatewright dispatch --resume 01/u),
  });
  const status = (await world.playground.run(['status'])).stdout;
  expect(status).toContain('with uncommitted changes: base.txt.');
  expect(status).toContain('fix: Commit or stash your changes');
  // As it says: after that, the run goes on.
  world.playground.git('checkout', '--quiet', '--', 'base.txt');
  world.playground.write('new.txt', 'in the way\n');
  const [, ...words] = (dirty?.command ?? '').split(' ');
  expect((await world.playground.run(words)).stderr).toContain('new.txt');
  world.playground.git('clean', '--quiet', '--force', 'new.txt');
  const resumed = await world.playground.run(words);
  expect([resumed.code, resumed.all]).toEqual([0, expect.any(String)]);
  const alice = await world.as('alice');
  expect((await alice.getPullRequest(world.repository, number)).state).toBe('merged');
});

it('offers the command that sets an outdated label again, and it merges', async () => {
  world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'auto-merge' });
  const { number, head } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
  world.playground.git('checkout', '--quiet', 'topic');
  world.playground.commit({ 'new.txt': 'y\n' }, 'Say y');
  const newer = world.playground.git('rev-parse', 'HEAD').trim();
  world.playground.git('checkout', '--quiet', 'main');
  await recordReview(world, { number, head: newer });
  await wakeFor(number);
  const { conditions } = await explainNumber(world.house, world.own, number);
  expect(conditions).toEqual([
    {
      what: `"auto-merge" was set at ${head.slice(0, 12)}, and holds for that commit only: newer commits were pushed`,
      who: 'a person with write permission',
      how: 'look at what was pushed, then remove the label and set it again',
      command: `gatewright forge pr edit ${number} --remove-label auto-merge && gatewright forge pr edit ${number} --add-label auto-merge`,
    },
  ]);
  // As it says: after that, it is merged.
  for (const command of conditions[0]?.command.split(' && ') ?? [])
    expect((await world.playground.run(command.split(' ').slice(1))).code).toBe(0);
  expect((await world.playground.run(['dispatch'])).code).toBe(0);
  const alice = await world.as('alice');
  expect((await alice.getPullRequest(world.repository, number)).state).toBe('merged');
});
