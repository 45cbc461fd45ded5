/** Loops are recorded session by session as they happen, and played again from the recording alone. */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTape, type SessionsTape } from '../../src/domain/recordings/tape.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { coded, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { LoopWorld, saying } from '../support/loop-world.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { differing, recordSessions, replaySessions } from '../support/replay-sessions.ts';
import { strangeCalls } from '../support/strange-tapes.ts';

describe('a loop', () => {
  let world: LoopWorld | undefined;
  afterEach(() => world?.remove());

  it('is played again with the same nodes, gates, effects, entries and ends', {
    timeout: 240_000,
  }, async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
      coded(1, write('difference', false)),
      coded(2, write('difference')),
      coded(3, write('product')),
    ]);
    await world.go();
    await world.go(saying({ plan: 'approve' }));
    world.push({ 'NOTES.md': 'By a person.\n' });
    await world.go(saying({ work: 'loop' }));
    await world.go(saying({ testing: 'works', close: 'close' }));
    const tape = await recordSessions(world, 'loop');
    expect(tape.sessions.map(({ head: { place } }) => place?.node ?? null)).toEqual([
      null,
      'plan_gate',
      'work_gate',
      'testing_gate',
    ]);
    // The forge and the repository are gone.
    world.remove();
    world = undefined;
    const reports = await replaySessions(tape);
    expect(differing(reports)).toEqual([]);
    const names = reports.map(({ compared }) => compared.map(({ name }) => name).join('\n'));
    expect(names[0]).toContain('effect create-comment');
    expect(names[0]).toContain('gate plan');
    expect(names[2]).toContain('node judge');
    expect(names[2]).toContain('entry task-judged');
    expect(names[2]).toContain('effect push-branch');
    expect(names[3]).toContain('effect create-pull-request');
    expect(reports.map(({ ended }) => ended.now)).toEqual([
      expect.stringContaining('waits at the plan gate'),
      expect.stringContaining('waits at the work gate'),
      expect.stringContaining('waits at the testing gate'),
      expect.stringContaining('waits at the merge gate'),
    ]);
    // What would be done otherwise by now is told.
    const [first] = tape.sessions;
    const asked = first?.calls.find(({ method }) => method === 'code');
    Object.assign((asked?.value as { end: { object: object } } | undefined)?.end.object ?? {}, {
      summary: 'Something else.',
    });
    const [changed] = await replaySessions({ ...tape, sessions: tape.sessions.slice(0, 1) });
    expect(changed?.isSame).toBe(false);
    expect(changed?.compared.filter(({ state }) => state === 'differs')).not.toEqual([]);
  });

  it('that stopped stops again for the same reason, and one that was cut off is the same up to there', {
    timeout: 240_000,
  }, async () => {
    const failing = { ...coded(1, []), outcome: { failed: 'crash' } } as const;
    world = await LoopWorld.open([planned(1, plan([task('difference')])), failing]);
    await world.go(saying({ plan: 'approve' }));
    await expect(world.go(saying({ work: 'loop' }))).rejects.toMatchObject({ code: 'model-unusable-answer' });
    const tape = await recordSessions(world, 'loop');
    const reports = await replaySessions(tape);
    expect(differing(reports)).toEqual([]);
    expect(reports.at(-1)?.ended.now).toMatch(/^model-unusable-answer: /u);
    const cut = tape.sessions.map((session) => ({
      ...session,
      calls: session.calls.slice(0, -5),
      end: null,
    }));
    const again = await replaySessions({ ...tape, sessions: cut });
    expect(differing(again)).toEqual([]);
    expect(again.map(({ ended }) => ended.before)).toEqual(again.map(() => null));
    // A recording by another hand changes nothing, whatever it holds.
    const before = world.git('for-each-ref');
    const [, last] = tape.sessions;
    await fc.assert(
      fc.asyncProperty(strangeCalls(last?.calls ?? []), fc.boolean(), async (calls, isElsewhere) => {
        const place = isElsewhere ? { node: 'judge', state: { attempt: 'x' } } : last?.head.place;
        const session = { ...last, head: { ...last?.head, place }, calls };
        const changed = JSON.stringify({ ...tape, sessions: [session] });
        try {
          await replaySessions(parseTape(changed, 'changed') as SessionsTape);
        } catch (error) {
          if (!isGatewrightError(error, 'cassette-invalid')) throw error;
        }
      }),
      { numRuns: propertyRuns(100) },
    );
    expect(world.git('for-each-ref')).toBe(before);
    expect(world.git('status', '--porcelain')).toBe('');
  });
});

describe('the commands', () => {
  let shell: LoopShell;
  beforeEach(() => {
    shell = new LoopShell();
  });
  afterEach(() => shell.remove());

  it('record a loop to a file, and replay it in a folder that is no repository', {
    timeout: 240_000,
  }, async () => {
    shell.work(planned(1, plan([task('difference')])), coded(1, write('difference')));
    const number = await shell.fileIssue();
    await shell.run('loop', 'plan', number, '--quick');
    await shell.run('loop', 'plan', number, '--approve');
    await shell.run('loop', 'implement', 'loop');
    const { playground } = shell;
    const [run] = await playground.json<{ id: string }[]>(['runs']);
    const file = join(playground.folder, 'failure.json');
    const recorded = await playground.run(['record', run?.id ?? '', file]);
    expect([recorded.code, recorded.all]).toEqual([0, expect.stringContaining('failure.json')]);
    const replayed = await playground.run(['replay', file], { cwd: playground.folder });
    expect([replayed.code, replayed.all]).toEqual([0, expect.stringContaining('session 3 of 3')]);
    expect(replayed.all).toContain('same     entry task-judged');
    expect(replayed.stderr).toContain('The run would do the same.');
    const told = await playground.run(['replay', run?.id ?? '', '--json']);
    const report = JSON.parse(told.stdout) as { workflow: string; isSame: boolean; sessions: object[] };
    expect(report).toMatchObject({ workflow: 'loop', isSame: true });
    expect(report.sessions).toHaveLength(3);
    const forked = await playground.run(['replay', file, '--from', 'plan']);
    expect([forked.code, forked.stderr]).toEqual([1, expect.stringContaining('gatewright loop retry')]);
  });
});
