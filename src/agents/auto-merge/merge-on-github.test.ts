/** The same through the GitHub adapter: GitHub works out late whether something fits, and cannot be told where the base is. */
import { afterEach, expect, it } from 'vitest';
import { GithubFleetWorld } from '../../../test/support/github-fleet-world.ts';
import { recordReview, setLabel, tellLabel } from '../../../test/support/reviewed-pull-request.ts';
import { GatewrightError } from '../../errors.ts';

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
    await tellLabel(world, { number, head });
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

/** Everything that was found green, by its tree. */
async function greenTrees(numbers: readonly number[]): Promise<string[]> {
  const entries = (await Promise.all(numbers.map((number) => world.entries(number)))).flat();
  return entries.flatMap((entry) =>
    entry.kind === 'command-verified' && entry.data.exitCode === 0
      ? [world.playground.git('rev-parse', `${entry.data.commit}^{tree}`)]
      : [],
  );
}

const baseTree = () => world.stored.git.run('rev-parse', 'main^{tree}');

it('tests every state that the base goes through, also when it is killed in between, and leaves out what breaks', async () => {
  const environment = { GATEWRIGHT_VERIFY: 'node check.mjs', GATEWRIGHT_TESTS_AT_ONCE: '3' };
  world = await GithubFleetWorld.open({ 'check.mjs': check }, environment);
  const numbers = await open('a', 'part-one', 'part-two');
  const { forge, commands } = world.house;
  const merge = forge.mergePullRequest.bind(forge);
  const run = commands.run.bind(commands);
  let [running, most] = [0, 0];
  commands.run = async (request) => {
    running += 1;
    most = Math.max(most, running);
    try {
      return await run(request);
    } finally {
      running -= 1;
    }
  };
  const seen: string[] = [];
  forge.mergePullRequest = async (...args) => {
    const result = await merge(...args);
    seen.push(baseTree());
    // As if it were killed right after the first merge, before it could write that down.
    if (seen.length === 1) throw new GatewrightError('lease-lost', 'killed');
    return result;
  };
  await world.deliver(wakeFor(1));
  expect(seen).toHaveLength(1);
  expect(await statesOf(numbers)).toEqual(['merged', 'open', 'open']);
  await world.settle();
  expect(await statesOf(numbers)).toEqual(['merged', 'merged', 'open']);
  expect(seen).toHaveLength(2);
  const green = await greenTrees(numbers);
  for (const tree of seen) expect(green).toContain(tree);
  expect(most).toBe(3);
  expect(titles().slice(0, 2)).toEqual(['Add part-one (#2)', 'Add a (#1)']);
  const alice = await world.as('alice');
  const comments = await alice.listComments(world.repository, numbers[2] ?? 0);
  expect(comments.map(({ author }) => author)).toEqual([world.own]);
});

it('stops a batch, tests the base and says so when somebody’s change came in between', async () => {
  world = await GithubFleetWorld.open({ 'check.mjs': check }, { GATEWRIGHT_VERIFY: 'node check.mjs' });
  const numbers = await open('part-one', 'b');
  const { forge } = world.house;
  const merge = forge.mergePullRequest.bind(forge);
  forge.mergePullRequest = async (repository, number, wanted) => {
    if (number !== 1) return merge(repository, number, wanted);
    // GitHub cannot be told where the base has to be: this is after the last look at it.
    const base = world.stored.git.commit('main', { 'part-two.txt': 'x\n' });
    return merge(repository, number, { ...wanted, base });
  };
  await world.deliver(wakeFor(1));
  forge.mergePullRequest = merge;
  expect(await statesOf(numbers)).toEqual(['merged', 'open']);
  const ended = (await world.entries(1)).flatMap((entry) =>
    entry.kind === 'run-ended' ? [entry.data.reason.message] : [],
  );
  expect(ended[0]).toBe(
    'merged #1; stopped after #1: main was not what had been tested, because it moved in that moment',
  );
  const [comment] = await (await world.as('alice')).listComments(world.repository, 1);
  expect(comment?.body).toContain('This was merged, but not onto what it had been tested with');
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
