/**
 * The small GitHub with generated workflow files, and a program in place of ours that notes how each job calls it: with
 * which words and variables, in which folder, and what the job's token may do.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentManifests, manifestOf } from '../../src/agents/agents.ts';
import { agentNames } from '../../src/domain/fleet/agent-names.ts';
import {
  type ActionsOptions,
  actionFile,
  wantedFiles,
} from '../../src/setup/actions/generate/rules/wanted-files.ts';
import { type HostWorld, openHostWorld } from './host-world.ts';

interface NotedCall {
  readonly workflow: string;
  readonly job: string;
  readonly words: readonly string[];
  /** Those whose names speak of us or of keys. */
  readonly variables: Readonly<Record<string, string>>;
  /** What GitHub answered when the token was used to comment, and to read. */
  readonly mayComment: number;
  readonly mayRead: number;
  readonly head: string;
}

export interface GeneratedWorld extends HostWorld {
  readonly calls: () => NotedCall[];
  /** The workflows whose jobs called the program since the last time, in alphabetical order. */
  readonly started: () => Promise<string[]>;
}

export const canaries = {
  GATEWRIGHT_LEDGER_KEY: 'ledger-canary-0123456789',
  CLAUDE_CODE_OAUTH_TOKEN: 'oauth-canary-0123456789',
  ANTHROPIC_API_KEY: 'anthropic-canary-0123456789',
} as const;

/** Says `next=propose` as long as the file NEXT of its folder says so. */
const program = (folder: string): string => `#!/usr/bin/env node
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
const { env } = process;
const words = process.argv.slice(2);
const ask = async (method, path, body) => (await fetch(env.GITHUB_API_URL + '/repos/' + env.GITHUB_REPOSITORY + path, { method, body, headers: { authorization: 'Bearer ' + env.GITHUB_TOKEN } })).status;
const names = Object.keys(env).filter((name) => /GATEWRIGHT|KEY|TOKEN|SECRET/u.test(name) && !name.startsWith('ACTIONS_'));
const out = words[words.indexOf('--out') + 1];
if (words.includes('--out')) { mkdirSync(dirname(out), { recursive: true }); writeFileSync(out, '{}'); }
const proposal = words[words.indexOf('--proposal') + 1];
if (words.includes('--proposal') && !existsSync(proposal)) throw new Error('There is no proposal.');
else if (env.GITHUB_OUTPUT && existsSync(${JSON.stringify(join(folder, 'NEXT'))})) appendFileSync(env.GITHUB_OUTPUT, 'next=propose\\n');
writeFileSync(${JSON.stringify(folder)} + '/call-' + process.hrtime.bigint() + '.json', JSON.stringify({
  workflow: env.GITHUB_WORKFLOW, job: env.GITHUB_JOB, words,
  variables: Object.fromEntries(names.map((name) => [name, env[name]])),
  mayComment: await ask('POST', '/issues/1/comments', JSON.stringify({ body: 'x' })),
  mayRead: await ask('GET', '/issues/1'),
  head: execFileSync('git', ['log', '-1', '--format=%s']).toString().trim(),
}));
`;

/** In place of the action that installs the program, which takes seconds. */
export const quickAction = (folder: string): string => `name: Gatewright
description: Puts the program of a test on the path
inputs: { claude-code: { description: Not looked at, default: 'false' } }
runs:
  using: composite
  steps: [{ shell: bash, run: echo "${folder}" >> "$GITHUB_PATH" }]
`;

export function generateFiles(
  given: Partial<ActionsOptions> & Pick<ActionsOptions, 'version' | 'source'>,
): Record<string, string> {
  const options: ActionsOptions = {
    ...{ agents: agentNames, handle: 'claude', builds: ['CI'], runner: ['ubuntu-latest'] },
    labelKeeper: manifestOf('label-keeper'),
    ...given,
  };
  return Object.fromEntries(
    wantedFiles(agentManifests, options).map(({ path, content }) => [path, content] as const),
  );
}

export async function openGeneratedWorld(
  given: Partial<ActionsOptions> & { readonly isInstalled?: true } = {},
): Promise<GeneratedWorld & { readonly folder: string }> {
  const { isInstalled, ...some } = given;
  const folder = mkdtempSync(join(tmpdir(), 'gw-generated-'));
  const source = join(folder, 'program');
  mkdirSync(source);
  writeFileSync(join(source, 'gatewright'), program(folder), { mode: 0o755 });
  writeFileSync(
    join(source, 'package.json'),
    JSON.stringify({ name: 'gatewright', version: '0.0.1', type: 'module', bin: 'gatewright' }),
  );
  const files = generateFiles({ version: '0.0.1', source, ...some });
  const world = await openHostWorld({
    ...files,
    [actionFile]:
      // The machine that tests run on is not GitHub's, and keeps its settings.
      isInstalled === true
        ? (files[actionFile] ?? '').replace("'github-hosted'", "'not here'")
        : quickAction(source),
    '.github/workflows/ci.yml':
      'name: CI\non: pull_request\njobs: { test: { runs-on: x, steps: [{ uses: actions/checkout@v7 }, { run: test ! -e broken }] } }',
  });
  for (const [name, value] of Object.entries(canaries)) world.stored.actions.secrets.set(name, value);
  world.stored.actions.variables.set('GATEWRIGHT_VERIFY', 'npm test');
  const list = (): NotedCall[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith('call-'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as NotedCall);
  let told = 0;
  return {
    ...world,
    folder,
    calls: list,
    started: async () => {
      await world.host.settle();
      const all = list();
      const fresh = all.slice(told).map(({ workflow }) => workflow);
      told = all.length;
      return [...new Set(fresh)].sort();
    },
    close: async () => {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
