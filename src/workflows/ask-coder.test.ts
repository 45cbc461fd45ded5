/** What a coding agent costs is on the ledger, attempt by attempt; it is never paid twice, and never beyond a budget. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteWorld } from '../../test/contracts/sqlite-world.ts';
import { makeAskContext } from '../../test/support/ask-context.ts';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import type { Budget } from '../domain/budget.ts';
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
  readonly price = { inputPerMillion: 3, outputPerMillion: 15 };
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
});
