/** Orders that come again: after a closed pull request, while a pipeline waits, and on a base that is red already. */
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { readLearnings } from '../../src/workflows/pipeline/read-learnings.ts';
import { saying, sayingOnce } from '../support/loop-world.ts';
import {
  analysed,
  fixed,
  PipelineWorld,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

describe('a second pipeline on an issue', () => {
  const done = async (): Promise<number> => {
    const outcome = await world.go();
    expect(outcome.status, outcome.reason.message).toBe('done');
    return outcome.result?.number ?? 0;
  };
  const usual = () => `agent/issue-${world.number}`;
  const close = async (number: number): Promise<void> => {
    await (await world.fleet.as('alice')).editPullRequest(world.fleet.repository, number, {
      state: 'closed',
    });
  };
  const headOf = async (pull: number): Promise<string> =>
    (await (await world.fleet.as('alice')).getPullRequest(world.fleet.repository, pull)).head.branch;
  const open = async (): Promise<void> => {
    const observations = [{ type: 'pattern', content: 'Sums are in src.', file: 'src/sum.js' }];
    world = await PipelineWorld.open([triaged(), analysed({ observations }), written(), reviewed()]);
  };

  it('uses the branch again that a closed pull request left', async () => {
    await open();
    const first = await done();
    await expect(world.go()).rejects.toMatchObject({ code: 'run-finished' });
    await close(first);
    const left = world.fleet.headOf(usual());
    world.fleet.commitToMain({ 'README.md': 'Newer\n' });
    const second = await done();
    expect([await headOf(second), second > first]).toEqual([usual(), true]);
    expect(world.fleet.headOf(usual())).not.toBe(left);
    expect(world.fleet.git('show', `${usual()}:README.md`)).toBe('Newer');
    // It is another session, be it on the same day.
    expect(await readLearnings(world.house.ledger, world.fleet.repository)).toMatchObject([{ seen: 2 }]);
  });

  it.each(['pushed onto it', 'opened a pull request from it'])(
    'leaves the branch alone when a person has %s',
    async (what) => {
      await open();
      await close(await done());
      const { fleet } = world;
      if (what === 'pushed onto it') {
        fleet.git('checkout', '--quiet', usual());
        fleet.playground.write('by-hand.txt', 'mine\n');
        fleet.git('add', '--all');
        fleet.git('commit', '--quiet', '--message', 'By hand');
        fleet.git('checkout', '--quiet', 'main');
      } else {
        const alice = await fleet.as('alice');
        await alice.createPullRequest(fleet.repository, {
          ...{ title: 'Mine', body: '', head: usual(), base: 'main' },
        });
      }
      const left = fleet.headOf(usual());
      expect(await headOf(await done())).toBe(`${usual()}-2`);
      expect(fleet.headOf(usual())).toBe(left);
    },
  );

  it('stops at a branch that a person made meanwhile, and goes on when it is gone', async () => {
    await open();
    await world.go(undefined, 'reviewer');
    const { fleet } = world;
    fleet.git('branch', usual(), 'main');
    const goOn = saying({ work: 'continue' });
    await expect(world.go(goOn)).rejects.toMatchObject({ code: 'branch-taken' });
    expect(fleet.headOf(usual())).toBe(fleet.headOf('main'));
    fleet.git('branch', '-D', usual());
    expect(await world.go(goOn)).toMatchObject({ status: 'done' });
  });
});

describe('a label that is set again', () => {
  const order = async (): Promise<void> => {
    const alice = await world.fleet.as('alice');
    const { repository } = world.fleet;
    await alice.ensureLabel(repository, { name: labelNames.agent, colour: 'ededed', description: '' });
    await alice.editIssue(repository, world.number, { removeLabels: [labelNames.agent] });
    await alice.editIssue(repository, world.number, { addLabels: [labelNames.agent] });
    await world.fleet.catchUp();
  };
  const runs = () => world.house.views.listRuns({ workflows: ['pipeline'] });

  it('is answered once with what the pipeline waits for and how to go on', async () => {
    world = await PipelineWorld.open([
      triaged({ escalations: ['Who owns this?'] }),
      analysed(),
      written(),
      reviewed(),
    ]);
    await order();
    const before = (await world.comments()).length;
    await order();
    await order();
    const [reply, ...more] = (await world.comments()).slice(before);
    expect(more).toEqual([]);
    expect(reply).toMatch(
      /a pipeline works on this issue already\. It waits for a person: .*Who owns this\?/u,
    );
    expect(reply).toContain('`@claude proceed: …`');
    expect(reply).toContain(`\`gatewright solve ${world.number}\``);
    expect((await runs()).map(({ status }) => status)).toEqual(['waiting']);
    // What it says works.
    await world.say('@claude proceed: ours');
    expect((await runs()).map(({ status }) => status)).toEqual(['done']);
    const after = (await world.comments()).length;
    await order();
    await order();
    const told = (await world.comments()).slice(after);
    expect(told).toEqual([expect.stringMatching(/no new pipeline begins here: .*which is open.*close it/u)]);
    expect(await runs()).toHaveLength(1);
  });

  it('goes on with a pipeline that stopped for another reason', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    const { fleet, number } = world;
    const alice = await fleet.as('alice');
    await alice.ensureLabel(fleet.repository, { name: labelNames.hold, colour: 'ededed', description: '' });
    await alice.editIssue(fleet.repository, number, { addLabels: [labelNames.hold] });
    await order();
    expect((await runs()).map(({ reason }) => reason?.code)).toEqual(['held']);
    await alice.editIssue(fleet.repository, number, { removeLabels: [labelNames.hold] });
    await order();
    expect((await runs()).map(({ status }) => status)).toEqual(['done']);
  });
});

describe('tests that fail on the base', () => {
  const head = "import assert from 'node:assert';\nimport test from 'node:test';\n";
  const red = `${head}\ntest('was red before', () => assert.equal(1, 2));\n`;

  it('are told apart from those that the change breaks, and hide none of its own', async () => {
    const source = fixed.filter((step) => 'write' in step && step.write === 'src/sum.js');
    const idle = { write: 'test/sum.test.js', content: `${head}\ntest('adds', () => assert.equal(3, 3));\n` };
    world = await PipelineWorld.open(
      [
        triaged(),
        analysed(),
        written([...source, idle]),
        written(
          [...fixed, { write: 'src/sum.js', content: 'export const sum = (a, b) => a + b || 1;\n' }],
          {},
          2,
        ),
        written(fixed, {}, 3),
        reviewed(),
      ],
      { ...pipelineFiles, 'test/red.test.js': red },
    );
    const done = await world.go();
    const builds = (await world.stages()).filter((one) => one.startsWith('build'));
    expect(done.status, [done.reason.message, ...builds].join('\n')).toBe('done');
    expect(builds[0]).toContain('no other tests fail than before it');
    expect(builds[1]).toContain('test/zero.test.js > zero');
    expect(builds[1]?.slice(0, builds[1].indexOf('What was printed'))).not.toContain('was red before');
    expect(builds[2]).toBe('build: passed');
    const { build } = await world.state();
    expect(build).toMatchObject({
      tests_passed: null,
      failing_before: ['test/red.test.js > was red before'],
    });
    expect((await world.promptsOf('reviewer'))[0]).toContain('Tests that fail without the change too');
    const { fleet } = world;
    const pull = await (await fleet.as('alice')).getPullRequest(fleet.repository, done.result?.number ?? 0);
    expect(pull.body).toContain('1 test fails without the change as well');
    // For merging without a person, a red base proves nothing.
    expect((await world.entriesOf('change-proven')).at(-1)?.data).toMatchObject({
      ...{ isProven: false, redGreen: 'shown' },
    });
  });

  it('stop it where nothing tells them apart, until the base is mended', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()], {
      ...{ ...pipelineFiles, 'test/broken.test.js': `${head}import '../src/gone.js';\n` },
    });
    const stopped = await world.go();
    expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
    expect(stopped.reason.message).toContain('The tests of main fail without the change as well');
    const retry = saying({ blocked: { choice: 'retry' } });
    expect(await world.go(sayingOnce({ blocked: { choice: 'retry' } }))).toMatchObject({ status: 'blocked' });
    world.fleet.commitToMain({ 'test/broken.test.js': `${head}\ntest('fine', () => assert.ok(true));\n` });
    const done = await world.go(retry);
    expect(done.status, done.reason.message).toBe('done');
    expect(await world.callsOf('writer')).toHaveLength(1);
    expect((await world.state()).pipeline.attempt).toBe(1);
  });
});
