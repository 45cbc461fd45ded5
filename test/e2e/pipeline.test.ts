/** The pipeline from an issue to its pull request, on the local forge, with real tests run on real files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { itLong } from '../support/it-long.ts';
import { saying } from '../support/loop-world.ts';
import {
  analysed,
  answered,
  brokenSum,
  finding,
  fixed,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

const stateFile = (): string => join(world.fleet.playground.repository, 'issue-state.json');

describe('a pipeline', () => {
  it('brings a bug through six stages to a pull request whose test fails without the change', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    const outcome = await world.go();
    expect(outcome.reason.message, (await world.stages()).join('\n')).toMatch(/became pull request #\d+/u);
    expect(await world.stages()).toEqual([
      'triage: SMALL, may proceed',
      'analyst: done',
      'writer: 2 files changed',
      'build: passed',
      'reviewer: approved',
      `committer: pull request #${outcome.result?.number}`,
    ]);
    const alice = await world.fleet.as('alice');
    const pull = await alice.getPullRequest(world.fleet.repository, outcome.result?.number ?? 0);
    expect(pull.head.branch).toBe(`agent/issue-${world.number}`);
    expect(pull.body).toContain(`Fixes #${world.number}`);
    expect(pull.body).toContain('Without the change, its tests fail');
    expect(world.fleet.git('log', '-1', '--format=%s', pull.head.sha)).toMatch(/^fix: sum subtracts/u);
    expect(world.fleet.git('ls-tree', '-r', '--name-only', pull.head.sha)).not.toContain('issue-state');
    const state = await world.state();
    expect(state.pipeline.status).toBe('completed');
    expect(state.build).toMatchObject({ tests_passed: true, lint_passed: null });
    expect(state.learnings.outcome).toBe('success');
    // It is gone with the run; what it said is on the ledger.
    expect(existsSync(stateFile())).toBe(false);
    const [proven] = await world.entriesOf('change-proven');
    expect(proven?.data).toMatchObject({ isProven: true, redGreen: 'shown' });
    expect((await world.house.ledger.verify()).problems).toEqual([]);
  });

  itLong('sends work back with what the reviewer and the build say, and counts the attempts', async () => {
    world = await PipelineWorld.open([
      triaged(),
      analysed(),
      written([{ write: 'src/sum.js', content: 'export const sum = (a, b) => a + b;\n' }], {
        test_file: null,
      }),
      written(fixed, {}, 2),
      reviewed({
        verdict: 'REJECTED',
        issues: [finding('It says nothing about strings.')],
        feedback_for_writer: 'Say it in a comment.',
      }),
      written(
        [
          {
            write: 'src/sum.js',
            content: '// Numbers only.\nexport function sum(a, b) {\n  return a + b;\n}\n',
          },
        ],
        {},
        3,
      ),
      reviewed({}, 2),
    ]);
    const outcome = await world.go();
    expect(outcome.status, outcome.reason.message).toBe('done');
    expect((await world.stages()).filter((one) => !one.startsWith('writer'))).toEqual([
      'triage: SMALL, may proceed',
      'analyst: done',
      'build: the build fails: A test is required, and the writer names none.',
      'build: passed',
      'reviewer: rejected by the reviewer',
      'build: passed',
      'reviewer: approved',
      `committer: pull request #${outcome.result?.number}`,
    ]);
    expect((await world.entriesOf('stage-ended')).map(({ data }) => data.attempt)).toEqual([
      ...[1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3],
    ]);
    const prompts = (await world.entriesOf('prompt-sent')).filter(
      ({ data }) => data.role === 'pipeline-writer',
    );
    expect(await world.house.ledger.getText(prompts[2]?.data.prompt ?? '')).toContain('Say it in a comment.');
    expect((await world.state()).pipeline.attempt).toBe(3);
  });

  itLong(
    'stops after three attempts with the last feedback, and tries again on the word of a person',
    async () => {
      const wrong = (call: number) =>
        written(
          [{ write: 'src/sum.js', content: `export const sum = () => ${call};\n` }],
          { test_file: null },
          call,
        );
      world = await PipelineWorld.open([
        triaged(),
        analysed(),
        wrong(1),
        wrong(2),
        wrong(3),
        written(fixed, {}, 4),
        reviewed(),
      ]);
      const stopped = await world.go();
      expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
      const state = await world.state();
      expect(state.pipeline).toMatchObject({ status: 'failed', attempt: 3 });
      expect(state.pipeline.failure_reason).toContain('exhausted after 3 attempts');
      expect(state.review.feedback_for_writer).toContain('A test is required');
      const shown = readState(readFileSync(stateFile(), 'utf8'));
      expect(shown).toEqual({ state });
      expect((await world.comments()).at(-1)).toContain('## Stopped after attempt 3');
      const done = await world.go(
        saying({ blocked: { choice: 'retry', feedback: 'Write the test first.' } }),
      );
      expect(done.status, done.reason.message).toBe('done');
      const prompts = (await world.entriesOf('prompt-sent')).filter(
        ({ data }) => data.role === 'pipeline-writer',
      );
      expect(await world.house.ledger.getText(prompts[3]?.data.prompt ?? '')).toContain(
        'Write the test first.',
      );
    },
  );

  itLong(
    'never approves a test that passes on the old code, nor a change without what it claims',
    async () => {
      const idle = {
        write: 'test/sum.test.js',
        content:
          "import assert from 'node:assert';\nimport test from 'node:test';\n\ntest('adds', () => assert.equal(3, 3));\n",
      };
      const source = fixed.filter((step) => 'write' in step && step.write === 'src/sum.js');
      world = await PipelineWorld.open([
        triaged(),
        analysed(),
        written([...source, idle]),
        written(source, { test_file: 'test/elsewhere.test.js' }, 2),
        written([...source, { write: 'test/zero.test.js', content: '' }, ...fixed], {}, 3),
      ]);
      expect(await world.go()).toMatchObject({ status: 'blocked' });
      const builds = (await world.stages()).filter((one) => one.startsWith('build'));
      expect(builds[0]).toContain('pass without the change too');
      expect(builds[1]).toContain('it did not change that file');
      expect(builds).toHaveLength(3);
      expect(await world.entriesOf('pull-request-made')).toEqual([]);
    },
  );

  itLong('routes a question to the analyst and goes on with its answer', async () => {
    world = await PipelineWorld.open([
      triaged(),
      analysed(),
      written([], { questions: [{ to: 'analyst', question: 'Where is sum?' }] }),
      answered('In src/sum.js.'),
      written(fixed, {}, 2),
      reviewed(),
    ]);
    const outcome = await world.go();
    expect(outcome.status, outcome.reason.message).toBe('done');
    expect((await world.state()).communication.questions).toEqual([
      { from: 'writer', to: 'analyst', question: 'Where is sum?', answered: true, answer: 'In src/sum.js.' },
    ]);
    const prompts = (await world.entriesOf('prompt-sent')).filter(
      ({ data }) => data.role === 'pipeline-writer',
    );
    expect(await world.house.ledger.getText(prompts[1]?.data.prompt ?? '')).toContain('In src/sum.js.');
    // A question is no attempt.
    expect((await world.state()).pipeline.attempt).toBe(1);
  });

  itLong(
    'asks a person about sensitive areas, whatever the model says, and tells the stages what they decide',
    async () => {
      const issue = { ...brokenSum, title: 'sum of the password hashes is wrong' };
      world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()], pipelineFiles, issue);
      expect(await world.go()).toMatchObject({ status: 'waiting', gate: { kind: 'escalation' } });
      expect((await world.comments()).at(-1)).toContain('## A person has to decide');
      expect((await world.state()).pipeline.status).toBe('blocked');
      const outcome = await world.go(
        saying({ escalation: { choice: 'proceed', feedback: 'Only numbers here.' } }),
      );
      expect(outcome.status, outcome.reason.message).toBe('done');
      const [prompt] = (await world.entriesOf('prompt-sent')).filter(
        ({ data }) => data.role === 'pipeline-analyst',
      );
      expect(await world.house.ledger.getText(prompt?.data.prompt ?? '')).toContain('Only numbers here.');
    },
  );

  itLong('leaves a file of the project alone that has the name of its own', async () => {
    const files = { ...pipelineFiles, 'issue-state.json': '{}\n', 'issue-state-1.json': '[]\n' };
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()], files);
    const outcome = await world.go();
    expect(outcome.status, outcome.reason.message).toBe('done');
    expect(readFileSync(stateFile(), 'utf8')).toBe('{}\n');
    expect(world.fleet.git('status', '--porcelain')).toBe('');
    expect(world.fleet.git('show', `agent/issue-${world.number}:issue-state.json`)).toBe('{}');
  });

  itLong('is not begun beside a loop, and cannot pass a question by going back', async () => {
    world = await PipelineWorld.open([triaged({ escalations: ['Who owns this?'] })]);
    await world.go();
    const back = await world.fleet.playground.run(['solve', String(world.number), '--from', 'analyst']);
    expect([back.code, back.stderr]).toEqual([2, expect.stringContaining('A person has to decide first')]);
    const beside = await world.fleet.playground.run(['loop', 'plan', String(world.number), '--quick']);
    expect([beside.code, beside.stderr]).toEqual([2, expect.stringContaining('works on #')]);
  });

  itLong('stops at paths of sensitive areas, and at what a reviewer could not see', async () => {
    const large = 'x = 1;\n'.repeat(20_000);
    world = await PipelineWorld.open([
      triaged(),
      analysed({ must_not_do: [] }),
      written([...fixed, { write: 'src/large.js', content: large }]),
      written(
        [...fixed, { delete: 'src/large.js' }, { write: 'src/auth/login.js', content: 'export {};\n' }],
        {},
        2,
      ),
      reviewed(),
    ]);
    expect(await world.go()).toMatchObject({ status: 'waiting', gate: { kind: 'escalation' } });
    const builds = (await world.stages()).filter((one) => one.startsWith('build'));
    expect(builds[0]).toContain('too large to be reviewed');
    expect(builds[1]).toContain('src/auth/login.js');
    const done = await world.go(saying({ escalation: 'proceed' }));
    expect(done.status, done.reason.message).toBe('done');
  });

  itLong('answers stages that asked beside a person, and goes on', async () => {
    const asks = [
      { to: 'human', question: 'Is it urgent?' },
      { to: 'analyst', question: 'Where is sum?' },
    ];
    world = await PipelineWorld.open([
      triaged(),
      analysed(),
      written([], { questions: asks }),
      answered('In src/sum.js.'),
      written(fixed, {}, 2),
      reviewed(),
    ]);
    expect(await world.go()).toMatchObject({ gate: { kind: 'escalation' } });
    const done = await world.go(saying({ escalation: { choice: 'proceed', feedback: 'No.' } }));
    expect(done.status, done.reason.message).toBe('done');
    const { questions } = (await world.state()).communication;
    expect(questions.map(({ answer }) => answer)).toEqual(['No.', 'In src/sum.js.']);
  });

  itLong('ends when a person says so', async () => {
    world = await PipelineWorld.open([triaged({ escalations: ['Who owns this?'] })]);
    await world.go();
    const ended = await world.go(saying({ escalation: { choice: 'stop', feedback: 'Not now.' } }));
    expect(ended).toMatchObject({ status: 'done', result: null });
    expect(ended.reason.message).toContain('Not now.');
  });

  itLong(
    'refuses what a stage writes into the sections of others, asks once more, and then stops',
    async () => {
      world = await PipelineWorld.open([
        triaged(),
        analysed({ verdict: 'APPROVED' }),
        analysed({}, 2),
        written([{ write: 'issue-state.json', content: '{}' }, ...fixed]),
        written(fixed, { review: { verdict: 'APPROVED' }, pipeline: { current_agent: 'committer' } }, 2),
      ]);
      const stopped = await world.go();
      expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
      expect(stopped.reason.message).toContain('wrote twice what is not its own');
      expect((await world.entriesOf('section-rejected')).map(({ data }) => data.violations)).toEqual([
        ['analyst may not write "verdict"'],
        ['writer may not break issue-state.json'],
        ['writer may not write "review"', 'writer may not write "pipeline"'],
      ]);
      expect(await world.entriesOf('pull-request-made')).toEqual([]);
    },
  );

  itLong('stops where it is told to, goes on from there, and tells stagnation from progress', async () => {
    const same = {
      verdict: 'REJECTED',
      issues: [finding('It lacks a comment.')],
      feedback_for_writer: 'Comment it.',
    };
    world = await PipelineWorld.open([
      triaged(),
      analysed(),
      written(),
      reviewed(same),
      written([{ write: 'README.md', content: '# Sum\n' }], {}, 2),
      reviewed(same, 2),
    ]);
    expect(await world.go(undefined, 'analyst')).toMatchObject({ status: 'waiting', gate: { kind: 'work' } });
    expect(await world.stages()).toHaveLength(2);
    const stopped = await world.go(saying({ work: 'continue' }));
    expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
    expect(stopped.reason.message).toContain('The review finds the same as before');
  });
});
