/** What a credential may not do: it is told by permission, and what cannot be read is never taken for green. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../support/thrown-code.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld, openForge } from './github-world.ts';
import { openPullRequest } from './open-pull-request.ts';

let world: GithubWorld;
let head: string;
const token = ['github', 'pat', `11CANARY${'0'.repeat(40)}`].join('_');

beforeEach(async () => {
  world = await makeGithubWorld();
  world.server.addUser(actors.write, token);
  head = (await openPullRequest(world, { branch: 'ready', files: { 'r.txt': 'r\n' } })).head.sha;
});
afterEach(() => world.close());

const open = (...granted: readonly string[]) => {
  world.server.grants.set(token, granted);
  return openForge(world.server.url, { kind: 'token', token });
};
const all = ['issues', 'contents', 'pull_requests', 'statuses', 'actions'];

describe('a fine-grained token', () => {
  it('reads jobs of GitHub Actions instead of check runs, and says that there may be others', async () => {
    const steps = (conclusion: 'success' | 'failure') => [{ name: 'Run', conclusion, log: '' }] as const;
    await world.seedWorkflowRun({
      ...{
        name: 'ci',
        headSha: head,
        branch: 'ready',
        event: 'push',
        status: 'completed',
        conclusion: 'failure',
      },
      jobs: [
        { name: 'build', steps: steps('success') },
        { name: 'lint', steps: steps('failure') },
      ],
    });
    await world.seedCheckRun(head, { name: 'somebody else', state: 'failure' });
    await world.forge.setStatus(world.repository, head, { name: 'site', state: 'success', description: '' });
    const checks = await open(...all).listChecks(world.repository, head);
    expect(checks.map(({ name, kind, state }) => [name, kind, state])).toEqual([
      ['build', 'check', 'success'],
      ['check runs', 'check', 'unreadable'],
      ['lint', 'check', 'failure'],
      ['site', 'status', 'success'],
    ]);
  });

  it('that reads no builds and no statuses says so', async () => {
    const checks = await open('contents').listChecks(world.repository, head);
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ['check runs', 'unreadable'],
      ['commit statuses', 'unreadable'],
    ]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['all that it can have', all, ['checks']],
    ['issues only', ['issues'], ['contents', 'pull_requests', 'statuses', 'actions', 'checks']],
  ])('is told what it lacks: %s', async (_, granted, missing) => {
    const found = await open(...granted).findMissing(world.repository);
    expect(found?.map(({ name }) => name)).toEqual(missing);
  });

  it('is refused in words that name the permission', async () => {
    const error = await open('contents')
      .listIssues(world.repository)
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'forge-forbidden' });
    expect((error as { hint: string }).hint).toContain('GitHub asks for Issues: read');
  });

  it('that is not fine-grained cannot be told apart', async () => {
    expect(await world.forge.findMissing(world.repository)).toBeNull();
  });
});

describe('an App', () => {
  const openApp = (
    permissions: Record<string, string>,
    more: { id?: string; installation?: number | null } = {},
  ) => {
    const app = world.server.apps.add('gate-bot', [world.repository], permissions);
    const { id, privateKey, installation } = app;
    const credential = { kind: 'app' as const, id: String(id), privateKey, installation, ...more };
    return openForge(world.server.url, { ...credential, repository: world.repository });
  };

  it('is told what its installation lacks', async () => {
    const forge = openApp({ metadata: 'read', issues: 'read', contents: 'write', pull_requests: 'write' });
    const missing = await forge.findMissing(world.repository);
    expect(missing?.map(({ title, level }) => `${title}: ${level}`)).toEqual([
      'Issues: write',
      'Commit statuses: read',
      'Actions: read',
      'Checks: read',
    ]);
  });

  it('acts with Bearer, whatever its tokens look like', async () => {
    const forge = openApp({ metadata: 'read', issues: 'write', contents: 'write', pull_requests: 'write' });
    await forge.createIssue(world.repository, { title: 'T', body: '', labels: [] });
    const [issued = ''] = world.server.apps.tokens;
    expect(issued.length).toBeGreaterThan(300);
    // The older form is not taken for it.
    const answer = await fetch(`${world.server.url}/repos/${world.repository}`, {
      headers: { authorization: `token ${issued}` },
    });
    expect(answer.status).toBe(401);
    world.server.faults.push({
      path: /issues$/u,
      answer: { status: 422, body: { message: `no ${issued}x` } },
    });
    const error = await forge.listIssues(world.repository).catch((one: unknown) => String(one));
    expect(error).not.toContain('canary');
    expect(error).not.toContain('Ab-_9');
  });

  it('that is not installed there is told so', async () => {
    world.server.state.addRepository('acme/other', {});
    const app = world.server.apps.add('gate-bot', [world.repository], { issues: 'write' });
    const credential = { kind: 'app' as const, id: String(app.id), privateKey: app.privateKey };
    const make = (installation: number | null) =>
      openForge(world.server.url, { ...credential, installation, repository: 'acme/other' });
    expect(await rejectedCode(make(null).listIssues('acme/other'))).toBe('forge-app-not-installed');
    expect(await rejectedCode(make(4711).listIssues('acme/other'))).toBe('forge-app-not-installed');
  });

  it('with a wrong number or key is told so', async () => {
    expect(await rejectedCode(openApp({ issues: 'write' }, { id: '1' }).whoAmI())).toBe('forge-app-refused');
  });
});
