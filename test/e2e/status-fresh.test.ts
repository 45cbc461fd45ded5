/** What was closed on GitHub since the last event: `status` says how old its knowledge is, and asks when told to. */
import { afterEach, expect, it } from 'vitest';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';

let world: GithubFleetWorld;
afterEach(() => world.remove());

const statusOf = async (...words: string[]) =>
  (await world.playground.run(['status', ...words], { env: world.environment })).all;

it('leaves out a closed issue when GitHub is asked', { timeout: 100_000 }, async () => {
  world = await GithubFleetWorld.open();
  const alice = await world.as('alice');
  const numbers: number[] = [];
  for (const title of ['Open', 'Closed'])
    numbers.push((await alice.createIssue(world.repository, { title, body: '', labels: [] })).number);
  for (const number of numbers) {
    const [subject, run] = [`${world.repository}#${number}`, `01ABCDEFGHJKMNPQRSTVWXYZ0${number}`];
    const request = {
      ...({ workflow: 'agent', agent: 'implementer', title: 't', delivery: run, number } as const),
      ...({ repository: world.repository, root: world.playground.repository, forge: 'github' } as const),
      dryRun: false,
    };
    const entry = { subject, run, actor: 'alice' };
    const data = { what: 'continue', limit: 2, handle: 'claude' } as const;
    await world.house.ledger.append([
      { ...entry, kind: 'run-started', key: run, data: { request } },
      { ...entry, kind: 'limit-reached', key: `${subject}/x`, data },
      {
        ...entry,
        kind: 'run-ended',
        data: { reason: { code: 'finished', message: 'done', owner: 'nobody', resume: '' }, result: null },
      },
    ]);
  }
  await alice.editIssue(world.repository, numbers[1] ?? 0, { state: 'closed' });
  const [open, closed] = numbers.map((number) => `${world.repository}#${number}`) as [string, string];
  const before = await statusOf();
  expect(before).toContain(open);
  expect(before).toContain(closed);
  expect(before).toContain('GitHub was not asked: each line about it is as old as it says.');
  const fresh = await statusOf('--fresh');
  expect(fresh).toContain(open);
  expect(fresh).not.toContain(closed);
  expect(fresh).not.toContain('was not asked');
  // What cannot be asked about stays listed, and that is said.
  const env = { ...world.environment, GATEWRIGHT_GITHUB_TOKEN: '', GITHUB_TOKEN: '', GH_TOKEN: '' };
  const { all } = await world.playground.run(['status', '--fresh'], { env });
  expect(all).toContain(`GitHub could not be asked about ${world.repository}`);
  expect(all).toContain(closed);
});
