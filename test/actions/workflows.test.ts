/**
 * The loop and the pipeline as workflows of GitHub Actions, from the label to the merge: a person labels, answers what is
 * asked by comments, and types no command. No step is replaced but the one that installs the program.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { coded, loopFiles, plan, planned, task, write } from '../support/loop-cassette.ts';
import { cleanReview } from '../support/loop-world.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { analysed, brokenSum, pipelineFiles, reviewed, triaged, written } from '../support/pipeline-world.ts';
import { openRealWorld, type RealWorld } from './real-world.ts';

let world: RealWorld;
afterEach(() => world.close());

const headings = (bodies: readonly string[]): string[] => bodies.map((body) => body.split('\n')[0] ?? '');

describe.skipIf(isWithoutSandbox)('workflows on GitHub Actions', { timeout: 900_000 }, () => {
  it('a loop goes from its label to the merge', async () => {
    world = await openRealWorld(
      {
        work: [
          planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
          coded(1, write('difference')),
          coded(2, write('product')),
        ],
        calls: [cleanReview],
      },
      { files: loopFiles, verify: 'node --test' },
    );
    const { server, stored, host } = world;
    const issue = server.state.addIssue(
      stored,
      'alice',
      'More operations',
      'Add `difference` in src/, because people subtract by hand. Done when `node --test` passes.',
      [],
    );
    await world.label(issue, labelNames.loop);
    expect(issue.labels, world.logs()).toEqual([labelNames.loopPlanning]);
    await world.say(issue, 'I know it all', 'mallory');
    await world.say(issue, 'Only these two, in `src/`. It is done when `node --test` passes.');
    expect(headings(world.saidOn(issue)), world.logs()).toContain('## 📋 Implementation Plan');
    await world.label(issue, labelNames.loopApproved);
    expect(issue.labels, world.logs()).toEqual([labelNames.loopTesting]);
    await world.say(issue, 'Works');
    expect(issue.labels, world.logs()).toEqual([labelNames.loopReview]);
    const [pull] = world.pulls();
    if (pull === undefined) throw new Error(world.logs());
    await world.label(pull, labelNames.autoMerge);
    expect(host.problems).toEqual([]);
    expect(pull.pull.mergedAt, world.logs()).toBeTruthy();
    expect(issue.labels).toEqual([labelNames.loopComplete]);
    expect(issue.state).toBe('closed');
    expect(await world.onLaptop('ledger', 'verify')).toMatch(/^Sound/u);
  });

  it('a pipeline goes from its label to the merge', async () => {
    const script = {
      work: [analysed(), written()],
      calls: [triaged({ escalations: ['Who owns this?'] }), reviewed(), cleanReview],
    };
    world = await openRealWorld(script, { files: pipelineFiles, verify: 'npm test' });
    const { server, stored, host } = world;
    const { title, body, labels } = brokenSum;
    const issue = server.state.addIssue(stored, 'alice', title, body, labels);
    await host.settle();
    await world.label(issue, labelNames.agent);
    await world.say(issue, '@claude proceed: I said so', 'mallory');
    expect(world.pulls()).toEqual([]);
    await world.say(issue, '@claude proceed: it is ours.');
    const [pull] = world.pulls();
    expect(pull?.pull.mergedAt, world.logs()).toBeTruthy();
    expect(host.problems).toEqual([]);
  });
});
