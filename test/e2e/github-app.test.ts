/** The built program as a GitHub App: it files under the App's name, and its key and tokens end up nowhere. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import type { StoredApp } from '../support/github-apps.ts';
import { GithubServer } from '../support/github-server.ts';
import { Playground, type Result } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';
let playground: Playground;
let server: GithubServer;
let app: StoredApp;
let models: string[];
let keyFile: string;

beforeEach(async () => {
  playground = new Playground();
  playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
  server = await GithubServer.start();
  server.state.addRepository('acme/project', {});
  app = server.apps.add('gate-bot', ['acme/project'], {
    contents: 'write',
    issues: 'write',
    pull_requests: 'write',
  });
  keyFile = join(playground.home, 'app.pem');
  writeFileSync(keyFile, app.privateKey, { mode: 0o600 });
  models = writeCassette(playground.folder, 'app', {
    drafts: [draftText('Reports can be downloaded', { labels: '`reports`' })],
    verdicts: [approved],
  });
});

afterEach(async () => {
  await server.close();
  playground.remove();
});

const base = () => ({
  GATEWRIGHT_GITHUB_URL: server.url,
  GATEWRIGHT_GITHUB_APP_ID: String(app.id),
  // As in a job of GitHub Actions, which has a token of its own.
  GITHUB_TOKEN: 'ghs_canary_of_the_job',
});
const start = () => ['issue', '--brief', brief, '--auto', '--forge', 'github', ...models];

function expectNoSecrets(...results: Result[]): void {
  const secrets = [
    ...app.privateKey.split('\n').slice(1, -2),
    ...server.apps.tokens,
    'ghs_canary_of_the_job',
  ];
  expect(server.apps.tokens.length).toBeGreaterThan(0);
  for (const secret of secrets) for (const result of results) expect(result.all).not.toContain(secret);
  for (const name of readdirSync(playground.folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(playground.folder, name);
    if (path === keyFile || !statSync(path).isFile()) continue;
    const content = readFileSync(path);
    for (const secret of secrets) expect(content.includes(secret), path).toBe(false);
  }
}

describe('as a GitHub App', () => {
  it.each<[string, () => Record<string, string>]>([
    ['a key file', () => ({ GATEWRIGHT_GITHUB_APP_KEY_FILE: keyFile })],
    [
      'a key in a variable, with the installation',
      () => ({
        GATEWRIGHT_GITHUB_APP_KEY: app.privateKey.replaceAll('\n', '\\n'),
        GATEWRIGHT_GITHUB_INSTALLATION_ID: String(app.installation),
      }),
    ],
  ])('a brief becomes an issue of the App: %s', async (_, more) => {
    const result = await playground.run(start(), {
      env: { ...base(), ...more(), GATEWRIGHT_DEBUG: '1' },
    });
    expect(result.code, result.all).toBe(0);
    const issues = server.state.repositories.get('acme/project')?.issues ?? [];
    expect(issues.map(({ title, author, labels }) => ({ title, author, labels }))).toEqual([
      { title: 'Reports can be downloaded', author: 'gate-bot[bot]', labels: ['reports'] },
    ]);
    const shown = await playground.run(['ledger', 'show', 'export-csv', '--json']);
    expect(shown.stdout).toContain('gate-bot[bot]');
    expectNoSecrets(result, shown);
  });

  it('a key that others can read, or that is none, stops it before anything is sent', async () => {
    writeFileSync(join(playground.home, 'open.pem'), app.privateKey, { mode: 0o644 });
    const env = { ...base(), GATEWRIGHT_GITHUB_APP_KEY_FILE: join(playground.home, 'open.pem') };
    const open = await playground.run(start(), { env });
    expect(open.code, open.all).not.toBe(0);
    expect(open.stderr).toContain('(config-invalid)');
    const bad = await playground.run(start(), {
      env: { ...base(), GATEWRIGHT_GITHUB_APP_KEY: 'canary-no-key', GATEWRIGHT_DEBUG: '1' },
    });
    expect(bad.stderr).toContain('(forge-not-authenticated)');
    expect(bad.all).not.toContain('canary-no-key');
    expect(server.requests).toEqual([]);
  });

  it('an App that may not write is refused before any model is asked', async () => {
    app.permissions = { issues: 'read', metadata: 'read' };
    const env = { ...base(), GATEWRIGHT_GITHUB_APP_KEY_FILE: keyFile };
    const result = await playground.run(start(), { env });
    expect(result.stderr, result.all).toContain('(preflight-failed)');
    expect(
      server.requests.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/app')),
    ).toEqual([]);
  });
});

describe('the next command', () => {
  const token = 'ghp_canary0123456789';

  it.each(['disk', 'off'])('loads only what has changed, when answers are kept: %s', async (cache) => {
    server.addUser('octo', token);
    server.state.repositories.get('acme/project')?.roles.set('octo', 'write');
    const env = { GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token, GATEWRIGHT_GITHUB_CACHE: cache };
    const issue = ['issue', '--brief', brief, '--no-input', '--forge', 'github', ...models];
    const first = await playground.run(issue, { env });
    expect(first.code, first.all).toBe(10);
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    server.requests.length = 0;
    const second = await playground.run(['gate', 'answer', gate?.id ?? '', '--choice', 'send'], { env });
    expect(second.code, second.all).toBe(0);
    const [user] = server.seen('GET', '/user');
    expect(user?.status).toBe(cache === 'disk' ? 304 : 200);
    const folder = join(playground.home, '.cache', 'gatewright', 'github');
    expect(existsSync(folder)).toBe(cache === 'disk');
    if (cache === 'off') return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      const content = readFileSync(join(folder, name)).toString('latin1');
      for (const word of [token, 'octo', 'acme', 'login']) expect(content).not.toContain(word);
    }
  });
});
