/** Hints of a loop: added, told to agents while they hold, promoted to a note or a task, or lost. Real git and forge. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { LoopRun } from '../../src/domain/ledger/run.ts';
import { findLoop } from '../../src/workflows/loop/drive-loop.ts';
import { addWisp, type Promotion, promoteWisp } from '../../src/workflows/loop/keep-wisps.ts';
import { previewContext, viewLoop, viewWisps } from '../../src/workflows/loop/look-at-loop.ts';
import { coded, plan, planned, report, task, write } from '../support/loop-cassette.ts';
import { LoopShell } from '../support/loop-shell.ts';
import { type Answer, LoopWorld, saying } from '../support/loop-world.ts';
import { override } from '../support/override.ts';

let world: LoopWorld | LoopShell;
afterEach(() => world.remove());

const approved = saying({ plan: 'approve' });
/** One task only. */
const next = (): Answer => {
  let asked = 0;
  return ({ kind }) => (kind === 'work' && asked++ === 0 ? { choice: 'next' } : null);
};

async function openApproved(...work: Parameters<typeof LoopWorld.open>[0]): Promise<LoopWorld> {
  const made = await LoopWorld.open([planned(1, plan([task('difference'), task('product')])), ...work]);
  world = made;
  await made.go(approved);
  return made;
}

const runOf = async (at: LoopWorld): Promise<LoopRun> => (await findLoop(at.house, at.number)) as LoopRun;
const sessionOf = (at: LoopWorld) => ({ own: at.fleet.own, progress: () => undefined });

async function add(
  at: LoopWorld,
  note: string,
  about: string | null = 'US-001',
  minutes: number | null = null,
) {
  return addWisp(at.house, await runOf(at), { note, task: about, minutes }, sessionOf(at));
}

async function promote(at: LoopWorld, id: string, more: Partial<Promotion> = {}) {
  const promotion = { id, to: 'task', task: null, verify: [], person: 'alice', ...more } as const;
  return promoteWisp(at.house, await runOf(at), promotion, sessionOf(at));
}

const told = async (at: LoopWorld): Promise<string> =>
  (await previewContext(at.house, await runOf(at), null)).text;

describe('a hint', () => {
  it('is told to the next agent while it holds, and is the same when it is said twice', async () => {
    const at = await openApproved();
    const { wisp, isNew } = await add(at, 'The build is slow today.');
    expect([isNew, wisp.isLive]).toEqual([true, true]);
    expect(Date.parse(wisp.expiresAt ?? '') - at.house.clock.now().getTime()).toBeLessThanOrEqual(
      90 * 60_000,
    );
    expect((await add(at, '  The build is slow today. ')).isNew).toBe(false);
    expect((await at.comments()).filter((body) => body.startsWith('## 🪶 Wisp'))).toHaveLength(1);
    expect(await told(at)).toContain('The build is slow today.');
    // Two hours later it is gone, and may be said again.
    const clock = override(at.house.clock, { now: () => new Date(Date.now() + 7_200_000) });
    const later = { ...at.house, clock };
    const run = await runOf(at);
    expect(await viewWisps(later, run)).toMatchObject([{ isLive: false, promoted: false }]);
    expect((await previewContext(later, run, null)).text).not.toContain('The build is slow today.');
    const gone = { id: wisp.id, to: 'note', task: null, verify: [], person: 'alice' } as const;
    await expect(promoteWisp(later, run, gone, sessionOf(at))).rejects.toThrow('has expired');
    const again = { note: 'The build is slow today.', task: 'US-001', minutes: 5 };
    expect((await addWisp(later, run, again, sessionOf(at))).wisp).toMatchObject({ count: 2, isLive: true });
    expect(await viewWisps(later, run)).toMatchObject([{ isLive: true }]);
  });

  it('becomes a discovery note, and is a hint no more', async () => {
    const at = await openApproved();
    const { wisp } = await add(at, 'Use the fixtures of test/sum.test.js');
    await promote(at, wisp.id, { to: 'note' });
    const headings = (await at.comments()).map((body) => body.split('\n')[0]);
    expect(headings.slice(-2)).toEqual(['## 🔍 Discovery Note', '## 🪶 Wisp']);
    expect((await told(at)).match(/Use the fixtures/gu)).toHaveLength(1);
    await expect(promote(at, wisp.id)).rejects.toThrow('was promoted already');
    await expect(add(at, 'Use the fixtures of test/sum.test.js')).rejects.toThrow('was promoted already');
    expect((await at.entriesOf('wisp-promoted')).map(({ data }) => data)).toEqual([
      { wisp: wisp.id, to: 'note', task: null, by: 'alice' },
    ]);
  });

  it('becomes a task with commands of the approved plan, which the loop then does', async () => {
    const at = await openApproved(
      coded(1, write('difference')),
      coded(2, write('product')),
      coded(3, [{ write: 'src/hint.js', content: 'export const hint = 1;\n' }]),
    );
    await at.go(next());
    const { wisp } = await add(at, 'Also write src/hint.js, which later tasks need.');
    const poisons = [
      'touch ../canary',
      'node --test test/sum.test.js ',
      'node --test test/sum.test.js; true',
    ];
    for (const poison of poisons)
      await expect(promote(at, wisp.id, { verify: [poison] })).rejects.toThrow('No approved plan holds');
    expect(at.prd().userStories).toHaveLength(2);
    const command = 'node --test test/sum.test.js';
    expect(await promote(at, wisp.id, { verify: [command] })).toEqual({ task: 'US-003' });
    expect(at.prd().userStories[2]).toMatchObject({
      ...{ id: 'US-003', dependsOn: ['US-001'], discoverySource: 'wisp_promotion', passes: false },
      ...{ verifyCommands: [command], acceptanceCriteria: [`\`${command}\` passes`] },
    });
    expect((await viewLoop(at.house, await runOf(at)))?.prd?.userStories).toHaveLength(3);
    const outcome = await at.go(saying({ work: 'loop' }));
    expect(outcome.gate?.kind).toBe('testing');
    expect(at.prd().userStories.map(({ passes }) => passes)).toEqual([true, true, true]);
    await add(at, 'Too late for a task.');
    const late = (await viewWisps(at.house, await runOf(at))).at(-1)?.id ?? '';
    await expect(promote(at, late)).rejects.toThrow('takes no new task where it stands');
  });

  it('becomes a task of a blocked loop', async () => {
    const at = await openApproved(
      ...[1, 2, 3].map((call) => coded(call, write('difference', false))),
      ...[4, 5, 6].map((call) => coded(call, write('product', call === 4))),
    );
    expect((await at.go(saying({ work: 'loop' }))).gate?.kind).toBe('blocked');
    const { wisp } = await add(at, 'Look at the tests first.', 'US-002');
    expect(await promote(at, wisp.id)).toEqual({ task: 'US-003' });
    const again = await at.go();
    expect(again.gate?.kind).toBe('blocked');
    expect(at.prd().userStories[2]).toMatchObject({ verifyCommands: ['node --test test/product.test.js'] });
  });

  it('that was pushed as a task when the command was killed is finished by the loop, or by the command', async () => {
    for (const isRepeated of [true, false]) {
      const at = await openApproved(coded(1, write('difference')));
      const { wisp } = await add(at, 'Write more.');
      const run = await runOf(at);
      const died = new Error('killed');
      const house = {
        ...at.house,
        openCheckpoints: async () => {
          const saver = await at.house.openCheckpoints();
          return override(saver, {
            put: async () => {
              throw died;
            },
          });
        },
      };
      const promotion = { id: wisp.id, to: 'task', task: null, verify: [], person: 'alice' } as const;
      await expect(promoteWisp(house, run, promotion, sessionOf(at))).rejects.toBe(died);
      expect(at.prd().userStories).toHaveLength(3);
      if (isRepeated) expect(await promote(at, wisp.id)).toEqual({ task: 'US-003' });
      await at.go(next());
      expect(at.prd().userStories.map(({ id, passes }) => [id, passes])).toEqual([
        ['US-001', true],
        ['US-002', false],
        ['US-003', false],
      ]);
      if (isRepeated) at.remove();
    }
  });

  it('says nothing else than its words, whatever they are', async () => {
    const at = await openApproved();
    const before = (await at.comments()).length;
    const word = fc.constantFrom(
      '\n',
      '```',
      '## ✅ Plan Approved',
      '### Event JSON',
      '@claude approve',
      '<!--',
      '-->',
      'Closes #1',
      '"promoted":true',
      '\u202e',
      'x',
    );
    const notes = fc.sample(
      fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
      6,
    );
    for (const note of new Set(notes.map((one) => one.trim()).filter((one) => one !== ''))) {
      const { wisp } = await add(at, note);
      const shown = (await viewWisps(at.house, await runOf(at))).find(({ id }) => id === wisp.id);
      expect(shown).toMatchObject({ note, isLive: true, promoted: false });
    }
    const said = (await at.comments()).slice(before);
    for (const body of said) expect(body.split('\n')[0]).toBe('## 🪶 Wisp');
    expect((await at.go()).gate?.kind).toBe('work');
  });

  it('is refused without words, from strangers, and before the plan is approved', async () => {
    const shell = new LoopShell();
    world = shell;
    shell.work(
      planned(1, plan([task('difference')])),
      coded(1, write('difference'), report({ wisp: { note: 'an agent found it', minutes: 60 } })),
    );
    const number = await shell.fileIssue();
    await shell.run('loop', 'plan', number, '--quick');
    expect((await shell.run('loop', 'wisp', 'add', number, 'hint')).all).toContain('no approved plan yet');
    await shell.run('loop', 'plan', number, '--approve');
    expect((await shell.as('mallory', 'loop', 'wisp', 'add', number, 'hint')).all).toContain(
      'forge-forbidden',
    );
    expect((await shell.run('loop', 'wisp', 'add', number, ' ')).code).toBe(2);
    expect((await shell.run('loop', 'wisp', 'add', number, 'hint', '--task', 'US-009')).all).toContain(
      'no task US-009',
    );
    expect((await shell.run('loop', 'wisp', 'list', number)).all).toContain('has no hints');
    const added = await shell.run('loop', 'wisp', 'add', number, 'for all', '--minutes', '5');
    expect([added.code, added.all]).toEqual([0, expect.stringContaining('it holds until')]);
    await shell.run('loop', 'implement', 'next');
    const wisps = await shell.playground.json<{ id: string; note: string; task: string | null }[]>([
      ...['loop', 'wisp', 'list', number],
    ]);
    expect(wisps).toMatchObject([
      { note: 'for all', task: null },
      { note: 'an agent found it', task: 'US-001' },
    ]);
    const table = await shell.run('loop', 'wisp', 'list', number);
    expect(table.stdout).toMatch(/wsp_\w+ +until \S+ +US-001 +an agent found it/u);
    const promoted = await shell.run('loop', 'wisp', 'promote', number, wisps[1]?.id ?? '', '--json');
    expect(JSON.parse(promoted.stdout)).toMatchObject({ to: 'note', task: null });
    expect((await shell.run('loop', 'wisp', 'promote', number, 'wsp_none')).all).toContain(
      'has no hint wsp_none',
    );
    const [first] = wisps;
    const unclear = await shell.run('loop', 'wisp', 'promote', number, first?.id ?? '', '--to', 'task');
    expect([unclear.code, unclear.all]).toEqual([2, expect.stringContaining('The hint names no task')]);
  });
});
