/** A loop that is killed, and people who do something before it goes on: nothing of theirs or of its own is lost. */
import { afterEach, describe, expect, it } from 'vitest';
import type { GateQuestion } from '../../src/domain/drafts/gate.ts';
import { cutOffAtEachPoint } from '../support/cut-off-everywhere.ts';
import { afterEntry, afterPush, killLoop } from '../support/kill-loop.ts';
import { coded, debugged, plan, planned, report, task, write } from '../support/loop-cassette.ts';
import { mergeByHand, testReport } from '../support/loop-scenario.ts';
import { type Answer, LoopWorld, type Said, saying } from '../support/loop-world.ts';
import { override } from '../support/override.ts';

let world: LoopWorld;
afterEach(() => world.remove());

const approved = saying({ plan: 'approve' });
const one = planned(1, plan([task('difference')]));
const wrong = (...calls: number[]) => calls.map((call) => coded(call, write('difference', false)));
const mended = { write: 'src/mended.txt', content: 'mended\n' };

/** The next answers at gates of one kind, then none. */
function inTurn(kind: GateQuestion['kind'], ...answers: readonly (string | Said)[]): Answer {
  const left = [...answers];
  return (question) => {
    const next = question.kind === kind ? left.shift() : undefined;
    return typeof next === 'string' ? { choice: next } : (next ?? null);
  };
}

let edits = 0;
/** Alice adds a key to prd.json, and a file. */
function editByHand(): string {
  edits += 1;
  const text = world.file('prd.json');
  world.push({
    'prd.json': `${text.replace('{', `{\n  "hand${edits}": true,`)}\n`,
    [`hand-${edits}.txt`]: 'x\n',
  });
  return `hand${edits}`;
}

describe('a loop that is killed', () => {
  it('keeps the context that the agent was told, whatever people say meanwhile', async () => {
    world = await LoopWorld.open([one, ...wrong(1), coded(2, write('difference'))]);
    await world.go(approved);
    await killLoop(world, saying({ work: 'loop' }), afterEntry('model-answered', 'loop-coder#2'));
    await (await world.alice()).createComment(world.repository, world.number, 'Use the minus sign.');
    expect((await world.go()).gate?.kind).toBe('testing');
    const { ledger } = world.house;
    const prompts = await Promise.all(
      (await world.entriesOf('prompt-sent')).map(({ data }) => ledger.getText(data.prompt)),
    );
    const judged = await world.entriesOf('task-judged');
    expect(judged).toHaveLength(2);
    for (const [index, { data }] of judged.entries()) {
      const told = await ledger.getText(data.context);
      expect(prompts[index + 1]?.endsWith(told)).toBe(true);
      expect((await world.comments()).join('\n')).toContain(data.context);
    }
  });

  it('has a receipt for each change, that of a label too', async () => {
    world = await LoopWorld.open([one]);
    await killLoop(world, approved, (name) => name === 'after forge.editIssue');
    expect((await world.go(approved)).gate?.kind).toBe('work');
    const keysOf = async (kind: 'effect-intended' | 'effect-receipted') =>
      (await world.entriesOf(kind)).map(({ key }) => key);
    expect(await keysOf('effect-receipted')).toEqual(await keysOf('effect-intended'));
  });

  it('closes with the same report everywhere, however late it goes on', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference'))]);
    await world.go(approved);
    await world.go(saying({ work: 'loop', testing: 'works' }));
    await killLoop(world, saying({ close: 'close' }), afterEntry('effect-receipted', 'final-report'));
    const { clock } = world.house;
    const later = override(clock, { now: () => new Date(clock.now().getTime() + 26 * 3_600_000) });
    expect((await world.go(undefined, { ...world.house, clock: later })).gate?.kind).toBe('merge');
    const [pull] = await (await world.alice()).listPullRequests(world.repository, { state: 'open' });
    const path = world
      .git('ls-tree', '-r', '--name-only', world.branch)
      .split('\n')
      .find((name) => name.endsWith('SUMMARY.md'));
    const texts = [(await world.comments()).at(-1), pull?.body, world.file(path ?? '')];
    const times = texts.map((text) => /\*\*Time:\*\* .*/u.exec(text ?? '')?.[0]);
    expect(times).toEqual([times[0], times[0], times[0]]);
    expect(times[0]).toMatch(/\d+ s/u);
  });

  it('does not fail work that is on the branch already when people push on top of it', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference')), debugged(2, [mended])]);
    await world.go(approved);
    await killLoop(world, saying({ work: 'loop' }), afterPush('task-US-001-1'));
    const first = editByHand();
    const issue = { choice: 'issue', feedback: testReport };
    await killLoop(world, inTurn('testing', issue), afterPush('fix-2'));
    const second = editByHand();
    expect((await world.go()).gate?.kind).toBe('testing');
    expect(world.prd().userStories).toMatchObject([{ passes: true, attempts: 1 }]);
    expect(world.prd()).toMatchObject({ [first]: true, [second]: true, debugState: { debugAttempts: 1 } });
    expect((await world.entriesOf('task-judged')).map(({ data }) => data.passed)).toEqual([true]);
    const logs = (await world.comments()).map((body) => body.split('\n')[0]);
    expect(logs.slice(-3)).toEqual([
      '## 🧪 Testing Checkpoint',
      '## 🔧 Debug Session',
      '## ✅ Debug Fix Applied',
    ]);
  });

  it('keeps what people pushed to prd.json while the agent of a debug round worked', async () => {
    world = await LoopWorld.open([one, coded(1, write('difference')), debugged(2, [mended])]);
    await world.go(approved);
    await world.go(saying({ work: 'loop' }));
    let key = '';
    const { house } = world;
    const pushing = {
      ...house,
      makeCodingAgent: (spec: string) => {
        const agent = house.makeCodingAgent(spec);
        return override(agent, {
          work: async (given, schema) => {
            const done = await agent.work(given, schema);
            key = editByHand();
            return done;
          },
        });
      },
    };
    const issue = { choice: 'issue', feedback: testReport };
    await killLoop(world, inTurn('testing', issue), afterEntry('effect-receipted', 'fix-2'), pushing);
    expect((await world.go()).gate?.kind).toBe('testing');
    expect(world.prd()).toMatchObject({ [key]: true, debugState: { debugAttempts: 1 } });
  });

  it('loses no push of people, wherever it is killed around its own', { timeout: 600_000 }, async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference'), task('product')])),
      ...wrong(1),
      coded(2, write('difference')),
      coded(3, write('product')),
      debugged(4, [{ edit: 'src/difference.js', replace: 'a - b', with: '0' }]),
      debugged(5, [{ edit: 'src/difference.js', replace: 'return 0', with: 'return a - b - 0' }]),
    ]);
    let reported: string | null = null;
    const answer: Answer = async ({ kind, id }) => {
      if (kind === 'testing') {
        reported ??= id;
        return reported === id ? { choice: 'issue', feedback: testReport } : { choice: 'works' };
      }
      if (kind === 'merge') await mergeByHand(world);
      const choice = { plan: 'approve', work: 'loop', close: 'close', merge: 'check' }[kind as string];
      return choice === undefined ? null : { choice };
    };
    let key = '';
    let late = 0;
    const keys: string[] = [];
    const places = await cutOffAtEachPoint(
      world.house,
      async (house) => {
        const [run] = await world.house.views.listRuns({ repository: world.repository, workflows: ['loop'] });
        if (run?.status === 'done') return;
        const branches = world.git('branch', '--list', world.branch);
        // When it is archived, prd.json is not there any more.
        if (key !== '' && branches !== '')
          if (key.includes('archive')) world.push({ 'late.txt': `${late++}\n` });
          else keys.push(editByHand());
        key = '';
        await world.go(answer, house);
      },
      (name, args) => {
        for (const kind of ['effect-intended', 'effect-receipted'] as const)
          if (afterEntry(kind)(name, args)) {
            const [entry] = args[0] as readonly { key?: string; data: { effect?: { kind: string } } }[];
            const at = entry?.key?.split('/').slice(1).join('/').replace(/#\d+$/u, '') ?? '';
            if (!/^(?:approve|task|state|fix|debugg|testing-\d+$|verified-\d+$|archive)/u.test(at)) return '';
            key = at;
            return `${kind} ${at}`;
          }
        return name === 'after transport.pushBranch' ? `pushed ${key}` : '';
      },
    );
    expect(places.length).toBeGreaterThan(25);
    expect(keys.length).toBeGreaterThan(20);
    const files = world.git('ls-tree', '-r', '--name-only', world.branch).split('\n');
    const prd = JSON.parse(world.file(files.find((name) => /^archive.*prd\.json$/u.test(name)) ?? ''));
    expect(Object.keys(prd)).toEqual(expect.arrayContaining(keys));
    expect(files).toEqual(expect.arrayContaining(keys.map((name) => `${name.replace('hand', 'hand-')}.txt`)));
    expect(prd.userStories).toMatchObject([
      { passes: true, attempts: 2 },
      { passes: true, attempts: 1 },
    ]);
    const ours = world.subjects().filter((subject) => subject !== 'By hand');
    expect(ours).toEqual([
      'chore: add prd.json (#1)',
      'chore: update prd.json - US-001 failed, attempt 1 (#1)',
      'feat(US-001): Add difference (#1)',
      'chore: update prd.json - US-001 passed (#1)',
      'feat(US-002): Add product (#1)',
      'chore: update prd.json - US-002 passed (#1)',
      'chore: update prd.json - testing (#1)',
      'chore: update prd.json - debugging (#1)',
      expect.stringContaining('mend what testing found'),
      'chore: update prd.json - testing (#1)',
      'chore: update prd.json - verified (#1)',
      'chore: archive the loop of #1 (#1)',
    ]);
    expect((await world.comments()).map((body) => body.split('\n')[0])).toEqual([
      '## 📋 Implementation Plan',
      '## ✅ Plan Approved',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-002 - Add product',
      '## 🧪 Testing Checkpoint',
      '## 🔧 Debug Session',
      '## 🔧 Debug Session',
      '## ✅ Debug Fix Applied',
      '## 📊 Final Report',
    ]);
  });
});

describe('a new plan', () => {
  it('gives debugging all its attempts again', async () => {
    world = await LoopWorld.open([
      one,
      planned(2, plan([task('product')])),
      coded(1, write('difference')),
      ...[2, 3, 4].map((call) =>
        debugged(call, [
          { write: 'src/difference.js', content: 'export function difference() {\n  return 0;\n}\n' },
        ]),
      ),
      coded(5, write('product')),
      debugged(6, [mended]),
    ]);
    await world.go(approved);
    const issue = { choice: 'issue', feedback: testReport };
    const answers = { work: 'loop', testing: issue, blocked: { choice: 'replan', feedback: 'multiply' } };
    expect((await world.go(saying(answers))).gate?.kind).toBe('plan');
    await world.go(approved);
    await world.go(saying({ work: 'loop' }));
    expect((await world.go(inTurn('testing', issue))).gate?.kind).toBe('testing');
    const sessions = (await world.comments()).filter((body) => body.startsWith('## 🔧 Debug Session'));
    expect(sessions.map((body) => /\d of \d/u.exec(body)?.[0])).toEqual([
      '1 of 3',
      '2 of 3',
      '3 of 3',
      '1 of 3',
    ]);
    expect(world.prd().debugState).toMatchObject({ status: 'testing', debugAttempts: 1 });
  });

  it('is on the branch once, although people push to it right after a kill', async () => {
    world = await LoopWorld.open([
      one,
      planned(2, plan([task('product')])),
      ...wrong(1, 2, 3),
      coded(4, write('product')),
    ]);
    await world.go(approved);
    await world.go(saying({ work: 'loop', blocked: { choice: 'replan', feedback: 'multiply' } }));
    await killLoop(world, approved, afterPush('approve-2'));
    const key = editByHand();
    expect((await world.go()).gate?.kind).toBe('work');
    expect(world.prd()).toMatchObject({ [key]: true, userStories: [{ id: 'US-002' }] });
    expect((await world.go(saying({ work: 'loop' }))).gate?.kind).toBe('testing');
    expect(world.subjects().filter((subject) => subject.includes('replan prd.json'))).toHaveLength(1);
  });
});

describe('people who change the task that an agent works on', () => {
  const meanwhile = async (
    change: (text: string) => string,
    ...calls: Parameters<typeof LoopWorld.open>[0]
  ) => {
    world = await LoopWorld.open(calls);
    await world.go(approved);
    const { house } = world;
    let isDone = false;
    return world.go(saying({ work: 'loop' }), {
      ...house,
      makeCodingAgent: (spec) => {
        const agent = house.makeCodingAgent(spec);
        return override(agent, {
          work: async (given, schema) => {
            const done = await agent.work(given, schema);
            if (!isDone) world.push({ 'prd.json': `${change(world.file('prd.json'))}\n` });
            isDone = true;
            return done;
          },
        });
      },
    });
  };
  const two = planned(1, plan([task('difference'), task('product')], { globalVerifyCommands: [] }));

  it('their word that it passed stays, although the attempt fails', async () => {
    const outcome = await meanwhile(
      (text) => text.replace('"passes": false', '"passes": true'),
      two,
      coded(1, write('difference', false)),
      coded(2, write('product')),
    );
    expect(world.prd().userStories).toMatchObject([{ passes: true }, { passes: true }]);
    expect(await world.entriesOf('task-skipped')).toHaveLength(1);
    // Its command fails on the whole branch, which people see when they test: a word is no proof.
    expect(outcome.gate?.kind).toBe('testing');
    expect((await world.comments()).at(-1)).toContain('✗ node --test test/difference.test.js');
  });

  it('a task that they take out is left, and the next one is done', async () => {
    const outcome = await meanwhile(
      (text) => {
        const prd = JSON.parse(text) as { userStories: object[] };
        return JSON.stringify({ ...prd, userStories: prd.userStories.slice(1) }, null, 2);
      },
      two,
      coded(1, write('difference')),
      coded(2, write('product')),
    );
    expect(outcome.gate?.kind).toBe('testing');
    expect(world.prd().userStories).toMatchObject([{ id: 'US-002', passes: true }]);
    expect(world.subjects().some((subject) => subject.startsWith('feat(US-001)'))).toBe(false);
  });

  it('a task that they pass by hand before it is skipped stops nothing', async () => {
    world = await LoopWorld.open([two, coded(1, write('product')), coded(2, write('product'))]);
    await world.go(approved);
    const skip = { choice: 'skip', feedback: 'US-001: by hand' };
    await killLoop(world, inTurn('work', skip), afterEntry('gate-answered'));
    world.push({ 'prd.json': `${world.file('prd.json').replace('"passes": false', '"passes": true')}\n` });
    expect((await world.go()).gate?.kind).toBe('work');
    expect(world.prd().userStories[0]).toMatchObject({ passes: true });
  });
});

it('the archive is made once, although people push to the branch right after a kill', async () => {
  world = await LoopWorld.open([one, coded(1, write('difference'), report())]);
  await world.go(approved);
  await world.go(saying({ work: 'loop', testing: 'works' }));
  await killLoop(world, saying({ close: 'close' }), afterPush('archive'));
  world.push({ 'late.txt': 'late\n' });
  expect((await world.go()).gate?.kind).toBe('merge');
  await mergeByHand(world);
  expect((await world.go(saying({ merge: 'check' }))).status).toBe('done');
  expect(world.git('show', 'main:late.txt')).toBe('late');
  expect(world.subjects().filter((subject) => subject.includes('archive the loop'))).toHaveLength(1);
});
