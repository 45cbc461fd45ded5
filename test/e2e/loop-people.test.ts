/** People push to the branch of a loop at any moment: what they pushed is never lost, and the loop goes on. */
import { afterEach, describe, expect, it } from 'vitest';
import { coded, debugged, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopWorld, saying } from '../support/loop-world.ts';
import { override } from '../support/override.ts';

let world: LoopWorld;
afterEach(() => world.remove());

const approved = saying({ plan: 'approve' });
const one = planned(1, plan([task('difference')]));
const notes = { 'notes.txt': 'by hand\n' };

describe('a person pushes to the branch', () => {
  it('after a failed attempt: the next one goes on from both', async () => {
    world = await LoopWorld.open([
      one,
      coded(1, [...write('difference', false), { write: 'src/kept.txt', content: 'kept\n' }]),
      coded(2, write('difference')),
    ]);
    await world.go(approved);
    let calls = 0;
    await world.go(({ kind }) => (kind === 'work' && calls++ === 0 ? { choice: 'next' } : null));
    world.push(notes);
    await world.go(saying({ work: 'loop' }));
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 2 }]);
    expect([world.file('notes.txt'), world.file('src/kept.txt')]).toEqual(['by hand', 'kept']);
  });

  it('while the agent works: what both did is proven together', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference'))]);
    await world.go(approved);
    const { house } = world;
    let isPushed = false;
    const outcome = await world.go(saying({ work: 'loop' }), {
      ...house,
      makeCodingAgent: (spec) => {
        const agent = house.makeCodingAgent(spec);
        return override(agent, {
          work: async (given, schema) => {
            const done = await agent.work(given, schema);
            if (!isPushed) world.push(notes);
            isPushed = true;
            return done;
          },
        });
      },
    });
    expect(outcome.gate?.kind).toBe('testing');
    expect(world.file('notes.txt')).toBe('by hand');
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 1 }]);
    expect(world.subjects().filter((subject) => subject.startsWith('feat'))).toHaveLength(1);
  });

  it('at the testing gate, while debugging, and before closing', async () => {
    world = await LoopWorld.open([
      one,
      coded(1, write('difference')),
      debugged(2, [{ write: 'src/mended.txt', content: 'mended\n' }]),
    ]);
    await world.go(approved);
    await world.go(saying({ work: 'loop' }));
    world.push({ 'first.txt': '1\n' });
    let asked = 0;
    const issue = { choice: 'issue', feedback: 'Error\nUS-001\nit is empty' };
    const fixed = await world.go(({ kind }) => (kind === 'testing' && asked++ === 0 ? issue : null));
    expect(fixed.gate?.kind).toBe('testing');
    world.push({ 'second.txt': '2\n' });
    expect((await world.go(saying({ testing: 'works' }))).gate?.kind).toBe('close');
    world.push({ 'third.txt': '3\n' });
    expect((await world.go(saying({ close: 'close' }))).gate?.kind).toBe('merge');
    for (const [index, name] of ['first', 'second', 'third'].entries())
      expect(world.file(`${name}.txt`)).toBe(String(index + 1));
    expect(world.file('src/mended.txt')).toBe('mended');
  });

  it('before a task is skipped, and before a new plan is approved', async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference'), task('product')])),
      planned(2, plan([task('quotient')])),
      ...[1, 2, 3].map((call) => coded(call, write('product', false))),
    ]);
    await world.go(approved);
    world.push({ 'first.txt': '1\n' });
    let asked = 0;
    const skip = { choice: 'skip', feedback: 'US-001: by hand' };
    await world.go(({ kind }) => (kind === 'work' && asked++ === 0 ? skip : null));
    expect(world.prd().userStories[0]).toMatchObject({ passes: true });
    const blocked = await world.go(saying({ work: 'loop' }));
    expect(blocked.gate?.kind).toBe('blocked');
    await world.go(saying({ blocked: { choice: 'replan', feedback: 'divide instead' } }));
    world.push({ 'second.txt': '2\n' });
    expect((await world.go(approved)).gate?.kind).toBe('work');
    expect(world.prd().userStories.map(({ id }) => id)).toEqual(['US-001', 'US-003']);
    expect([world.file('first.txt'), world.file('second.txt')]).toEqual(['1', '2']);
  });

  it('and a task whose attempts they set back is judged anew', async () => {
    world = await LoopWorld.open([
      one,
      ...[1, 2, 3].map((call) => coded(call, write('difference', false))),
      coded(4, write('difference')),
    ]);
    await world.go(approved);
    expect((await world.go(saying({ work: 'loop' }))).gate?.kind).toBe('blocked');
    world.push({ 'prd.json': `${world.file('prd.json')}\n`.replace('"attempts": 3', '"attempts": 0') });
    await world.go(saying({ blocked: 'retry' }));
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 1 }]);
    expect((await world.entriesOf('task-judged')).map(({ data }) => data.passed)).toEqual([
      ...[false, false, false],
      true,
    ]);
    expect((await world.comments()).filter((body) => body.startsWith('## 📝'))).toHaveLength(4);
  });
});
