/**
 * No secret is shown or kept: every variable that holds one is set to a canary, then the whole program is used, with
 * servers that repeat what they were sent, and everything that it printed and wrote is searched.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretVariables } from '../../src/domain/machine/secret-variables.ts';
import { approved, designText, draftText } from '../support/cassettes.ts';

import { GithubServer } from '../support/github-server.ts';
import { Playground, type Result } from '../support/playground.ts';
import { answerWith, ScriptedProvider } from '../support/scripted-provider.ts';

/** Each its own, so that a leak says which it is. */
const canaryOf = (name: string) => `canary0${name.toLowerCase().replace(/[^a-z0-9]/gu, '')}0canary`;
const canaries = Object.fromEntries(
  [...secretVariables, 'AWS_SECRET_ACCESS_KEY', 'NPM_TOKEN', 'MY_PASSWORD'].map((name) => [
    name,
    canaryOf(name),
  ]),
);
const fileKey = canaryOf('credentials-file');
const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];

let playground: Playground;
let provider: ScriptedProvider;
let github: GithubServer;
let credentialsFile: string;
const results: { readonly what: string; readonly result: Result }[] = [];

async function use(args: readonly string[], more: Record<string, string> = {}): Promise<Result> {
  const { GATEWRIGHT_GITHUB_APP_KEY: _, ...secrets } = canaries;
  const env = {
    ...secrets,
    ...provider.environment,
    // The servers are reached with the canaries, not with keys of their own.
    ...Object.fromEntries(Object.entries(secrets).filter(([name]) => name in provider.environment)),
    GATEWRIGHT_GITHUB_URL: github.url,
    GATEWRIGHT_FORGE: 'github',
    GATEWRIGHT_DEBUG: '1',
    ...more,
  };
  const result = await playground.run(args, { env });
  results.push({ what: args.join(' '), result });
  return result;
}

beforeAll(async () => {
  playground = new Playground();
  playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
  const folder = join(playground.home, '.config/gatewright');
  mkdirSync(folder, { recursive: true });
  credentialsFile = join(folder, 'credentials.json');
  const credentials = [{ name: 'second', provider: 'google', key: fileKey }];
  writeFileSync(credentialsFile, JSON.stringify({ credentials }));
  chmodSync(credentialsFile, 0o600);
  provider = await new ScriptedProvider().start();
  github = await GithubServer.start();
  github.addUser('octo', canaries.GITHUB_TOKEN ?? '');
  github.state.addRepository('acme/project', { octo: 'admin' });
});

afterAll(async () => {
  await provider.stop();
  await github.close();
  playground.remove();
});

function expectNothingLeaked(): void {
  const all = [...Object.values(canaries), fileKey];
  for (const { what, result } of results) {
    for (const canary of all)
      expect(result.all.includes(canary), `${canary} printed by: ${what}`).toBe(false);
  }
  const files = readdirSync(playground.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(playground.folder, name))
    .filter(
      (path) => path !== credentialsFile && statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    );
  expect(files.length).toBeGreaterThan(20);
  for (const path of files) {
    const content = readFileSync(path);
    for (const canary of all) expect(content.includes(canary), `${canary} in ${path}`).toBe(false);
  }
}

describe('secrets', () => {
  it('are nowhere after a run, a design, a recording and everything that shows them', async () => {
    provider.script = (seen) => {
      if (seen.provider === 'google') return answerWith(seen, approved);
      return answerWith(
        seen,
        seen.text.includes('Write the design.') ? designText(1) : draftText('Export as CSV'),
      );
    };
    expect((await use(['init', '--yes', '--forge', 'local'])).code).toBe(0);
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'Set up');
    const issue = await use([
      'issue',
      '--brief',
      'ideas/active/export-csv.md',
      '--auto',
      '--record',
      'run.json',
      ...models,
    ]);
    expect(issue.code, issue.all).toBe(0);
    const design = await use(['lld', '1', '--auto', '--record', 'design.json', ...models]);
    expect(design.code, design.all).toBe(0);
    for (const words of [
      'config show',
      'config validate',
      'doctor',
      'runs',
      'runs show 1-lld',
      'gates',
      'status',
      'explain #1',
      'ledger show #1',
      'ledger verify',
      'lld status',
      'replay run.json --into again',
      'replay design.json',
    ]) {
      await use(words.split(' '));
      if (!words.startsWith('replay')) await use([...words.split(' '), '--json']);
    }
    expectNothingLeaked();
  });

  it('are in no error, though the providers and GitHub repeat them', async () => {
    const brief = join(playground.repository, 'echo.md');
    writeFileSync(brief, '# Echo\n\nWords enough to make an issue of, and then a few more of them.\n');
    for (const status of [400, 401, 403, 404, 422, 429, 500]) {
      provider.script = ({ key, text }) => {
        const body = JSON.stringify({ error: { message: `Bad key ${key}`, type: 'x' }, message: key, text });
        return { status, headers: { 'retry-after': '1', 'x-key': key }, body };
      };
      const failed = await use(['issue', '--brief', brief, '--slug', `echo-${status}`, '--auto', ...models], {
        GATEWRIGHT_MODEL_SECONDS: '5',
      });
      expect(failed.code, failed.all).not.toBe(0);
    }
    const echo = { message: `token ${canaries.GITHUB_TOKEN}`, errors: [canaries.GITHUB_TOKEN] };
    for (const status of [401, 403, 422, 500]) {
      for (const words of ['doctor', 'lld 7 --auto', 'lld status']) {
        github.faults.push({
          method: 'GET',
          path: /./u,
          answer: { status, body: echo, deviates: 'the token in every refusal' },
        });
        await use(words.split(' '));
      }
    }
    for (const words of ['runs', 'status', 'ledger verify', 'explain echo-401', 'ledger show echo-401'])
      await use(words.split(' '));
    expectNothingLeaked();
  });

  it('of an App are in no error either, whatever is wrong with them', async () => {
    const key = canaryOf('app-key');
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----\n`;
    for (const value of [key, pem]) {
      const app = { GATEWRIGHT_GITHUB_APP_ID: '7', GATEWRIGHT_GITHUB_APP_KEY: value };
      for (const words of ['doctor', 'lld 1 --auto', 'config show']) {
        expect((await use(words.split(' '), app)).all).not.toContain(key);
      }
    }
    expectNothingLeaked();
  });
});
