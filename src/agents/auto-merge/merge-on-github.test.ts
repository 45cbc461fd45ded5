/** The same through the GitHub adapter: GitHub works out late whether something fits, and cannot be told where the base is. */
import { afterEach, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { recordReview, setLabel } from '../../../test/support/reviewed-pull-request.ts';

/** Green as long as not more than one of the parts is there. */
const check = `import { readdirSync } from 'node:fs';
if (readdirSync('.').filter((name) => name.startsWith('part-')).length > 1) process.exit(1);
`;

let world: GithubFleetWorld;
afterEach(() => world.remove());

async function open(...names: readonly string[]): Promise<number[]> {
  const { git } = world.stored;
  const alice = await world.as('alice');
  const numbers: number[] = [];
  for (const name of names) {
    git.run('branch', name, 'main');
    const head = git.commit(name, { [`${name}.txt`]: 'x\n' });
    const pull = { title: `Add ${name}`, body: '', head: name, base: 'main' };
    const { number } = await alice.createPullRequest(world.repository, pull);
    await recordReview(world, { number, head });
    await setLabel(world, number, 'auto-merge');
    numbers.push(number);
  }
  return numbers;
}

const wakeFor = (number: number) =>
  world.event('unlabeled', { number, isPullRequest: true, label: 'something' });

async function statesOf(numbers: readonly number[]): Promise<string[]> {
  const alice = await world.as('alice');
  return Promise.all(
    numbers.map(async (number) => (await alice.getPullRequest(world.repository, number)).state),
  );
}

const titles = () => world.stored.git.run('log', '--format=%s', 'main').split('\n');

it('tests several together, merges them in a row, and leaves out what breaks', async () => {
  world = await GithubFleetWorld.open({ 'check.mjs': check }, { GATEWRIGHT_VERIFY: 'node check.mjs' });
  const numbers = await open('a', 'part-one', 'b', 'part-two');
  await world.deliver(...numbers.map(wakeFor));
  expect(await statesOf(numbers)).toEqual(['merged', 'merged', 'merged', 'open']);
  expect(titles().slice(0, 3)).toEqual(['Add b (#3)', 'Add part-one (#2)', 'Add a (#1)']);
  const alice = await world.as('alice');
  const comments = await alice.listComments(world.repository, numbers[3] ?? 0);
  expect(comments.map(({ author }) => author)).toEqual([world.own]);
});

it('without a command, brings it up to date and merges it as what it then is', async () => {
  world = await GithubFleetWorld.open();
  const [number = 0] = await open('a');
  const base = world.stored.git.commit('main', { 'meanwhile.txt': 'x\n' });
  await world.deliver(wakeFor(number));
  expect(await statesOf([number])).toEqual(['open']);
  const head = world.headOf('a') ?? '';
  expect(world.stored.git.run('log', '-1', '--format=%P', head).split(' ')[1]).toBe(base);
  await recordReview(world, { number, head });
  await world.deliver(wakeFor(number));
  expect(await statesOf([number])).toEqual(['merged']);
  expect(titles()[0]).toBe(`Add a (#${number})`);
});
