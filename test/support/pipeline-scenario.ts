/**
 * One pipeline with everything in it: a person is asked and answers by a comment, it stops after a stage and goes back to
 * it, a stage asks another one, a build fails, a review rejects, the attempts are used up and a person has it tried again.
 * Played by commands or by what people do on the issue, with any house: after a kill it goes on where it was.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import type { House } from '../../src/runs/house.ts';
import { findPipeline } from '../../src/workflows/pipeline/drive-pipeline.ts';
import { returnToStage } from '../../src/workflows/pipeline/return-to-stage.ts';
import { readState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { type Answer, saying } from './loop-world.ts';
import {
  analysed,
  answered,
  finding,
  fixed,
  PipelineWorld,
  reviewed,
  triaged,
  written,
} from './pipeline-world.ts';

const observations = [{ type: 'pattern', content: 'Tests use node:test.', file: null }];
const untested = (call: number, body: string) =>
  written([{ write: 'src/sum.js', content: `export const sum = ${body};\n` }], { test_file: null }, call);
const numbersOnly = {
  write: 'src/sum.js',
  content: '// Numbers only.\nexport function sum(a, b) {\n  return a + b;\n}\n',
};

/** @param times how often the analyst is asked: once more when it is gone back to */
const script = (times: number) => [
  triaged({ escalations: ['Who owns this?'] }),
  ...Array.from({ length: times }, (_, index) => analysed({ observations }, index + 1)),
  written([], { questions: [{ to: 'analyst', question: 'Where is sum?' }] }),
  answered('In src/sum.js.'),
  untested(2, '(a, b) => a + b'),
  written(fixed, {}, 3),
  reviewed({
    verdict: 'REJECTED',
    issues: [finding('It says nothing about strings.')],
    feedback_for_writer: 'Say it.',
  }),
  written([{ delete: 'test/sum.test.js' }], { test_file: null }, 4),
  written([numbersOnly, ...fixed.filter((step) => 'write' in step && step.write !== 'src/sum.js')], {}, 5),
  reviewed({}, 2),
  // The pull request, for the fleet.
  {
    ...{ role: 'reviewer', call: 1, request: { includes: ['BEGIN'] } },
    answer: { object: { summary: 'Fine.', findings: [] } },
  },
];

export function openPipelineScenario(by: 'commands' | 'orders'): Promise<PipelineWorld> {
  return PipelineWorld.open(script(by === 'commands' ? 2 : 1));
}

/** What is shown in the folder of the people is valid at every moment. */
function checkShownState(world: PipelineWorld): void {
  const file = join(world.fleet.playground.repository, 'issue-state.json');
  if (existsSync(file)) expect(readState(readFileSync(file, 'utf8'))).toHaveProperty('state');
}

type Step = (world: PipelineWorld, house: House) => Promise<unknown>;

const comment =
  (words: string): Step =>
  async (world) =>
    (await world.fleet.as('alice')).createComment(world.fleet.repository, world.number, words);
const go =
  (until?: 'analyst', answer?: Answer): Step =>
  (world, house) =>
    world.go(answer, until, house);

/** The order is given once; whoever was killed after it goes on. */
const goBack: Step = async (world, house) => {
  if ((await world.entriesOf('stage-returned')).length > 0) return;
  const run = await findPipeline(world.house, world.number);
  if (run === null) throw new Error('There is no pipeline.');
  await returnToStage(house, run, 'analyst', {
    own: world.fleet.own,
    person: 'alice',
    progress: () => undefined,
  });
};

const commands: readonly Step[] = [
  go('analyst'),
  comment('@claude proceed: We do.'),
  go('analyst'),
  goBack,
  go('analyst'),
  go(undefined, saying({ work: 'continue' })),
  go(undefined, saying({ blocked: { choice: 'retry', feedback: 'Write the test again.' } })),
];

/** What this returns gives all commands that are left; a command that was killed is given again. */
export function makePipelineCommands(world: PipelineWorld): (house: House) => Promise<void> {
  let given = 0;
  return async (house) => {
    try {
      for (; given < commands.length; given += 1) await commands[given]?.(world, house);
    } finally {
      checkShownState(world);
    }
  };
}

const label: Step = async (world) => {
  const alice = await world.fleet.as('alice');
  const { repository } = world.fleet;
  await alice.ensureLabel(repository, { name: labelNames.agent, colour: 'ededed', description: '' });
  await alice.editIssue(repository, world.number, { addLabels: [labelNames.agent] });
};

/** What people do on the issue, each thing when nothing more comes of the one before. */
export const pipelineOrders: readonly Step[] = [
  label,
  comment('@claude proceed: We do.'),
  comment('@claude retry: Write the test again.'),
];

export function makePipelineOrders(
  world: PipelineWorld,
): (house: House, isDead?: () => boolean) => Promise<void> {
  let given = 0;
  return async (house, isDead = () => false) => {
    for (;;) {
      await world.fleet.catchUp(house);
      checkShownState(world);
      const order = pipelineOrders[given];
      // People wait until the fleet is back.
      if (isDead() || order === undefined) return;
      await order(world, house);
      given += 1;
    }
  };
}

const settled = (text: string): string => text.replace(/\b[0-9a-f]{7,}\b|\b[0-9A-Z]{26}\b/gu, '…');
const counted = ['gate-answered', 'question-answered', 'stage-returned', 'pull-request-made', 'run-ended'];

/** All that a pipeline leaves; ids, commits and times apart. */
export async function lookAtPipeline(world: PipelineWorld) {
  const alice = await world.fleet.as('alice');
  const pulls = await alice.listPullRequests(world.fleet.repository, { state: 'all' });
  // The branch is deleted with the merge.
  const tip = pulls[0]?.head.sha ?? `agent/issue-${world.number}`;
  const state = await world.state();
  return {
    stages: (await world.stages()).map(settled),
    state: {
      ...state,
      ...{ pipeline: { ...state.pipeline, started_at: '' }, build: null },
      commit: { ...state.commit, hash: '' },
    },
    comments: (await world.comments()).map(settled),
    commits: world.fleet.git('log', '--format=%s', tip).split('\n'),
    files: world.fleet.git('ls-tree', '-r', tip).split('\n'),
    pulls: pulls.map(({ title, body, labels }) => [title, settled(body), labels]),
    told: (await world.entriesOf('model-answered')).map(({ key }) => key?.split('/')[1]),
    once: (await world.entries()).filter(({ kind }) => counted.includes(kind)).map(({ kind }) => kind),
    gates: (await world.house.views.listOpenGates()).map(({ question }) => question.kind),
    learned: (await world.house.ledger.readSubject(`${world.fleet.repository}~learnings`)).length,
    problems: (await world.house.ledger.verify()).problems,
    file: existsSync(join(world.fleet.playground.repository, 'issue-state.json')),
  };
}
