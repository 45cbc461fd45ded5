/** What a coding agent costs is on the ledger, attempt by attempt; it is never paid twice, and never beyond a budget. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteWorld } from '../../test/contracts/sqlite-world.ts';
import { makeAskContext } from '../../test/support/ask-context.ts';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import { SqliteRunViews } from '../adapters/sqlite/sqlite-run-views.ts';
import { describeEntry } from '../domain/ledger/describe-entry.ts';
import { type Budget, noUsage } from '../domain/models/budget.ts';
import { flatPrice } from '../domain/models/model-price.ts';
import { GatewrightError } from '../errors.ts';
import type { CodingAgent, CodingAttempt, CodingOutcome, CodingTask } from '../ports/coding-agent.ts';
import { askCoder } from './ask-coder.ts';

let world: SqliteWorld;
beforeEach(() => {
  world = new SqliteWorld();
});
afterEach(() => world.remove());

const finished: CodingOutcome<never> = { kind: 'finished', text: 'Done.', object: null };

function attempt(outcome: CodingOutcome<never>, credential: string, costUsd: number): CodingAttempt<never> {
  const usage = {
    inputTokens: 100,
    outputTokens: 10,
    costUsd,
    turns: 3,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  return {
    credential,
    outcome,
    usage,
    sessionId: 's',
    reportedModel: 'claude-x',
    denials: [],
    milliseconds: 5,
  };
}

/** Works as told, attempt by attempt, and remembers what it was asked. */
class ScriptedAgent implements CodingAgent {
  readonly name = 'claude:x';
  readonly family = 'claude';
  readPrice = async () => flatPrice(3, 15);
  readonly title = 'Claude';
  readonly asked: CodingTask[] = [];
  readonly #attempts: readonly CodingAttempt<never>[];

  constructor(...attempts: readonly CodingAttempt<never>[]) {
    this.#attempts = attempts;
  }

  async checkReady(): Promise<null> {
    return null;
  }

  async work(task: CodingTask) {
    this.asked.push(task);
    const last = this.#attempts.at(-1);
    if (last === undefined) throw new Error('nothing was scripted');
    return { ...last, earlier: this.#attempts.slice(0, -1) };
  }
}

const makeContext = (budget?: Budget) => makeAskContext(world, 'local/project#1', budget);

const task = {
  ...{ role: 'implementer', call: 1, folder: '/nowhere', instructions: 'Work.', task: 'Do it.' },
  ...{ turnLimit: 50, limitMilliseconds: 1000 },
  tools: { mode: 'plan' },
} as const;

let looks = 0;
const ask = (agent: CodingAgent, context = makeContext()) =>
  askCoder(context, agent, task, 'to work', null, async () => {
    looks += 1;
    return { tree: `tree-${looks}` };
  });

const entries = () => world.ledger.readRun('run-1');

describe('askCoder', () => {
  it('writes down every attempt with its credential and its cost', async () => {
    const agent = new ScriptedAgent(
      attempt({ kind: 'quota', until: null }, 'subscription', 0.1),
      attempt(finished, 'key', 0.4),
    );
    const done = await ask(agent);
    expect(done.end).toEqual(finished);
    const used = (await entries()).flatMap((entry) =>
      entry.kind === 'model-failed' || entry.kind === 'model-answered' ? [entry] : [],
    );
    expect(used.map(({ kind, data }) => [kind, data.usage.costUsd])).toEqual([
      ['model-failed', 0.1],
      ['model-answered', 0.4],
    ]);
    expect(used[0]?.data).toMatchObject({ credential: 'subscription', why: 'quota-exhausted' });
    const { run } = await world.ledger.readUsage('run-1', 'local/project#1', '');
    expect([run.costUsd, run.turns]).toEqual([0.5, 6]);
  });

  it.each<CodingOutcome<never>>([finished, { kind: 'turns-exhausted' }])(
    'does not pay twice for $kind, and remembers the files that it left',
    async (outcome) => {
      const agent = new ScriptedAgent(attempt(outcome, 'key', 0.4));
      const first = await ask(agent);
      const second = await ask(agent);
      expect(second).toEqual(first);
      expect(agent.asked).toHaveLength(1);
    },
  );

  it.each<[CodingOutcome<never>, string]>([
    [{ kind: 'quota', until: '2026-12-01T00:00:00.000Z' }, 'quota-exhausted'],
    [{ kind: 'refused', by: 'model', detail: 'no' }, 'model-refused'],
    [{ kind: 'failed', why: 'timeout', detail: 'slow' }, 'model-unavailable'],
    [{ kind: 'failed', why: 'crash', detail: 'gone' }, 'model-unusable-answer'],
    [{ kind: 'failed', why: 'budget', detail: 'spent' }, 'budget-exceeded'],
    [{ kind: 'failed', why: 'not-authenticated', detail: 'key' }, 'model-not-authenticated'],
    [{ kind: 'failed', why: 'not-installed', detail: 'no such file' }, 'coder-not-installed'],
    [{ kind: 'failed', why: 'aborted', detail: 'stop' }, 'cancelled'],
  ])('stops with a reason at %o, and counts it', async (outcome, code) => {
    const agent = new ScriptedAgent(attempt(outcome, 'key', 0.2));
    expect(await rejectedCode(ask(agent))).toBe(code);
    expect((await world.ledger.readUsage('run-1', 'local/project#1', '')).run.costUsd).toBe(0.2);
    // Trying again is another attempt, and another entry.
    expect(await rejectedCode(ask(agent))).toBe(code);
    expect((await world.ledger.readUsage('run-1', 'local/project#1', '')).run.costUsd).toBe(0.4);
  });

  it('counts work whose files could not be looked at', async () => {
    const agent = new ScriptedAgent(attempt(finished, 'key', 0.3));
    const look = async (): Promise<never> => {
      throw new GatewrightError('git-failed', 'The disk is full.');
    };
    expect(await rejectedCode(askCoder(makeContext(), agent, task, 'to work', null, look))).toBe(
      'git-failed',
    );
    expect((await world.ledger.readUsage('run-1', 'local/project#1', '')).run.costUsd).toBe(0.3);
  });

  it('gives the agent what the tightest budget has left, and does not begin when nothing is', async () => {
    const budget: Budget = {
      run: { usd: 2, tokens: 1_000_000, turns: 8 },
      issue: { usd: 0.5, tokens: 1_000_000, turns: 800 },
      day: { usd: 50, tokens: 1_000_000, turns: 800 },
    };
    const context = makeContext(budget);
    const agent = new ScriptedAgent(attempt({ kind: 'failed', why: 'crash', detail: '' }, 'key', 0.4));
    expect(await rejectedCode(ask(agent, context))).toBe('model-unusable-answer');
    expect(agent.asked[0]).toMatchObject({ turnLimit: 8, costLimitUsd: 0.5 });
    expect(await rejectedCode(ask(agent, context))).toBe('model-unusable-answer');
    expect(agent.asked[1]).toMatchObject({ turnLimit: 5 });
    expect(agent.asked[1]?.costLimitUsd).toBeCloseTo(0.1);
    expect(await rejectedCode(ask(agent, context))).toBe('budget-exceeded');
    expect(agent.asked).toHaveLength(2);
  });

  it('calls the budget by its name when it was the budget that had no turns left', async () => {
    const plenty = { usd: 50, tokens: 1_000_000, turns: 800 };
    const budget: Budget = { run: plenty, issue: { ...plenty, turns: 8 }, day: plenty };
    const agent = new ScriptedAgent(attempt({ kind: 'turns-exhausted' }, 'key', 0.4));
    const error = await ask(agent, makeContext(budget)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'budget-exceeded',
      message:
        'The coding agent has used the 8 turns that the budget of this issue had left; its limit is 8 turns.',
      hint: expect.stringContaining('GATEWRIGHT_BUDGET_ISSUE_TURNS'),
    });
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'model-failed',
      data: { why: 'budget-exceeded', usage: { turns: 3, costUsd: 0.4 } },
    });
  });

  it('writes down what it was denied, once for each kind, without secrets', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const denials = [
      { tool: 'Bash', target: `curl -H ${token}` },
      { tool: 'Bash', target: `curl -H ${token}` },
      { tool: 'Write', target: '../x' },
    ];
    await ask(new ScriptedAgent({ ...attempt(finished, 'key', 0.1), denials }));
    const last = (await entries()).at(-1);
    expect(last).toMatchObject({ kind: 'model-answered', data: { denials: { count: 3 } } });
    const said = last === undefined ? '' : describeEntry(last);
    expect(said).toContain('denied 3 times: Bash curl -H');
    expect(said).toContain('; Write ../x');
    expect(said).not.toContain(token);
  });
});

/** Killed while it works: it tells of some turns, and nobody hears from it again. */
class KilledAgent extends ScriptedAgent {
  readonly #turns: readonly number[];

  constructor(...turns: readonly number[]) {
    super();
    this.#turns = turns;
  }

  override async work(task: CodingTask): Promise<never> {
    this.asked.push(task);
    for (const turns of this.#turns) {
      const usage = {
        ...noUsage,
        inputTokens: 10_000 * turns,
        outputTokens: 100,
        costUsd: 0.1 * turns,
        turns,
      };
      task.onProgress?.({ turns, tool: null, target: null, text: 'x', usage });
      // Blocks of one message come one by one.
      task.onProgress?.({ turns, tool: 'Read', target: 'a', text: null, usage });
    }
    return new Promise(() => undefined);
  }
}

/** Begins, and is gone when everything that it told is written down. */
async function killWhileWorking(agent: KilledAgent): Promise<void> {
  void ask(agent);
  await killed(agent);
}

const spent = async () => (await world.ledger.readUsage('run-1', 'local/project#1', '')).run;

describe('a coding agent that was killed together with us', () => {
  // One turn that nobody has heard of: what it may read, and the longest answer, at 3 and 15 USD for a million tokens.
  const oneTurn = (read: number): number => (read * 3 + 32_000 * 15) / 1_000_000;

  it('counts at once with the most that it can have cost, and once only', async () => {
    await killWhileWorking(new KilledAgent(1, 2, 3));
    const [granted] = (await entries()).filter(({ kind }) => kind === 'prompt-sent');
    expect(granted?.data).toMatchObject({
      model: 'claude:x',
      grant: { id: 'implementer#1/1', limit: { usd: 5, turns: 50 } },
    });
    const metered = (await entries()).filter(({ kind }) => kind === 'work-metered');
    expect(metered).toHaveLength(3);
    const { costUsd, turns } = await spent();
    expect(costUsd).toBeCloseTo(0.3 + oneTurn(20_000));
    expect(turns).toBe(4);

    // Taken up again: what was cut off is said, what comes now is added, and nothing is counted twice.
    await ask(new ScriptedAgent(attempt(finished, 'key', 0.4)));
    const failed = (await entries()).flatMap((entry) => (entry.kind === 'model-failed' ? [entry.data] : []));
    expect(failed).toMatchObject([{ why: 'call-cut-off', isAtMost: true, usage: { costUsd, turns: 4 } }]);
    expect((await spent()).costUsd).toBeCloseTo(costUsd + 0.4);
    await ask(new ScriptedAgent());
    expect((await spent()).costUsd).toBeCloseTo(costUsd + 0.4);
    const views = new SqliteRunViews(world.database);
    const today = await views.costSince('');
    expect(today.usd).toBeCloseTo(costUsd + 0.4);
    expect(today.atMostUsd).toBeCloseTo(costUsd);
  });

  it('counts one turn when nothing was heard of it, and adds up what several credentials used', async () => {
    await killWhileWorking(new KilledAgent());
    const [first] = (await entries()).flatMap((one) => (one.kind === 'prompt-sent' ? [one.data.grant] : []));
    expect((await spent()).costUsd).toBeCloseTo(first?.atMost.costUsd ?? 0);
    expect(first?.atMost.costUsd).toBeGreaterThan(0.48);
    await killWhileWorking(new KilledAgent(1, 2, 1));
    expect((await spent()).costUsd).toBeCloseTo((first?.atMost.costUsd ?? 0) + 0.3 + oneTurn(20_000));
  });

  it('cannot overrun a budget however often it is killed', async () => {
    const usd = { run: { usd: 2, tokens: 1e9, turns: 1000 } };
    const budget: Budget = { ...usd, issue: usd.run, day: usd.run };
    let began = 0;
    for (; began < 20; began += 1) {
      const agent = new KilledAgent(1);
      const stop = rejectedCode(ask(agent, makeContext(budget)));
      const code = await Promise.race([stop, killed(agent)]);
      if (code !== null) {
        expect(code).toBe('budget-exceeded');
        break;
      }
    }
    expect(began).toBeGreaterThan(1);
    expect(began).toBeLessThan(6);
  });
});

/** Null once it is at work and has told of it. */
async function killed(agent: KilledAgent): Promise<null> {
  for (let turn = 0; turn < 1000 && agent.asked.length === 0; turn += 1)
    await new Promise((done) => setImmediate(done));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
  return null;
}

it('work of another run is taken over: no agent works, nothing is paid, and the ledger names that run', async () => {
  const agent = new ScriptedAgent(attempt(finished, 'key-1', 0.5));
  const value = { end: { kind: 'finished', text: 'Theirs.', object: null }, left: 'a tree', denials: [] };
  const recorded = {
    source: 'run-0',
    answerOf: (role: string, call: number) =>
      role === 'implementer' && call === 1 ? { value, reportedModel: 'claude-y' } : null,
  };
  const context = { ...makeContext(), recorded };
  const refuse = async (): Promise<string> => {
    throw new Error('nothing was left');
  };
  const taken = await askCoder(context, agent, task, 'a purpose', null, refuse);
  expect(taken).toMatchObject({ end: { text: 'Theirs.' }, left: 'a tree', reportedModel: 'claude-y' });
  expect(agent.asked).toEqual([]);
  const entries = await world.ledger.readRun('run-1');
  expect(entries).toMatchObject([
    { kind: 'model-answered', actor: 'record:run-0', data: { takenFrom: 'run-0', usage: noUsage } },
  ]);
});
