/** The token of a job of GitHub Actions has no `/user`: who we are, and what we may do, is found out all the same. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { jobLogin } from '../support/github-job-tokens.ts';
import { expectCode } from './expect-code.ts';
import { type GithubWorld, makeGithubWorld, openForge } from './github-world.ts';

const token = 'ghs_canaryjob0123456789abcdefghijklmnopqr';
let world: GithubWorld;
let forge: GithubForge;

beforeEach(async () => {
  world = await makeGithubWorld();
  world.server.jobs.add(token, world.repository);
  forge = openForge(world.server.url, { kind: 'token', token });
});
afterEach(() => world.close());

const asked = (): string[] => world.server.requests.map(({ method, path }) => `${method} ${path}`);

describe('a job of GitHub Actions', () => {
  it('knows its name, and asks for it once', async () => {
    expect(await forge.whoAmI()).toBe(jobLogin);
    expect(await forge.whoAmI()).toBe(jobLogin);
    expect(asked()).toEqual(['POST /graphql']);
  });

  it('acts under that name, with labels, though GitHub does not tell what it may do', async () => {
    expect(await forge.permissionOf(world.repository, jobLogin)).toBe('write');
    await forge.ensureLabel(world.repository, { name: 'known', colour: 'ededed', description: '' });
    const given = { title: 'A title', body: 'A body', labels: ['known'] };
    const issue = await forge.createIssue(world.repository, given);
    expect(issue).toMatchObject({ author: jobLogin, authorKind: 'bot', labels: ['known'] });
    expect(await forge.listIssues(world.repository, { author: jobLogin })).toEqual([issue]);
  });

  it('is described', async () => {
    expect(await forge.describeAccess()).toEqual({
      login: jobLogin,
      tokenKind: 'app',
      scopes: null,
      permissions: null,
      clockAhead: null,
    });
  });

  it('sees nothing of another repository', async () => {
    world.server.state.addRepository('acme/other', {});
    await expectCode(forge.listIssues('acme/other', {}), 'forge-not-found');
  });

  it.each([403, 404])(
    'with a token of another form is asked for its name in another way when /user answers %i',
    async (status) => {
      const other = 'other_canaryjob0123456789abcdefghijklmnop';
      world.server.jobs.add(other, world.repository);
      world.server.faults.push({ path: /^\/user$/u, answer: { status } });
      expect(await openForge(world.server.url, { kind: 'token', token: other }).whoAmI()).toBe(jobLogin);
      expect(asked()).toEqual(['GET /user', 'POST /graphql']);
    },
  );

  it('has the ending of a program, whatever GraphQL calls it', async () => {
    const body = { data: { viewer: { login: 'github-actions' } } };
    world.server.faults.push({ path: /graphql$/u, answer: { status: 200, body } });
    expect(await forge.whoAmI()).toBe(jobLogin);
  });

  it.each([
    ['nothing', { data: { viewer: null } }, 'forge-unavailable'],
    ['an empty name', { data: { viewer: { login: '' } } }, 'forge-unavailable'],
    ['a refusal', { data: null, errors: [{ type: 'FORBIDDEN', message: 'No.' }] }, 'forge-forbidden'],
  ] as const)('does not work as nobody when GraphQL answers %s', async (_, body, code) => {
    const deviates = 'there is always a viewer with a name';
    world.server.faults.push({ path: /graphql$/u, answer: { status: 200, body, deviates } });
    await expectCode(forge.whoAmI(), code);
  });
});

describe('the token of an installation that somebody else signed in', () => {
  it('is the App', async () => {
    const { server, repository } = world;
    const app = server.apps.add('gate-bot', [repository], { contents: 'write', issues: 'write' });
    const signedIn = openForge(server.url, {
      ...{ kind: 'app', id: String(app.id), privateKey: app.privateKey },
      ...{ installation: app.installation, repository },
    });
    await signedIn.listIssues(repository, {});
    const [given = ''] = server.apps.tokens;
    expect(await openForge(server.url, { kind: 'token', token: given }).whoAmI()).toBe('gate-bot[bot]');
  });
});

describe('a person', () => {
  it('whose token has ended is not asked for in another way', async () => {
    world.server.faults.push({ path: /^\/user$/u, answer: { status: 401 } });
    await expectCode(world.forge.whoAmI(), 'forge-not-authenticated');
    expect(asked()).toEqual(['GET /user']);
  });
});
