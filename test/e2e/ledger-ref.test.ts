/** The built program with its ledger on a git ref: machines that share nothing but the repository see the same. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubServer } from '../support/github-server.ts';
import { Playground, type Result } from '../support/playground.ts';

const key = 'c0ffee'.repeat(10).concat('beef');
const token = 'ghp_canary0123456789abcdefghijklmnop';
const ref = 'refs/gatewright/ledger';
const issue = ['issue', '--brief', 'ideas/active/export-csv.md', '--auto'];

let playground: Playground;
let server: GithubServer | null = null;

beforeEach(() => {
  playground = new Playground();
});
afterEach(async () => {
  await server?.close();
  server = null;
  playground.remove();
});

/** A machine of its own; the local forge is in the database, which is the same one. */
const machine = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  env: {
    GATEWRIGHT_LEDGER: 'ref',
    GATEWRIGHT_LEDGER_KEY: key,
    GATEWRIGHT_DATA_DIR: join(playground.folder, name),
    ...more,
  },
});

/** Also without the database: what it knows, it knows from the ref. */
const elsewhere = (name: string, more: Readonly<Record<string, string>> = {}) =>
  machine(name, { GATEWRIGHT_DATABASE_URL: join(playground.folder, name, 'own.db'), ...more });

async function run(args: readonly string[], on: ReturnType<typeof machine>): Promise<Result> {
  const result = await playground.run(args, on);
  expect(result.code, result.all).toBe(0);
  return result;
}

function expectKept(secret: string, ...results: readonly Result[]): void {
  for (const { all } of results) expect(all).not.toContain(secret);
  const files = readdirSync(playground.folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(playground.folder, name),
  );
  for (const path of files.filter((one) => statSync(one).isFile()))
    expect(readFileSync(path).includes(secret), path).toBe(false);
}

/** What commands say, on a machine that has seen nothing yet. */
async function expectSeenBy(on: ReturnType<typeof machine>): Promise<Result[]> {
  const runs = await run(['runs', '--json'], on);
  expect(JSON.parse(runs.stdout)).toMatchObject([{ status: 'done' }]);
  const status = await run(['status'], on);
  expect(status.stdout).toContain('1 filed');
  const shown = await run(['ledger', 'show', 'export-csv'], on);
  expect(shown.stdout).toContain('run-ended');
  const verified = await run(['ledger', 'verify'], on);
  expect(verified.stdout).toMatch(/^Sound: \d+ entries about 1 subject/u);
  const gates = await run(['gates'], on);
  return [runs, status, shown, verified, gates];
}

describe('a ledger on the ref of a local repository', () => {
  it('is the same for every machine, and the database has none of it', async () => {
    const filed = await run(issue, machine('one'));
    const subjects = playground.git('log', '--format=%s', ref).split('\n');
    expect(subjects).toContain('Append 1 entry of local/project:export-csv');
    const seen = await expectSeenBy(elsewhere('two'));
    const explained = await run(['explain', '1'], machine('three'));
    expect(explained.stdout).toContain('Export reports as CSV');
    const local = await run(['runs', '--json'], {
      env: { ...machine('four').env, GATEWRIGHT_LEDGER: 'local' },
    });
    expect(JSON.parse(local.stdout)).toEqual([]);
    expectKept(key, filed, explained, ...seen);
    const config = await run(['config', 'show'], machine('one'));
    expect(config.stdout).toMatch(/^ledger +ref +environment +GATEWRIGHT_LEDGER$/mu);
    expect(config.stdout).toMatch(/^GATEWRIGHT_LEDGER_KEY +set$/mu);
    expectKept(key, config);
  });

  it('says what is wrong with a key, without showing it', async () => {
    await run(issue, machine('one'));
    const cases = [
      ['', /GATEWRIGHT_LEDGER_KEY is not set[\s\S]+openssl rand -hex 32/u],
      ['not-a-key', /has to be 64 hex digits/u],
      ['ab'.repeat(32), /nothing on the git ref is signed with the key of this machine/u],
    ] as const;
    for (const [value, said] of cases) {
      const result = await playground.run(['status'], machine('two', { GATEWRIGHT_LEDGER_KEY: value }));
      expect(result.code).toBe(1);
      expect(result.stderr).toMatch(said);
      if (value !== '') expect(result.all).not.toContain(value);
    }
    const verified = await playground.run(
      ['ledger', 'verify'],
      machine('two', { GATEWRIGHT_LEDGER_KEY: 'ab'.repeat(32) }),
    );
    expect(verified.stdout).toContain('Probably another key');
    const result = await playground.run(['status'], machine('two', { GATEWRIGHT_LEDGER: 'git' }));
    expect(result.stderr).toContain('GATEWRIGHT_LEDGER has to be local or ref.');
  });

  it('cannot be chosen by a file of the repository', async () => {
    playground.write('gatewright.config.json', '{ "ledger": "ref" }\n');
    const result = await playground.run(['config', 'validate']);
    expect(result.code).toBe(1);
  });
});

describe('a ledger on a ref at GitHub', () => {
  it('is written and read with the token, which is kept nowhere', async () => {
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
    server = await GithubServer.start();
    server.addUser('octo', token);
    server.state.addRepository('acme/project', { octo: 'write' });
    const env = { GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token, GATEWRIGHT_FORGE: 'github' };
    const filed = await run(issue, machine('one', env));
    expect(filed.stderr).toContain('https://github.com/acme/project/issues/1');
    const seen = await expectSeenBy(elsewhere('two', env));
    for (const secret of [key, token, Buffer.from(`x-access-token:${token}`).toString('base64')])
      expectKept(secret, filed, ...seen);
    const refused = await playground.run(
      ['status'],
      elsewhere('three', { ...env, GITHUB_TOKEN: 'ghp_withdrawn123456789abcdefghijklmn' }),
    );
    expect(refused.stderr).toContain('(forge-not-authenticated)');
  });
});
