/**
 * A pipeline that is killed after every change it makes, one after the other, and resumed each time: attempts, comments,
 * commits and the pull request are neither lost nor doubled, and issue-state.json is valid at every moment.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { House } from '../../src/runs/house.ts';
import { readState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { isExhaustive } from '../support/crash-everywhere.ts';
import { cutOffAtEachPoint, makeIsLeftOut, placeOf } from '../support/cut-off-everywhere.ts';
import { saying } from '../support/loop-world.ts';
import {
  analysed,
  answered,
  finding,
  fixed,
  PipelineWorld,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

const isLeftOut = makeIsLeftOut(3);

/** A person is asked, a stage asks another, the build fails once, the reviewer rejects once. */
const open = (): Promise<PipelineWorld> =>
  PipelineWorld.open([
    triaged({ escalations: ['Who owns this?'] }),
    analysed({ observations: [{ type: 'pattern', content: 'Tests use node:test.', file: null }] }),
    written([], { questions: [{ to: 'analyst', question: 'Where is sum?' }] }),
    answered('In src/sum.js.'),
    written(
      [{ write: 'src/sum.js', content: 'export const sum = (a, b) => a + b;\n' }],
      { test_file: null },
      2,
    ),
    written(fixed, {}, 3),
    reviewed({
      verdict: 'REJECTED',
      issues: [finding('It says nothing about strings.')],
      feedback_for_writer: 'Say it.',
    }),
    written(
      [
        {
          write: 'src/sum.js',
          content: '// Numbers only.\nexport function sum(a, b) {\n  return a + b;\n}\n',
        },
      ],
      {},
      4,
    ),
    reviewed({}, 2),
  ]);

const answers = saying({ escalation: { choice: 'proceed', feedback: 'We do.' } });

function checkFile(world: PipelineWorld): void {
  const file = join(world.fleet.playground.repository, 'issue-state.json');
  if (existsSync(file)) expect(readState(readFileSync(file, 'utf8'))).toHaveProperty('state');
}

const settled = (text: string): string => text.replace(/\b[0-9a-f]{7,}\b|\b[0-9A-Z]{26}\b/gu, '…');

async function look(world: PipelineWorld) {
  const alice = await world.fleet.as('alice');
  const pulls = await alice.listPullRequests(world.fleet.repository, { state: 'all' });
  const branch = `agent/issue-${world.number}`;
  const state = await world.state();
  return {
    stages: (await world.stages()).map(settled),
    state: {
      ...state,
      ...{ pipeline: { ...state.pipeline, started_at: '' }, build: null },
      commit: { ...state.commit, hash: '' },
    },
    comments: (await world.comments()).map(settled),
    commits: world.fleet.git('log', '--format=%s', branch).split('\n'),
    files: world.fleet.git('ls-tree', '-r', branch).split('\n'),
    pulls: pulls.map(({ title, body, labels }) => [title, settled(body), labels]),
    told: (await world.entriesOf('model-answered')).map(({ key }) => key?.split('/')[1]),
    once: (await world.entries())
      .filter(({ kind }) =>
        ['gate-answered', 'question-answered', 'pull-request-made', 'run-ended'].includes(kind),
      )
      .map(({ kind }) => kind),
    learned: (await world.house.ledger.readSubject(`${world.fleet.repository}~learnings`)).length,
    problems: (await world.house.ledger.verify()).problems,
    file: existsSync(join(world.fleet.playground.repository, 'issue-state.json')),
  };
}

let quiet: PipelineWorld;
let expected: Awaited<ReturnType<typeof look>>;
beforeAll(async () => {
  quiet = await open();
  await quiet.go(answers);
  expected = await look(quiet);
}, 300_000);
afterAll(() => quiet.remove());

describe('a pipeline', () => {
  it('that no one kills does what the script says', () => {
    expect(expected.once).toEqual(['gate-answered', 'question-answered', 'pull-request-made', 'run-ended']);
    expect(expected.told).toHaveLength(9);
    expect(expected.state.pipeline.attempt).toBe(3);
    expect(expected).toMatchObject({ learned: 1, problems: [], file: false });
  });

  it('that is killed after every change ends as one that is not', { timeout: 3_600_000 }, async () => {
    const world = await open();
    const settle = async (house: House): Promise<void> => {
      try {
        const [last] = await house.views.listRuns({ workflows: ['pipeline'] });
        // Begun again, it would say that its pull request is open.
        if (last?.status === 'done') {
          await expect(world.go(answers, undefined, house)).rejects.toMatchObject({ code: 'run-finished' });
          return;
        }
        await world.go(answers, undefined, house);
      } finally {
        checkFile(world);
      }
    };
    const places = await cutOffAtEachPoint(world.house, settle, (name, args) => {
      const place = placeOf(name, args);
      return isLeftOut(place) ? '' : place;
    });
    expect(await look(world)).toEqual(expected);
    expect(places.length).toBeGreaterThan(isExhaustive ? 150 : 80);
    for (const name of [
      'transport.pushBranch',
      'forge.createComment',
      'forge.createPullRequest',
      'coder.work',
    ])
      expect(places).toContain(`after ${name}`);
    world.remove();
  });
});
