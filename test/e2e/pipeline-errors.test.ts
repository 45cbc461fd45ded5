/** Stops of the pipeline that are no question to a person: `explain`, `solve status` and the document know each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { type ErrorCode, errorCatalogue } from '../../src/errors.ts';
import type { House } from '../../src/runs/house.ts';
import type { StageName } from '../../src/workflows/pipeline/rules/stages.ts';
import { saying } from '../support/loop-world.ts';
import { escalationStops, failureStops, workStop } from '../support/pipeline-stops.ts';
import {
  analysed,
  brokenSum,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  type Script,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world?.remove());

const whole: Script = [triaged(), analysed(), written(), reviewed()];

interface ErrorStop {
  readonly code: ErrorCode;
  readonly name: string;
  readonly script?: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** It goes to the end of this stage first. */
  readonly until?: StageName;
  /** What happens then. */
  readonly act?: () => Promise<unknown>;
  readonly house?: () => Promise<House>;
  readonly words: string;
  readonly status?: 'paused';
  /** Null where it stops before there is a document. */
  readonly stage: StageName | null;
}

const editIssue = async (change: object) =>
  (await world.fleet.as('alice')).editIssue(world.fleet.repository, world.number, change);

async function hold(): Promise<void> {
  const { hold: name } = labelNames;
  const alice = await world.fleet.as('alice');
  await alice.ensureLabel(world.fleet.repository, { name, colour: 'ededed', description: '' });
  await editIssue({ addLabels: [name] });
}

const takeBranches = async (count: number): Promise<void> => {
  const other = world.fleet.branch('others', { 'others.txt': 'Of others.\n' });
  for (let turn = 1; turn <= count; turn += 1)
    world.fleet.git('branch', `agent/issue-${world.number}${turn === 1 ? '' : `-${turn}`}`, other);
};

const stops: readonly ErrorStop[] = [
  {
    ...{ code: 'held', name: 'an issue that is held', act: hold, stage: null },
    words: 'carries the label "hold"',
  },
  {
    ...{ code: 'held', name: 'an issue that is held at the end', until: 'reviewer', act: hold },
    ...{ words: 'carries the label "hold"', stage: 'committer' },
  },
  {
    ...{ code: 'preflight-failed', name: 'agents that cannot be asked', stage: null },
    house: async () =>
      (
        await world.fleet.reopen({
          ...{ GATEWRIGHT_CODER: 'claude:default', GATEWRIGHT_PLANNER: 'claude:default' },
          GATEWRIGHT_DATABASE_URL: world.fleet.playground.database,
        })
      ).house,
    words: 'The pipeline cannot ask the agents that it needs.',
  },
  {
    ...{ code: 'branch-taken', name: 'branches of others', act: () => takeBranches(20), stage: null },
    words: 'agent/issue-1 and 19 others after it are there already',
  },
  {
    ...{ code: 'branch-taken', name: 'a branch of others at the end', until: 'reviewer' },
    ...{ act: () => takeBranches(1), stage: 'committer' },
    words: 'The branch agent/issue-1 is there already',
  },
  {
    ...{ code: 'issue-changed', name: 'an issue that was closed', until: 'reviewer', stage: 'committer' },
    act: () => editIssue({ state: 'closed' }),
    words: 'Issue #1 was closed meanwhile.',
  },
  {
    ...{ code: 'no-test-command', name: 'a project without known tests', stage: 'analyst' },
    files: { 'src/sum.js': pipelineFiles['src/sum.js'], 'test/zero.test.js': '' },
    words: '#1 needs a test, and no command is known that runs the tests of this project.',
  },
  {
    ...{ code: 'setup-failed', name: 'dependencies that cannot be installed', stage: 'writer' },
    environment: { GATEWRIGHT_SETUP: 'node missing.mjs' },
    words: '"node missing.mjs" ended with 1 in a copy of the repository.',
  },
  {
    ...{ code: 'quota-exhausted', name: 'a quota that is used up', stage: 'writer', status: 'paused' },
    script: [triaged(), analysed(), { ...written(), outcome: { quota: { until: '2099-01-01T00:00:00Z' } } }],
    words: 'quota',
  },
  {
    ...{ code: 'model-refused', name: 'an agent that refuses', stage: 'writer' },
    script: [triaged(), analysed(), { ...written(), outcome: { refused: 'I would rather not.' } }],
    words: 'I would rather not.',
  },
  {
    ...{ code: 'model-unusable-answer', name: 'an answer that cannot be used', stage: 'triage' },
    script: [{ ...triaged(), answer: { object: { scope: 'HUGE' } } }],
    words: 'scope',
  },
];

const show = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await world.fleet.playground.run(words);
  expect(code, `${words.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
};

describe.each(stops)('a pipeline that stops because of $name', (stop) => {
  const { code, script, files, environment, until, act, house, words, stage, status } = stop;

  it('says so wherever a person looks', async () => {
    world = await PipelineWorld.open(script ?? whole, files ?? pipelineFiles, brokenSum, environment ?? {});
    if (until !== undefined) await world.go(undefined, until);
    await act?.();
    // A command shows such an error; what is kept of it is what others see.
    await world.go(saying({ work: 'continue' }), undefined, await house?.()).catch((error: unknown) => {
      expect(error).toMatchObject({ code });
    });
    const [run] = await world.house.views.listRuns({ workflows: ['pipeline'], issue: world.number });
    expect(run?.reason, run?.reason?.message).toMatchObject({ code });
    expect(run?.status).toBe(status ?? (errorCatalogue[code].retry === 'never' ? 'failed' : 'blocked'));
    const number = String(world.number);
    const shown = await show('solve', 'status', number);
    expect(shown).toContain(words);
    expect(shown).toContain(`Continue with: gatewright solve --resume ${run?.id}`);
    const explained = await show('explain', number);
    if (code === 'held') {
      // To resume it would change nothing before the label is gone.
      expect(explained).toContain('"hold"');
    } else if (code === 'issue-changed') {
      // What is closed waits for nothing.
      expect(explained).toContain('Now:   closed');
      expect(explained).toContain(words);
    } else {
      expect(explained).toContain(words);
      expect(explained).toContain(`run: gatewright solve --resume ${run?.id}`);
      const hint = errorCatalogue[code].hint.replaceAll('RUN', run?.id ?? '');
      if (status === 'paused') expect(explained).toContain('who: no person: wait until 2099-01-01T00:00:00');
      else if (errorCatalogue[code].retry === 'later')
        expect(explained).toContain('who: no person: wait a while');
      else expect(explained).toContain(`fix: ${hint}`);
      expect(explained).not.toContain('no order for an agent');
    }
    if (stage === null) return;
    const text = await show('solve', 'state', number, '--json');
    expect(JSON.parse(text).pipeline).toMatchObject({
      ...{ status: 'blocked', blocked_reason: expect.stringContaining(words), current_agent: stage },
      next_command: `gatewright solve ${number}`,
    });
    expect(JSON.parse(world.fleet.playground.read('issue-state.json'))).toEqual(JSON.parse(text));
  });
});

const nodes = join(import.meta.dirname, '../../src/workflows/pipeline/nodes');
const sources = readdirSync(nodes)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name: name.replace('.ts', ''), text: readFileSync(join(nodes, name), 'utf8') }));
const questions = [...escalationStops, ...failureStops, workStop];

describe('the stops of the pipeline', () => {
  it('are all tested: each node that asks a person', () => {
    const asking = sources.filter(({ text }) =>
      /\b(?:escalate|giveUpAttempts|sendBack|goOnAfter)\(/u.test(text),
    );
    expect(asking.length).toBeGreaterThan(8);
    const tested = new Set(questions.map(({ from }) => from));
    expect(asking.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('are all tested: each error that a node throws', () => {
    const others = ['../../issue-runs/check-order.ts', '../../../runs/coding/prepare-copy.ts'];
    const texts = [...sources, ...others.map((path) => ({ text: readFileSync(join(nodes, path), 'utf8') }))];
    const thrown = texts.flatMap(({ text }) =>
      [...text.matchAll(/new GatewrightError\(\s*'([a-z-]+)'/gu)].map(([, code]) => code),
    );
    const tested: readonly (string | undefined)[] = [
      ...stops.map(({ code }) => code),
      // They become questions to a person (pipeline-stops.ts).
      ...['stage-overstepped', 'analysis-invalid', 'plan-unfinished'],
      // Only orders of the fleet can be outdated (pipeline-fleet.test.ts).
      'order-outdated',
      // No way leads there but a mistake in the program, or a ledger that was damaged.
      ...['internal', 'issue-state-invalid'],
    ];
    expect(thrown.filter((code) => !tested.includes(code))).toEqual([]);
  });
});
