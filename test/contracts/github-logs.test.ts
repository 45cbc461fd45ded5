/** Logs of failed steps come from another server, which must not learn the token and may fail in its own ways. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectCode } from './expect-code.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld, tokenOf } from './github-world.ts';

let world: GithubWorld;
let run: number;

const steps = [
  { name: 'Install', conclusion: 'success', log: 'fine\n' },
  { name: 'Test', conclusion: 'failure', log: 'one failed\n' },
] as const;

beforeEach(async () => {
  world = await makeGithubWorld();
  run = await world.seedWorkflowRun({
    name: 'CI',
    headSha: world.git.resolve('main') ?? '',
    branch: 'main',
    event: 'push',
    status: 'completed',
    conclusion: 'failure',
    jobs: [
      { name: 'one', steps },
      { name: 'two', steps },
    ],
  });
});
afterEach(() => world.close());

const read = () => world.forge.readFailedLogs(world.repository, run);

describe('logs', () => {
  it('are fetched without the token', async () => {
    expect(await read()).toEqual([
      { job: 'one', step: 'Test', log: 'one failed\n' },
      { job: 'two', step: 'Test', log: 'one failed\n' },
    ]);
    expect(world.server.storage.requests).toHaveLength(2);
    for (const headers of world.server.storage.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(JSON.stringify(headers)).not.toContain(tokenOf(actors.admin));
    }
  });

  it.each([404, 410])('that are not kept any more are empty: %i of the storage', async (status) => {
    world.server.storage.override = (response) => void response.writeHead(status).end();
    expect((await read()).map(({ log }) => log)).toEqual(['', '']);
  });

  it.each([404, 410])('that are not kept any more are empty: %i of GitHub', async (status) => {
    const deviates = 'given for logs that ran out, and not described';
    world.server.faults.push({ path: /\/logs$/u, answer: { status, deviates } });
    expect((await read()).map(({ log }) => log)).toEqual(['', 'one failed\n']);
  });

  it.each<[string, NonNullable<typeof world.server.storage.override>]>([
    ['an error', (response) => void response.writeHead(500).end()],
    ['a second redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    [
      'a connection that breaks on the way',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('begun', () => response.destroy());
      },
    ],
  ])('that cannot be had are an error, which does not tell the address: %s', async (_, override) => {
    world.server.storage.override = override;
    const caught = await read().catch((error: unknown) => error);
    expect(caught).toMatchObject({ code: 'forge-unavailable' });
    expect(inspect(caught, { depth: 10 })).not.toContain('opens-it');
  });

  it('that should come from no address at all are refused', async () => {
    for (const location of ['not an address', '/relative', ''])
      world.server.faults.push({ path: /\/logs$/u, answer: { status: 302, headers: { location } } });
    await expectCode(read(), 'forge-unavailable');
    await expectCode(read(), 'forge-unavailable');
  });

  it('of a job whose runner was lost are the end of what the job printed', async () => {
    const id = await world.seedWorkflowRun({
      name: 'CI',
      headSha: world.git.resolve('main') ?? '',
      branch: 'main',
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      jobs: [{ name: 'lost', steps: [{ name: 'Test', conclusion: 'skipped', log: 'half of i\n' }] }],
    });
    const job = world.stored.runs.at(-1)?.jobs[0];
    Object.assign(job ?? {}, { conclusion: 'timed_out' });
    expect(await world.forge.readFailedLogs(world.repository, id)).toEqual([
      { job: 'lost', step: '', log: 'half of i\n' },
    ]);
  });
});
