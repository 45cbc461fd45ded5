/** Going back to a stage, and answers that are given at the same time: in whatever moment a process is killed. */
import { afterEach, describe, expect, it } from 'vitest';
import type { House } from '../../src/runs/house.ts';
import { findPipeline } from '../../src/workflows/pipeline/drive-pipeline.ts';
import { returnToStage } from '../../src/workflows/pipeline/return-to-stage.ts';
import type { StageName } from '../../src/workflows/pipeline/rules/stages.ts';
import { cutOffAtEachPoint } from '../support/cut-off-everywhere.ts';
import { saying } from '../support/loop-world.ts';
import { analysed, fixed, PipelineWorld, reviewed, triaged, written } from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

async function goBack(stage: StageName, house: House = world.house): Promise<void> {
  const run = await findPipeline(house, world.number);
  if (run === null) throw new Error('There is no pipeline.');
  await returnToStage(house, run, stage, {
    own: world.fleet.own,
    person: 'alice',
    progress: () => undefined,
  });
}

const openGates = async () => (await world.house.views.listOpenGates()).map(({ question }) => question.kind);
const wrong = (call: number) =>
  written(
    [{ write: 'src/sum.js', content: `export const sum = () => ${call};\n` }],
    { test_file: null },
    call,
  );
const exhausted = [triaged(), analysed(), wrong(1), wrong(2), wrong(3), written(fixed, {}, 4), reviewed()];
const asking = [triaged({ escalations: ['Who owns this?'] }), analysed(), written(), reviewed()];

describe('going back to a stage', () => {
  it('closes the question that it waits with, in whatever moment it is killed', {
    timeout: 300_000,
  }, async () => {
    world = await PipelineWorld.open(exhausted);
    await world.go();
    expect(await openGates()).toEqual(['blocked']);
    const places = await cutOffAtEachPoint(world.house, async (house) => {
      // A person says it once; a process that was killed has others go on with it.
      if ((await world.entriesOf('stage-returned')).length === 0) await goBack('writer', house);
      expect(await openGates()).not.toContain('blocked');
      await world.go(undefined, 'writer', house);
    });
    expect(places.length).toBeGreaterThan(5);
    expect(await openGates()).toEqual(['work']);
    expect((await world.entriesOf('stage-returned')).map(({ actor, data }) => [actor, data])).toEqual([
      ['alice', expect.objectContaining({ stage: 'writer' })],
    ]);
    const done = await world.go(saying({ work: 'continue' }));
    expect(done.status, done.reason.message).toBe('done');
    expect((await world.state()).pipeline.attempt).toBe(4);
  });

  it('is done by the next process where the one that took the order was killed', {
    timeout: 300_000,
  }, async () => {
    world = await PipelineWorld.open(exhausted);
    await world.go();
    let isKilled = false;
    await cutOffAtEachPoint(
      world.house,
      async (house) => {
        if (!isKilled) await goBack('writer', house);
      },
      (name, args) => {
        const isOrder =
          name.startsWith('after ledger.append') && JSON.stringify(args).includes('stage-returned');
        isKilled ||= isOrder;
        return isOrder ? 'ordered' : '';
      },
    );
    expect(isKilled).toBe(true);
    expect(await openGates()).toEqual([]);
    // The question is over: no answer is given to it, and none is asked for.
    const done = await world.go(({ kind }) => {
      throw new Error(`It asks at the ${kind} gate.`);
    });
    expect(done.status, done.reason.message).toBe('done');
  });

  it('cannot pass by a question that was not asked yet when it was killed', {
    timeout: 300_000,
  }, async () => {
    world = await PipelineWorld.open(asking);
    let refused = 0;
    await cutOffAtEachPoint(world.house, async (house) => {
      if ((await findPipeline(world.house, world.number)) !== null) {
        await expect(goBack('analyst')).rejects.toMatchObject({ code: 'usage' });
        refused += 1;
      }
      await world.go(undefined, undefined, house);
    });
    expect(refused).toBeGreaterThan(10);
    expect(await openGates()).toEqual(['escalation']);
    expect((await world.entriesOf('stage-ended')).map(({ data }) => data.stage)).toEqual(['triage']);
  });
});

describe('answers at the same time', () => {
  const comment = async (words: string) =>
    (await world.fleet.as('alice')).createComment(world.fleet.repository, world.number, words);
  const solve = (...args: string[]) =>
    world.fleet.playground.run(['solve', String(world.number), ...args, ...world.models, '--no-input']);

  it('a command that stops wins over a comment that goes on', async () => {
    world = await PipelineWorld.open(asking);
    await world.go();
    await comment('@claude proceed: it is ours');
    const stopped = await solve('--stop', 'Not now.');
    expect(stopped.code, stopped.all).toBe(0);
    const [answer] = await world.entriesOf('gate-answered');
    expect(answer?.data.answer).toMatchObject({ choice: 'stop', feedback: 'Not now.' });
    expect(await world.entriesOf('pull-request-made')).toEqual([]);
  });

  it('a comment that stops wins over a command that goes on, and the command says so', async () => {
    world = await PipelineWorld.open(asking);
    await world.go();
    await comment('@claude stop: never');
    const answered = await solve('--proceed', 'it is ours');
    const [answer] = await world.entriesOf('gate-answered');
    expect(answer?.data.answer).toMatchObject({ choice: 'stop', feedback: 'never' });
    expect(answered.all).toContain('never');
  });

  it('a comment that goes on counts for a command that only goes on', async () => {
    world = await PipelineWorld.open(asking);
    await world.go();
    await comment('@claude proceed: it is ours');
    const done = await solve();
    expect(done.code, done.all).toBe(0);
    const [answer] = await world.entriesOf('gate-answered');
    expect(answer?.data.answer).toMatchObject({ choice: 'proceed', feedback: 'it is ours' });
  });
});
