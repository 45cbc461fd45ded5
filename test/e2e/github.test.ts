/** The built program files on a GitHub: once, whatever happens to it, and without telling the token to anybody. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import type { Fault } from '../support/github-fault.ts';
import { GithubServer } from '../support/github-server.ts';
import { crashChildFile, Playground, type Result } from '../support/playground.ts';

const brief = 'ideas/active/export-csv.md';
const token = 'ghp_canary0123456789abcdefghijklmnop';
const filing = { method: 'POST', path: /\/issues$/u } as const;

let playground: Playground;
let server: GithubServer;
let models: string[];
const env = () => ({ GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token });

beforeEach(async () => {
  playground = new Playground();
  playground.git('remote', 'add', 'origin', `https://someone:${token}@github.com/acme/project.git`);
  server = await GithubServer.start();
  server.addUser('octo', token);
  server.state.addRepository('acme/project', { octo: 'write' });
  models = writeCassette(playground.folder, 'github', {
    drafts: [draftText('Reports can be downloaded', { labels: '`reports`' })],
    verdicts: [approved],
  });
});

afterEach(async () => {
  await server.close();
  playground.remove();
});

const issues = () => server.state.repositories.get('acme/project')?.issues ?? [];
const start = () => ['issue', '--brief', brief, '--auto', '--forge', 'github', ...models];
const resume = () => ['issue', '--resume', brief, '--auto', '--forge', 'github', ...models];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function expectNoToken(...results: Result[]): void {
  for (const result of results) expect(result.all).not.toContain(token);
  for (const path of filesBelow(playground.folder)) {
    // The remote is the person's own, with the password in it.
    if (path.endsWith('.git/config')) continue;
    expect(readFileSync(path).includes(token), path).toBe(false);
  }
}

function expectOneIssue(): void {
  expect(issues().map(({ title, author, labels }) => ({ title, author, labels }))).toEqual([
    { title: 'Reports can be downloaded', author: 'octo', labels: ['reports'] },
  ]);
  expect(playground.list('docs/lineage/done')).toEqual(['1-export-csv']);
  expect(playground.git('status', '--porcelain')).toBe('');
}

describe('on GitHub', () => {
  it('a brief becomes an issue there, found by the remote, and the person is who the token says', async () => {
    const result = await playground.run(start(), { env: env() });
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('https://github.com/acme/project/issues/1');
    expectOneIssue();
    const shown = await playground.run(['explain', 'acme/project#1']);
    expect(shown.code, shown.all).toBe(0);
    expect(shown.stderr).toContain('This is what the ledger knows.');
    const runs = await playground.run(['ledger', 'show', 'export-csv', '--json']);
    expect(runs.stdout).toContain('"octo"');
    expectNoToken(result, shown, runs);
  });

  it('GATEWRIGHT_FORGE and --repo say the same', async () => {
    playground.git('remote', 'remove', 'origin');
    const lost = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: { ...env(), GATEWRIGHT_FORGE: 'github' },
    });
    expect(lost.stderr).toContain('(forge-repository-unknown)');
    const result = await playground.run(
      ['issue', '--brief', brief, '--auto', '--repo', 'acme/project', ...models],
      { env: { ...env(), GATEWRIGHT_FORGE: 'github' } },
    );
    expect(result.code, result.all).toBe(0);
    expectOneIssue();
  });

  it('a gate is answered from elsewhere, with the permission that GitHub gives', async () => {
    const args = ['issue', '--brief', brief, '--no-input', '--forge', 'github', ...models];
    const waiting = await playground.run(args, { env: env() });
    expect(waiting.code, waiting.all).toBe(10);
    const explained = await playground.run(['explain', brief]);
    expect(explained.stdout).toContain('gatewright gate answer');
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    const answer = ['gate', 'answer', gate?.id ?? '', '--choice', 'send'];
    server.addUser('guest', 'another-token');
    const refused = await playground.run(answer, { env: { ...env(), GITHUB_TOKEN: 'another-token' } });
    expect(refused.stderr).toContain('(forge-forbidden)');
    expect(refused.stderr).toContain('ask an administrator of acme/project');
    const unsafe = { ...env(), GATEWRIGHT_GITHUB_URL: 'http://github.example/api/v3' };
    expect((await playground.run(answer, { env: unsafe })).stderr).toContain('(config-invalid)');
    const answered = await playground.run(answer, { env: env() });
    expect(answered.code, answered.all).toBe(0);
    expectOneIssue();
  });

  it.each(['before forge.createIssue', 'after forge.createIssue'])(
    'killed %s, it files once',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'gw-points-'));
      const log = join(folder, 'points');
      const practice = new Playground();
      practice.git('remote', 'add', 'origin', 'git@github.com:acme/practice.git');
      server.state.addRepository('acme/practice', { octo: 'admin' });
      const counted = await practice.run(start(), {
        env: { ...env(), CRASH_LOG: log },
        file: crashChildFile,
      });
      expect(counted.code, counted.all).toBe(0);
      const point = readFileSync(log, 'utf8').split('\n').indexOf(name) + 1;
      expect(point).toBeGreaterThan(0);
      practice.remove();
      rmSync(folder, { recursive: true });
      const crash = { ...env(), CRASH_AT: String(point) };
      const killed = await playground.run(start(), { env: crash, file: crashChildFile });
      expect(killed.signal, killed.all).toBe('SIGKILL');
      expect(issues()).toHaveLength(name.startsWith('before') ? 0 : 1);
      const resumed = await playground.run(resume(), { env: env() });
      expect(resumed.code, resumed.all).toBe(0);
      expectOneIssue();
      expectNoToken(killed, resumed);
    },
  );

  it.each<[string, Fault, number, string]>([
    ['an answer that was lost', { ...filing, reset: 'after' }, 11, '(filing-failed)'],
    [
      'a refusal',
      { ...filing, answer: { status: 422, body: { message: `not ${token}` } } },
      11,
      '(filing-failed)',
    ],
    [
      'a long limit',
      { ...filing, answer: { status: 403, headers: { 'retry-after': '3600' } } },
      12,
      'paused:',
    ],
  ])('%s stops the run, and the command it names goes on', async (_, fault, code, said) => {
    server.faults.push(fault);
    const stopped = await playground.run(start(), { env: { ...env(), GATEWRIGHT_DEBUG: '1' } });
    expect(stopped.code, stopped.all).toBe(code);
    expect(stopped.stderr).toContain(said);
    const status = await playground.run(['status']);
    // The run knows its forge and its repository: its id is enough, from anywhere.
    const shown = /continue: gatewright (.+)/u.exec(status.stdout)?.[1] ?? '';
    const [gate] = await playground.json<{ id: string }[]>(['gates']);
    const resumed =
      gate === undefined
        ? await playground.run([...shown.split(' '), '--auto'], { env: env(), cwd: playground.folder })
        : await playground.run(['gate', 'answer', gate.id, '--choice', 'retry'], { env: env() });
    expect(resumed.code, resumed.all).toBe(0);
    expectOneIssue();
    expectNoToken(stopped, status, resumed);
  });
});

describe('what does not go on GitHub', () => {
  it.each<[string, string[], Record<string, string>, number, string]>([
    [
      'test mode',
      ['issue'],
      { GATEWRIGHT_TEST_MODE: '1', GATEWRIGHT_FORGE: 'github' },
      1,
      '(test-mode-refused)',
    ],
    ['forge issue', ['forge', 'issue', 'list'], { GATEWRIGHT_FORGE: 'github' }, 1, '(forge-local-only)'],
    [
      'forge permission',
      ['forge', 'permission', 'list'],
      { GATEWRIGHT_FORGE: 'github' },
      1,
      '(forge-local-only)',
    ],
    [
      '040: a wrong token',
      ['issue', '--brief', brief, '--forge', 'github'],
      { GITHUB_TOKEN: 'wrong' },
      1,
      '(forge-not-authenticated)',
    ],
    ['an unknown forge', ['issue', '--brief', brief, '--forge', 'gitlab'], {}, 2, 'local, github'],
  ])('%s', async (_, args, more, code, said) => {
    const result = await playground.run(args, { env: { ...env(), ...more } });
    expect(result.stderr).toContain(said);
    expect(result.code).toBe(code);
    expect(issues()).toEqual([]);
  });

  it('a run is not resumed on another forge by mistake', async () => {
    const args = ['issue', '--brief', brief, '--no-input', '--forge', 'github', ...models];
    const waiting = await playground.run(args, { env: env() });
    const id = /Run: (\S+)/u.exec(waiting.stderr)?.[1] ?? '';
    const result = await playground.run(['issue', '--resume', brief, '--auto']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`gatewright issue --resume ${id}`);
  });

  it('without permission nothing is begun at a model', async () => {
    server.state.repositories.get('acme/project')?.roles.set('octo', 'read');
    const result = await playground.run(start(), { env: env() });
    expect(result.stderr).toContain('"write" is needed');
    expect(issues()).toEqual([]);
  });
});
