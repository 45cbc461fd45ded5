/** Pipelines are recorded session by session as they happen, and played again from the recording alone. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
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
import { differing, recordSessions, replaySessions } from '../support/replay-sessions.ts';

const wrong = (call: number) =>
  written(
    [{ write: 'src/sum.js', content: `export const sum = () => ${call};\n` }],
    { test_file: null },
    call,
  );

let world: PipelineWorld | undefined;
afterEach(() => world?.remove());

describe('a pipeline', () => {
  it('is played again with the same nodes, gates, effects, entries and ends', {
    timeout: 240_000,
  }, async () => {
    world = await PipelineWorld.open([
      triaged({ escalations: ['Who owns this?'] }),
      analysed({ observations: [{ type: 'pattern', content: 'Tests use node:test.', file: null }] }),
      written([], { questions: [{ to: 'analyst', question: 'Where is sum?' }] }),
      answered('In src/sum.js.'),
      written(fixed, {}, 2),
      reviewed({ verdict: 'REJECTED', issues: [finding('It is long.')], feedback_for_writer: 'Shorten.' }),
      written([{ write: 'src/sum.js', content: 'export const sum = (a, b) => a + b;\n' }], {}, 3),
      reviewed({}, 2),
    ]);
    await world.go();
    await world.go(saying({ escalation: 'proceed' }), 'analyst');
    const done = await world.go(saying({ work: 'continue' }));
    expect(done.status, done.reason.message).toBe('done');
    const tape = await recordSessions(world, 'pipeline');
    // The forge and the repository are gone.
    world.remove();
    world = undefined;
    const reports = await replaySessions(tape);
    expect(differing(reports)).toEqual([]);
    expect(tape.sessions.map(({ head: { place } }) => place?.node ?? null)).toEqual([
      null,
      'escalation_gate',
      'work_gate',
    ]);
    expect(reports.flatMap(({ changedPrompts }) => changedPrompts)).toEqual([]);
    expect(reports.map(({ ended }) => ended.now)).toEqual([
      expect.stringContaining('waits at the escalation gate'),
      expect.stringContaining('waits at the work gate'),
      '#1 became pull request #2',
    ]);
    const names = reports.map(({ compared }) => compared.map(({ name }) => name).join('\n'));
    expect(names[0]).toContain('effect create-comment escalation-1');
    for (const name of ['entry question-answered', 'entry change-proven', 'effect push-branch'])
      expect(names[2]).toContain(name);
    expect(names[2]).toContain('effect create-pull-request');
    // What would be done otherwise by now is told: an approval that the reviewer did not give.
    const last = tape.sessions.at(-1);
    const asked = last?.calls.find(
      ({ method, args }) => method === 'askForObject' && JSON.stringify(args).includes('pipeline-reviewer'),
    );
    Object.assign((asked?.value ?? {}) as object, { verdict: 'APPROVED', issues: [] });
    const [changed] = await replaySessions({ ...tape, sessions: tape.sessions.slice(-1) });
    expect(changed?.isSame).toBe(false);
    // A prompt of other words is named.
    Object.assign((asked?.args[1] ?? {}) as object, { lasting: 'Another issue.' });
    const [told] = await replaySessions({ ...tape, sessions: tape.sessions.slice(-1) });
    expect(told?.changedPrompts).toEqual([expect.stringContaining('pipeline-reviewer')]);
  });

  it('that was gone back or cut off is the same, and the commands record, replay and refuse to fork it', {
    timeout: 240_000,
  }, async () => {
    world = await PipelineWorld.open([
      ...[triaged(), analysed(), analysed({ must_do: ['It adds.'] }, 2)],
      ...[wrong(1), wrong(2), wrong(3), written(fixed, {}, 4), reviewed()],
    ]);
    const { playground } = world.fleet;
    const solve = (...args: string[]) =>
      playground.run(['solve', '1', ...args, ...(world?.models ?? []), '--no-input']);
    await world.go(undefined, 'analyst');
    const back = await solve('--from', 'analyst');
    expect(back.code, back.all).toBe(11);
    await world.go(saying({ blocked: { choice: 'retry', feedback: 'Once more.' } }));
    const tape = await recordSessions(world, 'pipeline');
    expect(tape.sessions).toHaveLength(3);
    expect(differing(await replaySessions(tape))).toEqual([]);
    const cut = tape.sessions.map((one) => ({ ...one, calls: one.calls.slice(0, -5), end: null }));
    expect(differing(await replaySessions({ ...tape, sessions: cut }))).toEqual([]);

    const run = tape.run;
    const file = join(playground.folder, 'recorded.json');
    const recorded = await playground.run(['record', run, file]);
    expect([recorded.code, recorded.all]).toEqual([0, expect.stringContaining('recorded.json')]);
    const replayed = await playground.run(['replay', file], { cwd: playground.folder });
    expect([replayed.code, replayed.all]).toEqual([0, expect.stringContaining('session 3 of 3')]);
    expect(replayed.stderr).toContain('The run would do the same.');
    const forked = await playground.run(['replay', run, '--from', 'analyst']);
    expect([forked.code, forked.stderr]).toEqual([1, expect.stringContaining('gatewright solve N --from')]);
  });
});
