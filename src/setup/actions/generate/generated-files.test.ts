/** Every generated file, for several choices: readers of GitHub's own files find nothing in them, and nor do we. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAction, readWorkflow } from '../../../../test/actions/read-workflow.ts';
import { askActionlint } from '../../../../test/support/expression-oracle.ts';
import { itLong } from '../../../../test/support/it-long.ts';
import { agentManifests, manifestOf } from '../../../agents/agents.ts';
import { type AgentName, agentNames } from '../../../domain/fleet/agent-names.ts';
import { lintWorkflows } from '../rules/lint-workflows.ts';
import { actionsInUse, claudeCodeVersion } from './rules/pinned.ts';
import { renderAction } from './rules/render-action.ts';
import { type ActionsOptions, actionFile, wantedFiles, workflowPathOf } from './rules/wanted-files.ts';

const packageOf = (path: string): { version: string; devDependencies: Record<string, string> } =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const { version, devDependencies } = packageOf('../../../../package.json');

const usual: ActionsOptions = {
  ...{ agents: agentNames, handle: 'claude', builds: ['CI', 'e2e: "all"'], runner: ['ubuntu-latest'] },
  ...{ labelKeeper: manifestOf('label-keeper'), version, source: null },
};
const choices: Readonly<Record<string, ActionsOptions>> = {
  'all agents': usual,
  'no builds': { ...usual, builds: [] },
  'machines of their own': { ...usual, runner: ['self-hosted', 'linux', 'arm64'] },
  'the reviewer alone': { ...usual, agents: ['reviewer'] },
  'merging alone': { ...usual, agents: ['auto-merge'], builds: [] },
  'ci-doctor alone': { ...usual, agents: ['ci-doctor'] },
  'ci-doctor alone, without builds': { ...usual, agents: ['ci-doctor'], builds: [] },
  'another name': { ...usual, handle: 'Robot-7', source: '/opt/gatewright' },
};

const filesFor = (options: ActionsOptions): { path: string; text: string }[] =>
  wantedFiles(agentManifests, options)
    .filter(({ path }) => path.endsWith('.yml') && !path.includes('ISSUE_TEMPLATE'))
    .map(({ path, content }) => ({ path, text: content }));

const textOf = (agent: AgentName, options = usual): string =>
  filesFor(options).find(({ path }) => path === workflowPathOf(agent))?.text ?? '';
const workflowOf = (agent: AgentName, options = usual) => readWorkflow(textOf(agent, options), agent);

/** GitHub has had this key since May 2026; actionlint does not know it yet (its issue 657). */
const unknownQueue =
  'unexpected key "queue" for "concurrency" section. expected one of "cancel-in-progress", "group"';

describe.each(Object.entries(choices))('the files for %s', (_, options) => {
  it('have no fault for the linter', () => {
    const { findings, allowed } = lintWorkflows(filesFor(options));
    const told = findings.filter(({ rule }) => rule !== 'self-hosted-runner');
    expect([...told, ...allowed]).toEqual([]);
    if (options.runner.length === 1) expect(findings).toEqual([]);
  });

  it('are workflows for actionlint, but for one key that it does not know', async () => {
    for (const { path, text } of filesFor(options)) {
      if (path === actionFile) continue;
      const told = (await askActionlint(text)).map((message) => message.replace(/^\d+: /u, ''));
      expect(told, path).toEqual([unknownQueue]);
    }
  });

  it('give jobs nothing at the top, a time, and pinned actions', () => {
    for (const { path, text } of filesFor(options)) {
      if (path === actionFile) continue;
      const { permissions, jobs } = readWorkflow(text, path);
      expect(permissions).toEqual({});
      for (const job of Object.values(jobs)) {
        expect(Number(job['timeout-minutes'])).toBeGreaterThan(0);
        expect(Object.keys(job.permissions ?? {}).length).toBeGreaterThan(0);
      }
    }
  });

  it('name secrets in the one step that runs the program, and keys of models where models are asked', () => {
    for (const { path, text } of filesFor(options)) {
      if (path === actionFile) continue;
      const { jobs, env = {} } = readWorkflow(text, path);
      expect(JSON.stringify(env)).not.toContain('secrets.');
      for (const [id, job] of Object.entries(jobs)) {
        const naming = job.steps.filter((step) => JSON.stringify(step).includes('secrets.'));
        expect(naming.map(({ run }) => run?.split(' ').slice(0, 3).join(' '))).toEqual([
          id === 'propose' ? 'gatewright actions propose' : 'gatewright actions apply',
        ]);
        expect(JSON.stringify(naming).includes('ANTHROPIC_API_KEY')).toBe(id === 'propose');
        const writes = Object.values(job.permissions ?? {}).includes('write');
        expect(writes).toBe(id !== 'propose');
        expect(naming[0]?.run).not.toContain('${{');
      }
    }
  });
});

/** All choices of agents with all others; many make the same files, and each file is looked at once. */
function everyFile(): Map<string, string> {
  const files = new Map<string, string>();
  const others: Partial<ActionsOptions>[] = [[], ['CI', 'e2e: "all"']].flatMap((builds) =>
    [['ubuntu-latest'], ['self-hosted', 'linux']].flatMap((runner) =>
      [null, '/opt/gatewright'].map((source) => ({ builds, runner, source })),
    ),
  );
  for (let chosen = 1; chosen < 2 ** agentNames.length; chosen += 1) {
    const agents = agentNames.filter((_, index) => (chosen & (1 << index)) !== 0);
    for (const one of others)
      for (const { path, text } of filesFor({ ...usual, ...one, agents })) files.set(text, path);
  }
  return files;
}

itLong(
  'has no fault in any combination of options, for the linter and for actionlint',
  async () => {
    const files = everyFile();
    expect(files.size).toBeGreaterThan(agentNames.length * 4);
    for (const [text, path] of files) {
      const { findings, allowed } = lintWorkflows([{ path, text }]);
      expect([...findings.filter(({ rule }) => rule !== 'self-hosted-runner'), ...allowed], path).toEqual([]);
      if (path === actionFile) continue;
      const told = (await askActionlint(text)).map((message) => message.replace(/^\d+: /u, ''));
      expect(told, path).toEqual([unknownQueue]);
    }
  },
  120_000,
);

describe('a workflow', () => {
  it.each([
    ['implementer', ['actions', 'contents', 'issues', 'pull-requests']],
    ['reviewer', ['actions', 'contents', 'pull-requests']],
    ['auto-merge', ['actions', 'contents', 'issues', 'pull-requests']],
    ['ci-doctor', ['actions', 'contents', 'pull-requests']],
    ['pr-size-guardian', ['actions', 'contents', 'pull-requests']],
    ['daily-digest', ['actions', 'contents', 'issues']],
    ['health-report', ['actions', 'contents', 'issues']],
    ['stale-gardener', ['actions', 'contents', 'issues']],
    ['doc-drift', ['actions', 'contents', 'issues', 'pull-requests']],
    ['template-sync', ['actions', 'contents', 'issues', 'pull-requests']],
  ] as const)('of %s may write what its effects take', (agent, expected) => {
    const { apply } = workflowOf(agent).jobs;
    const writes = Object.entries(apply?.permissions ?? {}).filter(([, level]) => level === 'write');
    expect(writes.map(([name]) => name)).toEqual(expected);
  });

  it.each([
    ['daily-digest', '0 8 * * *'],
    ['health-report', '0 9 * * 5'],
    ['stale-gardener', '0 9 * * 1'],
    ['doc-drift', '0 10 * * 1'],
    ['template-sync', '0 0 * * 1'],
  ] as const)('of %s has its schedule', (agent, cron) => {
    expect(workflowOf(agent).on.schedule).toEqual([{ cron }]);
  });

  it('asks models in a job of its own, or has no such job', () => {
    const withModels = agentNames.filter((name) => 'propose' in workflowOf(name).jobs);
    expect(withModels).toEqual(
      agentManifests.filter(({ model }) => model !== 'none').map(({ name }) => name),
    );
  });

  it('leaves a proposal also in a job that is run again', () => {
    for (const name of agentNames) {
      const { propose } = workflowOf(name).jobs;
      const upload = propose?.steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'));
      if (propose !== undefined) expect(String(upload?.with?.overwrite), name).toBe('true');
    }
  });

  it('gives each job that can test work the same time, also the one that takes up what another left', () => {
    const minutes = agentNames.map((name) => [
      name,
      ...Object.values(workflowOf(name).jobs).map((job) => job['timeout-minutes']),
    ]);
    expect(minutes).toEqual([
      ['implementer', 60, 180, 60],
      ['reviewer', 15, 30, 60],
      ['auto-merge', 60],
      ['ci-doctor', 15, 30, 60],
      ['pr-size-guardian', 15],
      ['daily-digest', 15],
      ['health-report', 15],
      ['stale-gardener', 15],
      ['doc-drift', 60, 180, 60],
      ['template-sync', 60],
    ]);
  });

  it('of ci-doctor looks at the nine others and at the builds', () => {
    const { on } = workflowOf('ci-doctor');
    expect(on.workflow_run).toMatchObject({
      workflows: [
        ...['Claude Code', 'Claude Code Review', 'Auto Merge', 'PR Size Guardian', 'Daily Digest'],
        ...['Agent Health Report', 'Stale Issue Gardener', 'Doc Drift Detector', 'Template Sync'],
        ...['CI', 'e2e: "all"'],
      ],
    });
  });
});

describe('the page about GitHub Actions', () => {
  it('shows the file of the reviewer as it is', () => {
    const page = readFileSync(new URL('../../../../docs/actions.md', import.meta.url), 'utf8');
    expect(page).toContain(textOf('reviewer').trimEnd());
  });
});

describe('the action', () => {
  it('is the one of this repository', () => {
    const own = readFileSync(new URL('../../../../action.yml', import.meta.url), 'utf8');
    expect(own).toBe(renderAction({ version, source: null }));
    expect(lintWorkflows([{ path: 'action.yml', text: own }]).findings).toEqual([]);
    expect(readAction(own, 'action.yml').inputs.version?.default).toBe(version);
  });

  it('installs the coding agent that the tests run against', () => {
    expect(devDependencies['@anthropic-ai/claude-code']).toBe(claudeCodeVersion);
  });

  it('takes nothing from a cache, which other jobs can write to', () => {
    const text = renderAction({ version, source: null });
    const used = readAction(text, 'action.yml').runs.steps.map(({ uses = '' }) => uses.replace(/@.*/u, ''));
    expect(used.filter((name) => name !== '')).toEqual(['actions/setup-node']);
    expect(text).toContain('package-manager-cache: "false"');
    expect(text).not.toContain('_cacache');
    expect(actionsInUse.filter((name) => name.includes('cache'))).toEqual([]);
  });

  it('puts nothing that is given into a script', () => {
    const { runs } = readAction(renderAction({ version, source: null }), 'action.yml');
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  });
});
