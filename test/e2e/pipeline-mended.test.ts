/** Ways in which a pipeline went wrong once, or could: each of them ends well now. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findPipeline } from '../../src/workflows/pipeline/drive-pipeline.ts';
import { readLearnings } from '../../src/workflows/pipeline/read-learnings.ts';
import { returnToStage } from '../../src/workflows/pipeline/return-to-stage.ts';
import { readState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import type { StageName } from '../../src/workflows/pipeline/rules/stages.ts';
import { saying, sayingOnce } from '../support/loop-world.ts';
import {
  analysed,
  finding,
  fixed,
  PipelineWorld,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';

let world: PipelineWorld;
afterEach(() => world.remove());

async function goBackTo(stage: StageName): Promise<void> {
  const found = await findPipeline(world.house, world.number);
  if (found === null) throw new Error('There is no pipeline.');
  await returnToStage(world.house, found, stage, {
    ...{ own: world.fleet.own, person: 'alice', progress: () => undefined },
  });
}

describe('a stop that is answered with a retry', () => {
  it('asks the stage anew: what was paid for and refused is not taken out again', async () => {
    world = await PipelineWorld.open([
      triaged(),
      analysed({ verdict: 'APPROVED' }),
      analysed({ verdict: 'APPROVED' }, 2),
      analysed({}, 3),
    ]);
    const stopped = await world.go();
    expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
    // Looking at it again pays for nothing.
    await world.go();
    expect(await world.callsOf('analyst')).toHaveLength(2);
    const retried = await world.go(saying({ blocked: { choice: 'retry', feedback: 'Less.' } }), 'analyst');
    expect(retried, retried.reason.message).toMatchObject({ status: 'waiting', gate: { kind: 'work' } });
    expect(await world.callsOf('analyst')).toHaveLength(3);
    expect((await world.promptsOf('analyst')).at(-1)).toContain('Less.');
  });

  it('asks the reviewer anew whose answer could not be read twice', async () => {
    const broken = (call: number) => ({ ...reviewed({}, call), answer: { object: { verdict: 'MAYBE' } } });
    world = await PipelineWorld.open([
      ...[triaged(), analysed(), written(), broken(1), broken(2), reviewed({}, 3)],
    ]);
    const stopped = await world.go();
    expect(stopped, stopped.reason.message).toMatchObject({ status: 'blocked' });
    const done = await world.go(saying({ blocked: { choice: 'retry' } }));
    expect(done.status, done.reason.message).toBe('done');
    expect(await world.callsOf('writer')).toHaveLength(1);
  });
});

describe('a base that moves', () => {
  it('is followed five times and then left to a person, who can have it tried again', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    await world.go(undefined, 'reviewer');
    for (let move = 1; move <= 5; move += 1) {
      world.fleet.commitToMain({ 'README.md': `Move ${move}\n` });
      const end = await world.go(sayingOnce({ work: 'continue' }), 'build');
      expect(end, end.reason.message).toMatchObject({ status: 'waiting', gate: { kind: 'work' } });
    }
    world.fleet.commitToMain({ 'README.md': 'Once more\n' });
    const stopped = await world.go(sayingOnce({ work: 'continue' }), 'build');
    expect(stopped).toMatchObject({ status: 'blocked', gate: { kind: 'blocked' } });
    expect(stopped.reason.message).toContain('moved 5 times');
    const done = await world.go(saying({ blocked: { choice: 'retry' } }));
    expect(done.status, done.reason.message).toBe('done');
    // The change stayed the same, and so did what the reviewer said of it.
    expect(await world.callsOf('reviewer')).toHaveLength(1);
    expect(await world.callsOf('writer')).toHaveLength(1);
    expect(world.fleet.git('show', `agent/issue-${world.number}:README.md`)).toBe('Once more');
  });
});

describe('paths that the document cannot hold', () => {
  it.each([
    ['src/a\\b.js', 'is no name for a file'],
    ['a:b.js', 'paths that other machines cannot hold'],
  ])('fail the attempt with words for the writer, who can mend it: %j', async (odd, why) => {
    world = await PipelineWorld.open([
      triaged(),
      analysed({
        observations: [{ type: 'pattern', content: 'Sums are in src.', file: '../../etc/passwd' }],
      }),
      written([...fixed, { write: odd, content: 'export {};\n' }]),
      written([...fixed, { delete: odd }], { test_file: 'test/sum.test.js' }, 2),
      reviewed({ issues: [finding('Odd.', { file: '../outside.js', severity: 'minor' })] }),
    ]);
    const done = await world.go();
    expect(done.status, done.reason.message).toBe('done');
    const [first] = (await world.stages()).filter((one) => one.startsWith('build'));
    expect(first).toContain(why);
    const state = await world.state();
    expect(state.review.findings.issues).toMatchObject([{ file: null, issue: 'Odd.' }]);
    expect(state.learnings.observations).toEqual([
      { agent: 'analyst', type: 'pattern', content: 'Sums are in src.', file: null },
    ]);
  });
});

describe('going back', () => {
  it('to the committer needs an approval; with one, no stage before it is asked again', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    await world.go(undefined, 'build');
    await expect(goBackTo('committer')).rejects.toThrow('has not reached committer yet');
    await world.go(sayingOnce({ work: 'continue' }), 'reviewer');
    await goBackTo('committer');
    const done = await world.go(saying({ work: 'continue' }));
    expect(done.status, done.reason.message).toBe('done');
    for (const role of ['triage', 'analyst', 'writer', 'reviewer'])
      expect(await world.callsOf(role), role).toHaveLength(1);
  });

  it('before the reviewer takes the approval back', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed(), reviewed({}, 2)]);
    await world.go(undefined, 'reviewer');
    await goBackTo('build');
    await expect(goBackTo('committer')).rejects.toThrow('no change that the committer stage could work on');
    const done = await world.go(saying({ work: 'continue' }));
    expect(done.status, done.reason.message).toBe('done');
    expect(await world.callsOf('reviewer')).toHaveLength(2);
  });
});

describe('a comment', () => {
  it('answers one question, and not the next one as well', async () => {
    world = await PipelineWorld.open([triaged({ escalations: ['Who owns this?'] }), analysed()]);
    await world.go();
    await (await world.fleet.as('alice')).createComment(
      ...([world.fleet.repository, world.number, '@claude continue: it is ours'] as const),
    );
    expect(await world.go(undefined, 'triage')).toMatchObject({ gate: { kind: 'work' } });
    expect(await world.go(undefined, 'triage')).toMatchObject({ gate: { kind: 'work' } });
    expect(await world.entriesOf('gate-answered')).toHaveLength(1);
    expect(await world.callsOf('analyst')).toEqual([]);
  });

  it('goes on from where it was asked to stop, with or without words after it', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    await world.say('@claude continue');
    await world.go(undefined, 'analyst');
    await world.fleet.catchUp();
    expect(await world.callsOf('writer'), 'what was said before it asked').toEqual([]);
    await world.say('@claude continue, the analysis is fine.');
    const [run] = await world.house.views.listRuns({ workflows: ['pipeline'] });
    expect(run?.status, run?.reason?.message).toBe('done');
  });
});

describe('what a stage says besides', () => {
  it('reaches people and later stages: steps to try it, and the file of an observation', async () => {
    const said = { type: 'pattern', content: 'Sums are plain functions.', file: 'src/sum.js' };
    world = await PipelineWorld.open([
      triaged(),
      analysed(),
      written(fixed, { summary: 'It `adds` (a_b) now.', try_it: ['Call `sum(1, 2)`'], observations: [said] }),
      reviewed(),
    ]);
    const done = await world.go();
    expect(done.status, done.reason.message).toBe('done');
    const { fleet, house } = world;
    const pull = await (await fleet.as('alice')).getPullRequest(fleet.repository, done.result?.number ?? 0);
    expect(pull.body).toContain('1. Call `sum(1, 2)`');
    expect(fleet.git('log', '-1', '--format=%b', pull.head.sha)).toContain('It `adds` (a_b) now.');
    expect((await world.state()).commit.test_instructions?.steps).toEqual(['Call `sum(1, 2)`']);
    expect(await readLearnings(house.ledger, fleet.repository)).toMatchObject([
      { content: said.content, file: 'src/sum.js', agent: 'writer' },
    ]);
    const [made] = await world.entriesOf('pull-request-made');
    expect(await house.ledger.getText(made?.data.summary ?? '')).toBe('It `adds` (a_b) now.');
  });
});

describe('the file of the state', () => {
  it('is whole and valid at every moment, and shows each stage while it works', async () => {
    world = await PipelineWorld.open([triaged(), analysed(), written(), reviewed()]);
    const file = join(world.fleet.playground.repository, 'issue-state.json');
    const seen = new Map<string, string | null>();
    const look = (): void => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
      if (text === null || seen.has(text)) return;
      const read = readState(text);
      expect(read, text.slice(0, 200)).toHaveProperty('state');
      seen.set(text, 'state' in read ? read.state.pipeline.current_agent : null);
    };
    const timer = setInterval(look, 1);
    const done = await world.go().finally(() => clearInterval(timer));
    expect(done.status, done.reason.message).toBe('done');
    const shown = (await world.entriesOf('effect-intended')).filter(
      ({ data }) => data.effect.kind === 'show-state',
    );
    // At the begin and the end of each stage; the last one removes it.
    expect(shown).toHaveLength(13);
    for (const stage of ['analyst', 'writer', 'build']) expect([...seen.values()]).toContain(stage);
    expect(existsSync(file)).toBe(false);
  });
});
