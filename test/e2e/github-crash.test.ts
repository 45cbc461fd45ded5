/**
 * Kills the program (SIGKILL) at every request it makes to GitHub, before GitHub heard of it and after it did what was
 * asked, resumes it, and compares what GitHub then holds with what a run that nobody disturbed leaves there.
 */
import { describe, expect, it } from 'vitest';
import { approved, designText, draftText, writeCassette } from '../support/cassettes.ts';
import {
  goOn,
  inParallel,
  isDone,
  isExhaustive,
  type Prepared,
  sampleOf,
} from '../support/crash-everywhere.ts';
import { GithubServer } from '../support/github-server.ts';
import { Playground, type Result } from '../support/playground.ts';

const token = 'ghp_canary0123456789abcdefghijklmnop';
const name = 'acme/project';
const brief = 'ideas/active/export-csv.md';

interface World extends Prepared {
  readonly server: GithubServer;
  readonly env: Readonly<Record<string, string>>;
}

type Scenario = (playground: Playground, server: GithubServer) => Pick<Prepared, 'begin' | 'resume'>;

interface Kill {
  readonly request: string;
  /** How many requests pass before the one it dies at. */
  readonly after: number;
  readonly reset: 'before' | 'after';
}

async function prepare(scenario: Scenario): Promise<World> {
  const playground = new Playground();
  playground.git('remote', 'add', 'origin', `git@github.com:${name}.git`);
  const server = await GithubServer.start();
  server.addUser('octo', token);
  server.state.addRepository(name, { octo: 'write' });
  const env = { GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token, GATEWRIGHT_FORGE: 'github' };
  return { playground, server, env, ...scenario(playground, server) };
}

async function remove({ playground, server }: World): Promise<void> {
  await server.close();
  playground.remove();
}

/** Everything a person would find at GitHub and in the repository; not when it was made, nor by which run. */
function lookAround({ playground, server }: World): unknown {
  const stored = server.state.repositories.get(name);
  return {
    issues: stored?.issues.map(({ number, title, body, author, labels, state, comments }) => {
      const shown = body.replace(/<!-- gatewright[^>]*-->/gu, '(the marker)');
      return { number, title, body: shown, author, labels, state, comments };
    }),
    labels: stored?.labels,
    files: playground.git('ls-files'),
    commits: playground.git('log', '--format=%s'),
    left: playground.git('status', '--porcelain'),
    worktrees: playground.git('worktree', 'list').split('\n').length,
  };
}

async function killAt(world: World, args: readonly string[], { after, reset }: Kill): Promise<Result> {
  let kill = (): void => undefined;
  world.server.faults.push({ after, reset, onHit: () => kill() });
  const killed = await world.playground.run(args, {
    env: world.env,
    onStart: (stop) => {
      kill = stop;
    },
  });
  expect(killed.signal, killed.all).toBe('SIGKILL');
  return killed;
}

/**
 * Before and after each request. To GitHub it is the same whether a read was answered to nobody or never came, so that
 * of reads `npm test` takes some, after the answer; `npm run test:crash` takes all, both ways.
 */
function killsAt(requests: readonly string[]): Kill[] {
  return requests.flatMap((request, after): Kill[] => {
    const both = [
      { request, after, reset: 'before' },
      { request, after, reset: 'after' },
    ] as const;
    if (isExhaustive || !request.startsWith('GET ')) return [...both];
    return after % 3 === 0 ? [both[1]] : [];
  });
}

const listRequests = ({ server }: World): string[] =>
  server.requests.map(({ method, path }) => `${method} ${path}`);

/** What a run asks of GitHub, after having died so often, and what it leaves there and here. */
async function observe(
  scenario: Scenario,
  deaths: readonly Kill[] = [],
): Promise<{ requests: string[]; found: unknown }> {
  const world = await prepare(scenario);
  const said: Result[] = [];
  for (const [index, death] of deaths.entries())
    said.push(await killAt(world, index === 0 ? world.begin : world.resume, death));
  const before = world.server.requests.length;
  const result =
    deaths.length === 0 ? await world.playground.run(world.begin, { env: world.env }) : await goOn(world);
  const place = JSON.stringify(deaths);
  expect(isDone(result), `${place}\n${result.all}`).toBe(true);
  for (const { all } of [...said, result]) expect(all).not.toContain(token);
  const requests = listRequests(world).slice(before);
  const found = lookAround(world);
  await remove(world);
  return { requests, found };
}

/** Dies at each of these places in turn, each time in a new world, after having died as said. */
async function surviveEach(
  scenario: Scenario,
  earlier: readonly Kill[],
  requests: readonly string[],
  expected: unknown,
): Promise<void> {
  await inParallel(sampleOf(killsAt(requests), 3), 2, async (kill) => {
    const { found } = await observe(scenario, [...earlier, kill]);
    expect(found, JSON.stringify([...earlier, kill])).toEqual(expected);
  });
}

const issueRun: Scenario = (playground) => {
  const drafts = [draftText('Reports can be downloaded', { labels: '`reports`, `enhancement`' })];
  const models = writeCassette(playground.folder, 'github', { drafts, verdicts: [approved] });
  return {
    begin: ['issue', '--brief', brief, '--auto', ...models],
    resume: ['issue', '--resume', brief, '--auto', ...models],
  };
};

const designRun: Scenario = (playground, server) => {
  const stored = server.state.repositories.get(name);
  if (stored === undefined) throw new Error('There is no repository.');
  const body = 'People copy numbers by hand. They should get a file instead.';
  server.state.addIssue(stored, 'stranger', 'Export reports', body, []);
  const models = writeCassette(playground.folder, 'github', {
    drafts: [designText(1)],
    verdicts: [approved],
    includes: 'Write the design.',
  });
  return {
    begin: ['lld', '1', '--auto', ...models],
    resume: ['lld', '--resume', '1-lld', '--auto', ...models],
  };
};

describe('killed during any request to GitHub', { timeout: 300_000 }, () => {
  it('an issue is filed once', async () => {
    const { requests, found } = await observe(issueRun);
    // The list itself is checked: a harness that stops looking would pass everything.
    expect(requests).toEqual([
      'GET /user',
      `GET /repos/${name}/labels`,
      `GET /repos/${name}/issues`,
      `GET /repos/${name}`,
      `GET /repos/${name}/labels`,
      `POST /repos/${name}/labels`,
      `GET /repos/${name}/labels`,
      `POST /repos/${name}/labels`,
      `GET /repos/${name}`,
      `POST /repos/${name}/issues`,
    ]);
    expect(found).toMatchObject({ issues: [{ number: 1, author: 'octo' }], left: '', worktrees: 1 });
    await surviveEach(issueRun, [], requests, found);
  });

  it('and once more, during any request by which it looks for what it had filed', async () => {
    const { requests, found } = await observe(issueRun);
    const request = `POST /repos/${name}/issues`;
    const lost: Kill = { request, after: requests.indexOf(request), reset: 'after' };
    const looking = await observe(issueRun, [lost]);
    expect(looking.found).toEqual(found);
    expect(looking.requests).toContain(`GET /repos/${name}/issues`);
    expect(looking.requests).not.toContain(request);
    await surviveEach(issueRun, [lost], looking.requests, found);
  });

  it('a design is approved once, and nothing is written at GitHub', async () => {
    const { requests, found } = await observe(designRun);
    expect(requests).toContain(`GET /repos/${name}/issues/1`);
    expect(requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect(found).toMatchObject({ left: '', worktrees: 1 });
    await surviveEach(designRun, [], requests, found);
  });
});
