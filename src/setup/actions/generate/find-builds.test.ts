/** Whatever people call their workflows: the file that waits for them can be read, and names them as they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWorkflow } from '../../../../test/actions/read-workflow.ts';
import { askActionlint } from '../../../../test/support/expression-oracle.ts';
import { agentManifests, manifestOf } from '../../../agents/agents.ts';
import { findBuilds } from './find-builds.ts';
import { wantedFiles, workflowPathOf } from './rules/wanted-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gw-builds-'));
  mkdirSync(join(root, '.github/workflows'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function buildsOf(name: string): string[] {
  writeFileSync(
    join(root, '.github/workflows/ci.yml'),
    `name: ${JSON.stringify(name)}\non: push\njobs: {}\n`,
  );
  return findBuilds(root);
}

const words = ['true', 'False', 'NULL', '~', 'yes', '1.5', '0x1f', '.inf', '2026-01-01', '<<', '='];
const signs = ["it's", '"quoted"', '- x', '# no', 'a: b', '*x', '&a', '!tag', '[x]', '{x}', '@claude', '%x'];
const others = [
  '`x`',
  'a\\nb',
  ' CI ',
  'a  b',
  '\u2028',
  '\u00A0x',
  '\uFEFFx',
  '\u202Eevil',
  '🚀',
  'x'.repeat(200),
];

it.each([...words, ...signs, ...others])('waits for %j', async (name) => {
  const builds = buildsOf(name);
  expect(builds).toEqual([name]);
  const files = wantedFiles(agentManifests, {
    ...{ agents: ['auto-merge', 'ci-doctor'], handle: 'claude', builds, runner: ['null'] },
    ...{ labelKeeper: manifestOf('label-keeper'), version: '0.1.0', source: null },
  });
  for (const agent of ['auto-merge', 'ci-doctor'] as const) {
    const text = files.find(({ path }) => path === workflowPathOf(agent))?.content ?? '';
    const { on, jobs } = readWorkflow(text, agent);
    expect((on.workflow_run as { workflows: string[] }).workflows.at(-1)).toBe(name);
    expect(Object.values(jobs).map((job) => job['runs-on'])).toEqual(
      Object.keys(jobs).map(() => expect.stringMatching(/^null$/u)),
    );
    const told = (await askActionlint(text)).filter((one) => !/"queue"|"null" is unknown/u.test(one));
    expect(told).toEqual([]);
  }
});

it.each(['', 'x'.repeat(201), 'a\nb', 'CI ${{ github.ref }}', '\uD83D'])('does not wait for %j', (name) => {
  expect(buildsOf(name)).toEqual([]);
});
