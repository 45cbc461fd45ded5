/** What was true of a pull request when its labels were set, and is not any more, merges nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { fewOf } from '../../../test/support/property-runs.ts';
import {
  openReadyPullRequest,
  recordReview,
  setLabel,
  setOwnLabel,
} from '../../../test/support/reviewed-pull-request.ts';

let world: FleetWorld;
beforeAll(async () => {
  world = await FleetWorld.open();
  await world.as('tina', 'triage');
});
afterAll(() => world.remove());

async function wake(number: number): Promise<string> {
  const event = world.event('unlabeled', { number, isPullRequest: true, label: 'something' });
  const outcomes = (await world.deliver(event)).flatMap((one) => one.outcomes);
  return outcomes.find(({ run }) => run.request.agent === 'auto-merge')?.reason.message ?? 'nothing';
}

/** One that we labelled ourselves, as the ledger has it. */
async function openOurs(
  branch: string,
  remove: readonly string[] = [],
  label?: string,
  files: Readonly<Record<string, string>> = { [`docs/${branch}.md`]: 'x\n' },
) {
  const pull = await world.openPullRequest(branch, files);
  if (label !== undefined) await setLabel(world, pull.number, label);
  await setOwnLabel(world, pull, branch, remove);
  return pull;
}

async function push(branch: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { playground } = world;
  playground.git('checkout', '--quiet', branch);
  for (const [path, content] of Object.entries(files)) playground.write(path, content);
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'More');
  const head = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', 'main');
  return head;
}

describe('a label of ours', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['steers builds', { '.github/workflows/release.yml': 'on: push\n' }],
    ['is large', { 'docs/long.md': 'line\n'.repeat(80) }],
    ['changes dependencies', { 'package.json': '{}\n' }],
    ['is as light', { 'docs/more.md': 'x\n' }],
  ])('does not speak for what was pushed after it and %s', async (what, files) => {
    const branch = what.replaceAll(' ', '-');
    const { number } = await openOurs(branch);
    const head = await push(branch, files);
    await recordReview(world, { number, head });
    expect(await wake(number)).toContain('holds for that commit only: newer commits were pushed');
    expect((await (await world.as('alice')).getPullRequest(world.repository, number)).state).toBe('open');
  });

  it('speaks for what it was set for', async () => {
    const pull = await openOurs('light');
    await recordReview(world, pull);
    expect(await wake(pull.number)).toContain(`merged #${pull.number}`);
  });
});

describe('what our own label never lets in, even at the head that it was set at', () => {
  const neverIn: [string, Readonly<Record<string, string>>, string][] = [
    ['a workflow', { '.travis.yml': 'x\n' }, 'it has to be merged by hand'],
    ['an agent file', { 'CLAUDE.local.md': 'x\n' }, 'it has to be merged by hand'],
    ['a fake document', { 'src/README.js': 'x\n' }, 'no person has allowed the merge'],
    ['a build file', { 'CMakeLists.txt': 'x\n' }, 'no person has allowed the merge'],
    ['documentation that is run', { 'docs/conf.py': 'x\n' }, 'no person has allowed the merge'],
    [
      'source with a fake test',
      { 'src/a.ts': 'x\n', 'ok.test.txt': 'x\n' },
      'no person has allowed the merge',
    ],
    [
      'source that nobody tested',
      { 'src/a.ts': 'x\n', 'src/a.test.ts': 'x\n' },
      'no person has allowed the merge',
    ],
    ['a large one', { 'docs/a.md': 'x\n'.repeat(60) }, 'no person has allowed the merge'],
    ['an odd name', { 'docs/р.md': 'x\n' }, 'no person has allowed the merge'],
  ];
  it.each(fewOf(neverIn, 3))('%s', async (what, files, why) => {
    const pull = await openOurs(`in-${what.replaceAll(' ', '-')}`, [], undefined, files);
    await recordReview(world, pull);
    expect(await wake(pull.number)).toContain(why);
    expect((await (await world.as('alice')).getPullRequest(world.repository, pull.number)).state).toBe(
      'open',
    );
  });
});

describe('a label that holds', () => {
  it.each(fewOf(['hold', 'do-not-merge', 'needs-review', 'conflict'], 3))(
    '%s still holds when somebody took it off who may not, before anybody has put it back',
    async (label) => {
      const { number } = await openReadyPullRequest(world, `held-by-${label}`, { [`${label}.txt`]: 'x\n' });
      const alice = await world.as('alice');
      await alice.editIssue(world.repository, number, { addLabels: [label] });
      await (await world.as('tina')).editIssue(world.repository, number, { removeLabels: [label] });
      // Woken by something else, before the event of the removal has come.
      expect(await wake(number)).toContain(`the label "${label}" blocks it`);
      await alice.editIssue(world.repository, number, { addLabels: [label] });
      await alice.editIssue(world.repository, number, { removeLabels: [label] });
      expect(await wake(number)).not.toContain('holds it');
    },
  );

  it('still holds when a program with our login took it off, though we had taken it off before it was there', async () => {
    const pull = await openOurs('taken-off-before', ['needs-review', 'blocked']);
    await recordReview(world, pull);
    await setLabel(world, pull.number, 'blocked');
    const ours = await world.as(world.own, 'write');
    await ours.editIssue(world.repository, pull.number, { removeLabels: ['blocked'] });
    expect(await wake(pull.number)).toContain('the label "blocked" blocks it');
  });

  it('does not hold any more when we took it off ourselves', async () => {
    const pull = await openOurs('taken-off', ['needs-review', 'blocked'], 'blocked');
    await recordReview(world, pull);
    expect(await wake(pull.number)).toContain(`merged #${pull.number}`);
  });
});
