/** Quota that is used up, clocks that jump, and other processes: no attempt is lost, and one process works on a loop. */
import { afterEach, describe, expect, it } from 'vitest';
import type { CodingOutcome } from '../../src/ports/coding-agent.ts';
import type { House } from '../../src/runs/house.ts';
import { findLoop } from '../../src/workflows/loop/drive-loop.ts';
import { previewContext } from '../../src/workflows/loop/look-at-loop.ts';
import { setClockAhead } from '../support/clock-ahead.ts';
import { coded, debugged, plan, planned, report, task, write } from '../support/loop-cassette.ts';
import { testReport } from '../support/loop-scenario.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { LoopWorld, saying } from '../support/loop-world.ts';
import { override } from '../support/override.ts';
import type { Result } from '../support/playground.ts';

const hour = 3_600_000;
const approved = saying({ plan: 'approve' });
const one = planned(1, plan([task('difference')]));

let world: LoopWorld | undefined;
let shell: LoopShell | undefined;
afterEach(() => {
  world?.remove();
  shell?.playground.remove();
  [world, shell] = [undefined, undefined];
});

/** The first work of a role is done, and then ends otherwise: what was changed in the copy is not to be used. */
function endingOnce(house: House, role: string, outcome: CodingOutcome<never>): House {
  let isOver = false;
  return {
    ...house,
    makeCodingAgent: (spec) => {
      const agent = house.makeCodingAgent(spec);
      return override(agent, {
        work: async (given, schema) => {
          const done = await agent.work(given, schema);
          if (isOver || given.role !== role) return done;
          isOver = true;
          return { ...done, outcome };
        },
      });
    },
  };
}

describe('quota that is used up in the middle', () => {
  const until = new Date(Date.now() + hour).toISOString();

  it('of a task pauses the loop; no attempt is counted, and it goes on', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference', false)), coded(2, write('difference'))]);
    await world.go(approved);
    const house = endingOnce(world.house, 'loop-coder', { kind: 'quota', until });
    const paused = await world.go(saying({ work: 'loop' }), house);
    expect(paused).toMatchObject({
      status: 'paused',
      reason: { code: 'quota-exhausted', owner: 'time', until },
    });
    expect(paused.reason.resume).toContain('loop resume');
    expect(world.prd().userStories).toMatchObject([{ passes: false, attempts: 0 }]);
    expect(await world.entriesOf('task-judged')).toEqual([]);
    expect(await world.labels()).toEqual(['AI: In Progress']);
    // The same attempt once more, then the next one.
    expect((await world.go(undefined, house)).gate?.kind).toBe('testing');
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 2 }]);
    expect((await world.entriesOf('task-judged')).map(({ data }) => data.attempt)).toEqual([1, 2]);
    expect((await world.entriesOf('model-failed')).map(({ data }) => data.why)).toEqual(['quota-exhausted']);
  });

  it('of a debug round pauses it too', async () => {
    const mended = { write: 'src/mended.txt', content: 'mended\n' };
    world = await LoopWorld.open([one, coded(1, write('difference')), debugged(2, [mended])]);
    await world.go(approved);
    await world.go(saying({ work: 'loop' }));
    const house = endingOnce(world.house, 'loop-debugger', { kind: 'quota', until });
    let asked = 0;
    const issue = { choice: 'issue', feedback: testReport };
    const paused = await world.go(({ kind }) => (kind === 'testing' && asked++ === 0 ? issue : null), house);
    expect(paused.status).toBe('paused');
    expect((await world.go(undefined, house)).gate?.kind).toBe('testing');
    expect(world.prd().debugState).toMatchObject({ status: 'testing', debugAttempts: 1 });
    const sessions = (await world.comments()).filter((body) => body.startsWith('## 🔧 Debug Session'));
    expect(sessions).toHaveLength(1);
  });

  it('without a time at which it comes back stops the loop, and counts nothing', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference'))]);
    await world.go(approved);
    const house = endingOnce(world.house, 'loop-coder', { kind: 'quota', until: null });
    await expect(world.go(saying({ work: 'loop' }), house)).rejects.toMatchObject({
      code: 'quota-exhausted',
    });
    expect((await world.go(undefined, house)).gate?.kind).toBe('testing');
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 1 }]);
  });
});

describe('a clock that is wrong by a day', () => {
  it('shows a wisp until its time by the clock of the machine that looks', async () => {
    const hint = report({ wisp: { note: 'the build is slow today', minutes: 60 } });
    world = await LoopWorld.open([one, coded(1, write('difference', false), hint)]);
    await world.go(approved);
    let asked = 0;
    await world.go(({ kind }) => (kind === 'work' && asked++ === 0 ? { choice: 'next' } : null));
    const run = await findLoop(world.house, world.number);
    if (run === null) throw new Error('There is no loop.');
    const { clock } = world.house;
    const shown: boolean[] = [];
    for (const hours of [-24, 0, 0.9, 1.1, 24]) {
      const now = () => new Date(clock.now().getTime() + hours * hour);
      const house = { ...world.house, clock: override(clock, { now }) };
      shown.push((await previewContext(house, run, 'US-001')).text.includes('the build is slow today'));
    }
    expect(shown).toEqual([true, true, true, false, false]);
  });

  it('ends a loop over many processes as it would have', { timeout: 300_000 }, async () => {
    shell = new LoopShell();
    const { playground } = shell;
    shell.work(one, coded(1, write('difference', false)), coded(2, write('difference')));
    const { env } = shell;
    const number = await shell.fileIssue();
    const at = (hours: number, ...args: string[]): Promise<Result> =>
      playground.run([...args, '--no-input'], {
        ...{ env: { ...env, ...setClockAhead(playground.folder, hours) }, isAlone: true },
      });
    expect((await at(0, 'loop', 'plan', number, '--quick')).code).toBe(10);
    expect((await at(24, 'loop', 'plan', number, '--approve')).code).toBe(10);
    expect((await at(-24, 'loop', 'implement', 'next', '--issue', number)).code).toBe(10);
    const done = await at(24, 'loop', 'implement', 'loop', '--issue', number);
    expect([done.code, done.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect((await at(-24, 'loop', 'testing', number, 'works')).code).toBe(10);
    const closed = await at(24, 'loop', 'close', number);
    expect([closed.code, closed.all]).toEqual([10, expect.stringContaining('is not merged yet')]);
    const headings = (await shell.comments(number)).map((body) => body.split('\n')[0]);
    expect(headings).toEqual([
      '## 📋 Implementation Plan',
      '## ✅ Plan Approved',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-001 - Add difference',
      '## 🧪 Testing Checkpoint',
      '## 📊 Final Report',
    ]);
  });
});

describe('two processes', () => {
  it('work on one issue one after the other: the second says who has it', { timeout: 300_000 }, async () => {
    const opened = await LoopWorld.open([one, coded(1, write('difference'))]);
    world = opened;
    await opened.go(approved);
    const { playground, environment } = opened.fleet;
    const second = (hours: number): Promise<Result> =>
      playground.run(['loop', 'implement', 'loop', '--issue', String(opened.number), '--no-input'], {
        ...{ env: { ...environment, ...setClockAhead(playground.folder, hours) }, isAlone: true },
      });
    const { house } = opened;
    const seen: Result[] = [];
    const first = opened.go(saying({ work: 'loop' }), {
      ...house,
      makeCodingAgent: (spec) => {
        const agent = house.makeCodingAgent(spec);
        return override(agent, {
          work: async (given, schema) => {
            // While the agent works, others try: with the same clock, one that is late, and one that is early.
            for (const hours of [0, -24, 24]) seen.push(await second(hours));
            return agent.work(given, schema);
          },
        });
      },
    });
    await expect(first).rejects.toMatchObject({ code: 'lease-lost' });
    const [same, late, early] = seen;
    for (const refused of [same, late]) {
      expect(refused?.code).not.toBe(0);
      expect(refused?.all).toContain('(lease-held)');
      expect(refused?.all).toMatch(
        new RegExp(`has been working on it since .* \\(process ${process.pid} on `, 'u'),
      );
    }
    // By its clock the lease has lapsed: it takes over, and the first one writes nothing more.
    expect([early?.code, early?.all]).toEqual([10, expect.stringContaining('all tasks passed')]);
    expect(opened.prd().userStories).toMatchObject([{ passes: true, attempts: 1 }]);
    expect(await opened.entriesOf('task-judged')).toHaveLength(1);
    expect(opened.subjects().filter((subject) => subject.startsWith('feat'))).toHaveLength(1);
    expect((await opened.comments()).filter((body) => body.startsWith('## 📝'))).toHaveLength(1);
  });

  it('work on two issues at once, and neither sees anything of the other', { timeout: 300_000 }, async () => {
    shell = new LoopShell();
    const { playground } = shell;
    shell.work(one, coded(1, write('difference', false)), coded(2, write('difference')));
    const { env } = shell;
    const numbers = [await shell.fileIssue(), await shell.fileIssue('Other operations')];
    for (const number of numbers) await shell.beginApproved(number);
    const both = await Promise.all(
      numbers.map((number) =>
        playground.run(['loop', 'implement', 'loop', '--issue', number, '--no-input'], {
          env,
          isAlone: true,
        }),
      ),
    );
    expect(both.map(({ code, all }) => [code, all.includes('all tasks passed')])).toEqual([
      [10, true],
      [10, true],
    ]);
    for (const [index, number] of numbers.entries()) {
      const other = numbers[1 - index] ?? '';
      const branch = `ai/issue-${number}-${index === 0 ? 'more' : 'other'}-operations`;
      const subjects = playground.git('log', '--format=%s', `main..${branch}`).split('\n');
      expect(subjects).toHaveLength(5);
      expect(subjects.filter((subject) => !subject.endsWith(`(#${number})`))).toEqual([]);
      const words = (await shell.comments(number)).join('\n');
      expect(words).not.toContain(`ai/issue-${other}-`);
      expect(words.match(/^## 📝 Task Log/gmu)).toHaveLength(2);
      const ledger = await playground.run(['ledger', 'show', `local/project~loop-${number}`]);
      expect(ledger.stdout).not.toContain(`loop-${other}`);
    }
  });
});
