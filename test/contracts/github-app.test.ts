/** A GitHub App signs in with its key, acts with tokens that end, and tells neither to anybody. GitHub Enterprise too. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppSettings } from '../../src/adapters/github/client/github-credential.ts';
import type { GithubForge } from '../../src/adapters/github/github-forge.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { StoredApp } from '../support/github-apps.ts';
import type { Fault } from '../support/github-fault.ts';
import { expectCode } from './expect-code.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld, openForge, tokenOf } from './github-world.ts';

let world: GithubWorld;
let app: StoredApp;
const plain = { title: 'A title', body: 'A body', labels: [] };
const everything = { contents: 'write', issues: 'write', pull_requests: 'write', metadata: 'read' };

beforeEach(async () => {
  world = await makeGithubWorld();
  app = world.server.apps.add('gate-bot', [world.repository], { ...everything });
});
afterEach(() => world.close());

const settings = (): AppSettings => ({
  kind: 'app',
  id: String(app.id),
  privateKey: app.privateKey,
  installation: app.installation,
  repository: world.repository,
});
const open = (more: Partial<AppSettings> = {}): GithubForge =>
  openForge(world.server.url, { ...settings(), ...more });
const tokenRequests = () =>
  world.server.requests.filter(({ path }) => path.endsWith('/access_tokens')).length;

describe('an App', () => {
  it('acts under its own name, with what its installation was granted', async () => {
    const forge = open();
    expect(await forge.whoAmI()).toBe('gate-bot[bot]');
    expect(await forge.permissionOf(world.repository, 'gate-bot[bot]')).toBe('write');
    const issue = await forge.createIssue(world.repository, { ...plain, labels: ['known'] });
    expect(issue).toMatchObject({ author: 'gate-bot[bot]', authorKind: 'bot', labels: ['known'] });
    expect(await forge.listIssues(world.repository, { author: 'gate-bot[bot]' })).toEqual([issue]);
    expect(tokenRequests()).toBe(1);
    expect(await forge.describeAccess()).toEqual({
      login: 'gate-bot[bot]',
      tokenKind: 'app',
      scopes: null,
      permissions: everything,
      clockAhead: null,
    });
  });

  it.each([
    [{ contents: 'read', issues: 'write', pull_requests: 'write' }, 'triage'],
    [{ contents: 'write', issues: 'write' }, 'triage'],
    [{ contents: 'write', pull_requests: 'write' }, 'read'],
    [{ metadata: 'read' }, 'read'],
  ] as const)('with %j has %s permission', async (permissions, permission) => {
    app.permissions = permissions;
    expect(await open().permissionOf(world.repository, 'gate-bot[bot]')).toBe(permission);
  });

  it('finds its installation by the repository', async () => {
    expect(await open({ installation: null }).listIssues(world.repository)).toEqual([]);
    world.server.state.addRepository('acme/other', {});
    const elsewhere = open({ installation: null, repository: 'acme/other' });
    await expectCode(elsewhere.listIssues('acme/other'), 'forge-app-not-installed');
    await expectCode(open().permissionOf('acme/other', 'gate-bot[bot]'), 'forge-not-found');
  });

  it('takes its key as it comes out of a variable', async () => {
    const onOneLine = app.privateKey.replaceAll('\n', '\\n');
    expect(await open({ privateKey: onOneLine }).whoAmI()).toBe('gate-bot[bot]');
  });

  it('asks for one token, however many calls need it at once', async () => {
    const forge = open();
    await Promise.all([
      forge.listIssues(world.repository),
      forge.listLabels(world.repository),
      forge.listBranches(world.repository),
    ]);
    expect(tokenRequests()).toBe(1);
  });
});

describe('a token that ends', () => {
  it('is renewed before it does', async () => {
    app.tokenSeconds = 90;
    let offset = 0;
    const clock = { ...systemClock, now: () => new Date(Date.now() + offset) };
    const forge = openForge(world.server.url, settings(), { clock });
    await forge.listIssues(world.repository);
    await forge.listIssues(world.repository);
    expect(tokenRequests()).toBe(1);
    app.tokenSeconds = 3600;
    offset = 31_000;
    await forge.createIssue(world.repository, plain);
    expect(tokenRequests()).toBe(2);
    expect(world.server.requests.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('is renewed when GitHub does not take it any more, and the write is done once', async () => {
    const forge = open();
    await forge.listIssues(world.repository);
    world.server.apps.revokeTokens();
    await forge.createIssue(world.repository, plain);
    expect(tokenRequests()).toBe(2);
    expect(world.stored.issues).toHaveLength(1);
    expect(world.server.seen('POST', '/repos/acme/project/issues').map(({ status }) => status)).toEqual([
      401, 201,
    ]);
  });

  it('is not renewed for ever', async () => {
    const forge = open();
    app.tokenSeconds = -1;
    await expectCode(forge.listIssues(world.repository), 'forge-not-authenticated');
    expect(world.server.requests.length).toBeLessThan(8);
  });

  it('of a person is not sent twice', async () => {
    const forge = openForge(world.server.url, { kind: 'token', token: 'ghp_unknown' });
    await expectCode(forge.listIssues(world.repository), 'forge-not-authenticated');
    expect(world.server.requests).toHaveLength(1);
  });
});

describe('the key and the tokens of an App', () => {
  const lines = () => app.privateKey.split('\n').slice(1, -2);
  const secrets = () => [...lines(), ...world.server.apps.tokens];

  it.each<[string, Fault]>([
    ['401', { answer: { status: 401 } }],
    ['403', { answer: { status: 403 } }],
    ['422', { answer: { status: 422 } }],
    ['500', { answer: { status: 500 } }],
    ['reset', { reset: 'before' }],
  ])('are in no error, even if the answer repeats them: %s', async (_, fault) => {
    const forge = open();
    await forge.listIssues(world.repository);
    const said = secrets().join(' ');
    const body = { message: `${said} is bad`, errors: [{ field: said, code: said }] };
    const deviates = 'the secrets in every refusal, described or not';
    const parrot = fault.answer === undefined ? fault : { answer: { ...fault.answer, body, deviates } };
    for (const path of [/\/issues$/u, /\/access_tokens$/u, /^\/app$/u]) {
      world.server.apps.revokeTokens();
      for (let index = 0; index < 6; index += 1) world.server.faults.push({ ...parrot, path });
      for (const call of [() => forge.createIssue(world.repository, plain), () => open().whoAmI()]) {
        const caught = await call().catch((error: unknown) => error);
        const shown =
          inspect(caught, { depth: 10, showHidden: true, getters: true }) + JSON.stringify(caught);
        for (const secret of secrets()) expect(shown).not.toContain(secret);
      }
      world.server.faults.length = 0;
    }
  });

  it.each([
    ['not a key', 'canary-not-a-key'],
    ['cut off', '-----BEGIN RSA PRIVATE KEY-----\ncanary-not-a-key\n'],
  ])('are refused without being shown: %s', (_, privateKey) => {
    let caught: unknown;
    try {
      open({ privateKey });
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: 'forge-not-authenticated' });
    expect(inspect(caught, { depth: 10, showHidden: true })).not.toContain('canary');
  });

  it('that are another App’s sign nobody in', async () => {
    const { privateKey } = world.server.apps.add('other', [], {});
    await expectCode(open({ privateKey }).whoAmI(), 'forge-app-refused');
  });
});

describe('a token', () => {
  it.each([
    ['ghp_0123456789', 'repo, read:org', 'classic', ['repo', 'read:org']],
    ['0123456789abcdef0123456789abcdef01234567', 'public_repo', 'classic', ['public_repo']],
    ['gho_0123456789', 'repo', 'oauth', ['repo']],
    ['github_pat_0123456789', null, 'fine-grained', null],
    ['ghp_0123456789', '', 'classic', []],
    ['something', null, 'unknown', null],
  ] as const)('%s with the scopes %j is described', async (token, header, tokenKind, scopes) => {
    world.server.addUser('somebody', token);
    world.server.scopes = header;
    expect(await openForge(world.server.url, { kind: 'token', token }).describeAccess()).toEqual({
      login: 'somebody',
      tokenKind,
      scopes,
      permissions: null,
      clockAhead: expect.any(Number),
    });
  });

  it('stays here when a request is sent on to another server', async () => {
    const seen: (string | undefined)[] = [];
    world.server.storage.override = (response) => {
      seen.push(...world.server.storage.requests.map(({ authorization }) => authorization));
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    };
    const headers = { location: `${world.server.storage.url}/labels` };
    world.server.faults.push({ path: /\/labels$/u, answer: { status: 301, headers } });
    const answer = { status: 301, headers };
    // A read is repeated twice.
    for (let index = 0; index < 2; index += 1) world.server.faults.push({ path: /\/labels$/u, answer });
    await expectCode(world.forge.listLabels(world.repository), 'forge-unavailable');
    // It is not even asked.
    expect(seen).toEqual([]);
  });

  it('goes to no other server, wherever the next page is said to be', async () => {
    const elsewhere = await makeGithubWorld();
    const link = `<${elsewhere.server.url}/repos/acme/project/labels?page=2>; rel="next"`;
    const label = { name: 'a', color: 'ededed', description: null, id: 1, node_id: 'LA_1', default: false };
    const labels = [{ ...label, url: 'https://api.github.com/repos/acme/project/labels/a' }];
    world.server.faults.push({
      path: /\/labels$/u,
      answer: { status: 200, headers: { link }, body: labels },
    });
    await expectCode(world.forge.listLabels(world.repository), 'forge-unavailable');
    expect(elsewhere.server.requests).toEqual([]);
    await elsewhere.close();
  });
});

describe('GitHub Enterprise Server', () => {
  it('has REST below /api/v3 and GraphQL beside it', async () => {
    const forge = openForge(`${world.server.url}/api/v3/`, { kind: 'token', token: tokenOf(actors.admin) });
    const sha = world.git.commit('topic', { 'a.txt': 'a\n' });
    const pull = await forge.createPullRequest(world.repository, {
      title: 'T',
      body: '',
      head: 'topic',
      base: 'main',
      isDraft: true,
    });
    expect((await forge.editPullRequest(world.repository, pull.number, { isDraft: false })).isDraft).toBe(
      false,
    );
    expect(await forge.deleteBranch(world.repository, 'topic', sha)).toBe(true);
    const paths = new Set(world.server.requests.map(({ path }) => path.split('/').slice(1, 3).join('/')));
    expect([...paths].sort()).toEqual(['api/graphql', 'api/v3']);
  });

  it('takes Apps too', async () => {
    const forge = openForge(`${world.server.url}/api/v3`, { ...settings(), installation: null });
    expect(await forge.whoAmI()).toBe('gate-bot[bot]');
    expect(await forge.listIssues(world.repository)).toEqual([]);
  });
});
