/** Diagnoses, corrections of documentation and template syncs on GitHub: our small one on loopback, with real git behind it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runGit } from '../../src/adapters/git/run-git.ts';
import type { FleetEvent } from '../../src/domain/fleet/event.ts';
import { GithubFleetWorld } from '../support/github-fleet-world.ts';

const files = {
  'README.md': '# Project\n\nSee `src/reprot.ts`.\n',
  'src/report.ts': 'export const rows = 1;\n',
};

let world: GithubFleetWorld;
afterEach(() => world.remove());

async function open(environment: Readonly<Record<string, string>>, tape: object | null): Promise<void> {
  const plain = await GithubFleetWorld.open(files);
  const cassette =
    tape === null ? '' : plain.cassette({ format: 'gatewright-cassette/1', about: 'test', ...tape });
  const settings = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace('TAPE', cassette),
  ]);
  world = await plain.reopen(Object.fromEntries(settings));
}

async function messages(...events: readonly FleetEvent[]): Promise<string[]> {
  const outcomes = await world.deliver(...events);
  return outcomes.flatMap(({ outcomes: runs }) => runs.map(({ reason }) => reason.message));
}

const model = { name: 'claude-test', title: 'Claude' };

it('a failed build is diagnosed where it belongs', async () => {
  const diagnosis = { what: 'It failed.', why: 'Because.', fix: 'Change it.', confidence: 'low' };
  const request = { includes: ['expected 3 to be 4', 'src/report.ts'] };
  await open(
    { GATEWRIGHT_AGENTS: 'ci-doctor', GATEWRIGHT_WRITER: 'cassette:TAPE' },
    {
      models: { writer: model },
      calls: [{ role: 'doctor', call: 1, request, answer: { object: diagnosis } }],
    },
  );
  const { stored, server, repository } = world;
  const { state } = server;
  const head = stored.git.resolve('refs/heads/main') ?? '';
  const jobs = [
    {
      ...{ id: state.nextId(), name: 'build', conclusion: 'failure', startedAt: Date.parse(state.now()) },
      steps: [{ name: 'test', conclusion: 'failure' as const, log: 'expected 3 to be 4' }],
    },
  ];
  const run = state.nextId();
  stored.runs.push({
    ...{ id: run, name: 'ci', sha: head, branch: 'main', event: 'push', status: 'completed' },
    ...{ conclusion: 'failure', at: state.now(), jobs },
  });
  const event = world.event('workflow-completed', { run, name: 'ci', head, conclusion: 'failure' });
  expect(await messages(event, event)).toEqual([`ci on ${head.slice(0, 12)}, diagnosed there`]);
  const comments = await (await world.as('alice')).listCommitComments(repository, head);
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toContain('- `build`, step `test`');
});

it('documentation is corrected on a branch of GitHub', async () => {
  const work = {
    ...{ role: 'documenter', call: 1, request: { includes: ['src/reprot.ts'] } },
    steps: [{ edit: 'README.md', replace: 'src/reprot.ts', with: 'src/report.ts' }],
    outcome: { text: 'Done.' },
  };
  await open(
    { GATEWRIGHT_AGENTS: 'doc-drift', GATEWRIGHT_CODER: 'cassette:TAPE' },
    { models: { coder: model }, work: [work] },
  );
  expect(await messages(world.event('schedule-due', { schedule: 'doc-drift' }))).toEqual([
    '#1 settles 1 of 1 place that drifted',
  ]);
  const pull = await (await world.as('alice')).getPullRequest(world.repository, 1);
  expect(pull.labels).toEqual(['auto-merge', 'documentation']);
  expect(world.fileAt(pull.head.branch, 'README.md')).toContain('`src/report.ts`');
  expect(world.playground.git('branch', '--format=%(refname:short)')).toBe('main');
});

it('a template is brought over, and over again', async () => {
  const plain = await GithubFleetWorld.open(files);
  const template = join(plain.playground.folder, 'template');
  mkdirSync(template);
  const git = (...args: string[]) => runGit(template, plain.playground.environment, args);
  await git('init', '--quiet', '--initial-branch=main');
  const change = async (path: string) => {
    plain.playground.write(`../template/${path}`, 'x\n');
    await git('add', '--all');
    await git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '--quiet', '--message', path);
  };
  await change('a.txt');
  world = await plain.reopen({ GATEWRIGHT_AGENTS: 'template-sync', GATEWRIGHT_TEMPLATE: template });
  const due = () => world.event('schedule-due', { schedule: 'template-sync' });
  expect((await messages(due()))[0]).toMatch(/^#1 brings/u);
  await change('.github/workflows/b.yml');
  expect((await messages(due()))[0]).toMatch(/^#1 now brings/u);
  const pull = await (await world.as('alice')).getPullRequest(world.repository, 1);
  expect([...pull.labels].sort()).toEqual(['needs-review', 'template_sync']);
  expect(world.fileAt(pull.head.branch, '.github/workflows/b.yml')).toContain('x');
  expect(pull.diffStat.files).toBe(2);
});
