/** What becomes of the pull request of a pipeline: it is merged by the rules of every other one, or closed. */
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { cleanReview } from '../support/loop-world.ts';
import {
  analysed,
  brokenSum,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

const script = [triaged(), analysed(), written(), reviewed(), cleanReview];

async function order(): Promise<void> {
  const { fleet, number } = world;
  const alice = await fleet.as('alice');
  await alice.ensureLabel(fleet.repository, { name: labelNames.agent, colour: 'ededed', description: '' });
  await alice.editIssue(fleet.repository, number, { addLabels: [labelNames.agent] });
  await fleet.catchUp();
}

const pulls = async () =>
  (await world.fleet.as('alice')).listPullRequests(world.fleet.repository, { state: 'all' });

describe('the pull request of a pipeline', () => {
  it('is merged without a person when tests proved the very commit, and its branch goes', async () => {
    world = await PipelineWorld.open(script);
    await order();
    const [pull] = await pulls();
    expect(pull?.state).toBe('merged');
    const [proven] = await world.entriesOf('change-proven');
    expect(proven?.data).toMatchObject({ isProven: true, commit: pull?.head.sha });
    expect(world.fleet.headOf(pull?.head.branch ?? '')).toBeNull();
    const alice = await world.fleet.as('alice');
    expect((await alice.getIssue(world.fleet.repository, world.number)).state).toBe('closed');
  });

  it('waits for a person when its tests pass and prove nothing', async () => {
    const none = { required: false, type: 'none', location: null, description: null };
    const issue = { ...brokenSum, title: 'Refactor sum', labels: ['refactor'] };
    const test = (pipelineFiles['test/zero.test.js'] ?? '').replace("'zero'", "'nothing'");
    const steps = [
      { write: 'src/sum.js', content: 'export const sum = (a, b) => {\n  return a - b;\n};\n' },
      { write: 'test/sum.test.js', content: test },
    ];
    const script = [triaged(), analysed({ test_requirement: none }), written(steps), reviewed(), cleanReview];
    world = await PipelineWorld.open(script, pipelineFiles, issue);
    await order();
    const [pull] = await pulls();
    expect([pull?.state, pull?.labels]).toEqual(['open', [labelNames.autoMerge]]);
    const explained = await world.fleet.playground.run(['explain', String(pull?.number)]);
    expect(explained.stdout).toContain('no tests that we ran have proven this commit');
  });
});
