/**
 * Quota and budgets that are used up in any stage of a pipeline, clocks that jump, and other processes: the same stage goes
 * on, no attempt is lost, nothing is paid twice, and one process works on an issue.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { BudgetScope } from '../../src/domain/models/budget.ts';
import { GatewrightError } from '../../src/errors.ts';
import type { House } from '../../src/runs/house.ts';
import { readState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { setClockAhead } from '../support/clock-ahead.ts';
import { override } from '../support/override.ts';
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
import type { Result } from '../support/playground.ts';

const hour = 3_600_000;
const until = new Date(Date.now() + hour).toISOString();

let world: PipelineWorld;
afterEach(() => world.remove());

const numbersOnly = {
  write: 'src/sum.js',
  content: '// Numbers only.\nexport function sum(a, b) {\n  return a + b;\n}\n',
};
/** Every stage that asks a model does so, some of them twice. */
const script = [
  triaged(),
  analysed(),
  written([], { questions: [{ to: 'analyst', question: 'Where is sum?' }] }),
  answered('In src/sum.js.'),
  written(fixed, {}, 2),
  reviewed({
    verdict: 'REJECTED',
    issues: [finding('It says nothing about strings.')],
    feedback_for_writer: 'Say it.',
  }),
  written([numbersOnly], {}, 3),
  reviewed({}, 2),
];
const calls = [
  ...['pipeline-triage#1', 'pipeline-analyst#1', 'pipeline-writer#1', 'pipeline-answer#1'],
  ...['pipeline-writer#2', 'pipeline-reviewer#1', 'pipeline-writer#3', 'pipeline-reviewer#2'],
];
const firstCalls = calls.filter((call) => call.endsWith('#1'));
const byModel = (call: string): boolean => /triage|reviewer/u.test(call);
const stageOf = (call: string): string =>
  /answer/u.test(call) ? 'writer' : (/-(\w+)#/u.exec(call)?.[1] ?? '');
const attemptOf = (call: string): number =>
  call === 'pipeline-writer#3' || call === 'pipeline-reviewer#2' ? 2 : 1;

type Meddle = (call: string, work: () => Promise<unknown>) => Promise<unknown>;

/** Something happens around a call to a model; null lets it be. */
function meddling(house: House, meddle: Meddle): House {
  return {
    ...house,
    makeCodingAgent: (spec) => {
      const agent = house.makeCodingAgent(spec);
      return override(agent, {
        work: ((given, schema) =>
          meddle(`${given.role}#${given.call}`, () => agent.work(given, schema))) as typeof agent.work,
      });
    },
    makeModel: (spec, purpose) => {
      const model = house.makeModel(spec, purpose);
      return override(model, {
        answerObject: ((given, schema) =>
          meddle(`${given.role}#${given.call}`, () =>
            model.answerObject(given, schema),
          )) as typeof model.answerObject,
      });
    },
  };
}

/** The first time, the call is made and then the quota is used up: what it did is not to be used. */
function exhaustedOnce(house: House, wanted: string, at: string | null): House {
  let isOver = false;
  return meddling(house, async (call, work) => {
    if (isOver || call !== wanted) return work();
    isOver = true;
    const done = (await work()) as object;
    if (!byModel(call)) return { ...done, outcome: { kind: 'quota', until: at } };
    throw new GatewrightError('quota-exhausted', 'No quota is left.', at === null ? {} : { until: at });
  });
}

const told = async () => (await world.entriesOf('model-answered')).map(({ key }) => key?.split('/')[1]);

function shownState() {
  const file = join(world.fleet.playground.repository, 'issue-state.json');
  const read = readState(readFileSync(file, 'utf8'));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.state;
}

/** As if nothing had been in the way. */
async function expectWholeRun(): Promise<void> {
  expect(await told()).toEqual(calls);
  expect((await world.state()).pipeline).toMatchObject({ status: 'completed', attempt: 2, max_attempts: 3 });
  expect((await world.stages()).map((line) => line.split(':')[0])).toEqual([
    ...['triage', 'analyst', 'writer', 'writer', 'build', 'reviewer'],
    ...['writer', 'build', 'reviewer', 'committer'],
  ]);
  expect(await world.entriesOf('pull-request-made')).toHaveLength(1);
  expect(await world.comments()).toEqual([]);
  const commits = world.fleet.git('log', '--format=%s', `main..agent/issue-${world.number}`).split('\n');
  expect(commits).toHaveLength(1);
  expect(existsSync(join(world.fleet.playground.repository, 'issue-state.json'))).toBe(false);
  expect((await world.house.ledger.verify()).problems).toEqual([]);
}

describe('quota that is used up in the middle', () => {
  it.each(calls)('of %s pauses until its time, and the same stage goes on', async (call) => {
    world = await PipelineWorld.open(script);
    const house = exhaustedOnce(world.house, call, until);
    const paused = await world.go(undefined, undefined, house);
    expect(paused).toMatchObject({
      ...{ status: 'paused', gate: null },
      reason: { code: 'quota-exhausted', owner: 'time', until },
    });
    expect(paused.reason.resume).toContain(`solve`);
    expect(shownState().pipeline).toMatchObject({ current_agent: stageOf(call), attempt: attemptOf(call) });
    expect(await told()).toEqual(calls.slice(0, calls.indexOf(call)));
    const done = await world.go(undefined, undefined, house);
    expect(done.status, done.reason.message).toBe('done');
    await expectWholeRun();
    const failed = await world.entriesOf('model-failed');
    expect(failed.map(({ data }) => data.why).filter((why) => why !== 'quota-exhausted')).toEqual([]);
  });

  it.each(firstCalls)('of %s without a time stops it, and uses no attempt', async (call) => {
    world = await PipelineWorld.open(script);
    const house = exhaustedOnce(world.house, call, null);
    await expect(world.go(undefined, undefined, house)).rejects.toMatchObject({ code: 'quota-exhausted' });
    const done = await world.go(undefined, undefined, house);
    expect(done.status, done.reason.message).toBe('done');
    await expectWholeRun();
  });
});

/** A budget that has nothing left while one call is prepared, by the prompt that is read for it. */
function brokeOnce(house: House, call: string, scope: BudgetScope): House {
  const [role = '', wanted] = call.split('#');
  const prompt = role === 'pipeline-reviewer' ? 'pipeline-review' : role;
  let [rendered, isBroke] = [0, false];
  const { budget, prompts } = house;
  return {
    ...house,
    budget: Object.defineProperty({ ...budget }, scope, {
      get: () => (isBroke ? { ...budget[scope], turns: scope === 'day' ? 1 : 0 } : budget[scope]),
    }),
    prompts: override(prompts, {
      render: async (name, values) => {
        rendered += name === prompt ? 1 : 0;
        isBroke = rendered === Number(wanted) && name === prompt;
        return prompts.render(name, values);
      },
    }),
  };
}

describe('a budget that is used up', () => {
  // What is used up on the first call of a day is no matter of time.
  it.each(calls.slice(1))('by the day at %s pauses until the next one', async (call) => {
    world = await PipelineWorld.open(script);
    const house = brokeOnce(world.house, call, 'day');
    const paused = await world.go(undefined, undefined, house);
    expect(paused).toMatchObject({ status: 'paused', reason: { code: 'budget-exceeded', owner: 'time' } });
    expect(paused.reason.until).toMatch(/T00:00:00\.000Z$/u);
    expect(shownState().pipeline).toMatchObject({ current_agent: stageOf(call), attempt: attemptOf(call) });
    expect(await told()).toEqual(calls.slice(0, calls.indexOf(call)));
    const done = await world.go(undefined, undefined, house);
    expect(done.status, done.reason.message).toBe('done');
    await expectWholeRun();
    expect(await world.entriesOf('model-failed')).toEqual([]);
  });

  it.each(firstCalls)(
    'by the run at %s stops it, and a higher one has the same stage go on',
    async (call) => {
      world = await PipelineWorld.open(script);
      const house = brokeOnce(world.house, call, 'run');
      const error = await world.go(undefined, undefined, house).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'budget-exceeded', stop: { status: 'blocked', owner: 'person' } });
      expect((error as GatewrightError).hint).toContain('GATEWRIGHT_BUDGET_RUN_TURNS');
      const done = await world.go(undefined, undefined, house);
      expect(done.status, done.reason.message).toBe('done');
      await expectWholeRun();
    },
  );
});

describe('a clock that is wrong by a day', () => {
  it('ends a pipeline over many processes as it would have', { timeout: 300_000 }, async () => {
    world = await PipelineWorld.open(script);
    const { playground } = world.fleet;
    const at = (hours: number, ...args: string[]): Promise<Result> =>
      playground.run(['solve', String(world.number), ...args, ...world.models, '--no-input'], {
        ...{ env: setClockAhead(playground.folder, hours), isAlone: true },
      });
    for (const [hours, stage] of [
      [0, 'triage'],
      [24, 'analyst'],
      [-24, 'writer'],
      [24, 'build'],
    ] as const)
      expect((await at(hours, '--until', stage)).code).toBe(10);
    const done = await at(-24);
    expect([done.code, done.all]).toEqual([0, expect.stringContaining('became pull request')]);
    await expectWholeRun();
  });
});

describe('two processes', () => {
  const second = (hours: number): Promise<Result> => {
    const { playground } = world.fleet;
    return playground.run(['solve', String(world.number), ...world.models, '--no-input'], {
      ...{ env: setClockAhead(playground.folder, hours), isAlone: true },
    });
  };

  it.each(firstCalls)(
    'work on one issue one after the other: at %s the second says who has it, or takes over',
    async (call) => {
      world = await PipelineWorld.open(script);
      const seen: Result[] = [];
      const house = meddling(world.house, async (now, work) => {
        // With the same clock, one that is late, and one that is early.
        if (now === call) for (const hours of [0, -24, 24]) seen.push(await second(hours));
        return work();
      });
      await expect(world.go(undefined, undefined, house)).rejects.toMatchObject({ code: 'lease-lost' });
      const [same, late, early] = seen;
      for (const refused of [same, late]) {
        expect(refused?.code).not.toBe(0);
        expect(refused?.all).toContain('(lease-held)');
        expect(refused?.all).toMatch(
          new RegExp(`has been working on it since .* \\(process ${process.pid} on `, 'u'),
        );
      }
      // By its clock the lease has lapsed: it takes over, and the first one writes nothing more.
      expect([early?.code, early?.all]).toEqual([0, expect.stringContaining('became pull request')]);
      await expectWholeRun();
    },
    120_000,
  );

  it('of which one loses the issue between the push and the pull request make one of each', async () => {
    world = await PipelineWorld.open(script);
    const { house } = world;
    let taken: Result | undefined;
    const transport = override(house.transport, {
      pushBranch: async (...given) => {
        const pushed = await house.transport.pushBranch(...given);
        taken ??= await second(24);
        return pushed;
      },
    });
    await expect(world.go(undefined, undefined, { ...house, transport })).rejects.toMatchObject({
      code: 'lease-lost',
    });
    expect([taken?.code, taken?.all]).toEqual([0, expect.stringContaining('became pull request')]);
    await expectWholeRun();
  }, 120_000);
});
