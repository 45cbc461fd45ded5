/** What a call costs is on the ledger and counts against the budgets, also when its answer cannot be used. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SqliteWorld } from '../../test/contracts/sqlite-world.ts';
import { makeAskContext } from '../../test/support/ask-context.ts';
import { answerWith, refuseWith, ScriptedProvider } from '../../test/support/scripted-provider.ts';
import { rejectedCode } from '../../test/support/thrown-code.ts';
import { makeAiSdkModel } from '../adapters/ai-sdk/ai-sdk-model.ts';
import { SqliteCredentialLimits } from '../adapters/sqlite/sqlite-credential-limits.ts';
import { SqliteRunViews } from '../adapters/sqlite/sqlite-run-views.ts';
import { type Budget, defaultBudget } from '../domain/models/budget.ts';
import type { Model } from '../ports/model.ts';
import { askForObject } from './ask-model.ts';

let world: SqliteWorld;
let server: ScriptedProvider;

beforeEach(async () => {
  world = new SqliteWorld();
  server = await new ScriptedProvider().start();
});
afterEach(async () => {
  await server.stop();
  world.remove();
});

function makeModel(): Model {
  return makeAiSdkModel({
    provider: 'google',
    model: 'gemini-2.5-pro',
    credentials: ['first', 'second'].map((name) => ({ name, provider: 'google', key: `${name}-secret` })),
    credentialsFile: '/nowhere',
    baseUrl: `${server.url}/v1beta`,
    clock: { now: world.clock.now, sleep: async () => undefined },
    limits: new SqliteCredentialLimits(world.database, world.clock),
    limitMilliseconds: 10_000,
  });
}

const makeContext = (budget?: Budget) => makeAskContext(world, 'local/project:x', budget);

const schema = z.object({ decision: z.enum(['yes', 'no']) });
const ask = (context = makeContext(), model = makeModel()) =>
  askForObject(
    context,
    model,
    { role: 'reviewer', call: 1, instructions: 'Decide.', messages: [{ role: 'user', content: 'This.' }] },
    'for review',
    schema,
  );

const failures = async () =>
  (await world.ledger.readRun('run-1')).flatMap((entry) =>
    entry.kind === 'model-failed' ? [entry.data] : [],
  );

describe('an answer that cannot be used', () => {
  it.each([
    ['outside the schema', 'model-unusable-answer', { decision: 'perhaps' }, undefined],
    ['of another model', 'model-mismatch', { decision: 'yes' }, 'llama-3'],
  ])('%s is paid and counted', async (_, why, content, model) => {
    server.script = (seen) => answerWith(seen, content, model);
    expect(await rejectedCode(ask())).toBe(why);
    const usage = { inputTokens: 1000, outputTokens: 200, turns: 1 };
    expect(await failures()).toMatchObject([{ role: 'reviewer', credential: 'first', why, usage }]);
    const used = await world.ledger.readUsage('run-1', 'local/project:x', '');
    expect(used.run).toMatchObject(usage);
    expect(used.run.costUsd).toBeGreaterThan(0);
    const usd = used.run.costUsd;
    expect(await new SqliteRunViews(world.database).costSince('')).toEqual({ usd, atMostUsd: 0 });
  });

  it('waits for the next day when only the budget of the day is spent, and for a person when it never fits', async () => {
    server.script = (seen) => answerWith(seen, { decision: 'perhaps' });
    const withDay = (tokens: number) => ({ ...defaultBudget, day: { ...defaultBudget.day, tokens } });
    await ask(makeContext(withDay(11_000))).catch(() => undefined);
    const stop = async (tokens: number) => ask(makeContext(withDay(tokens))).catch((error: unknown) => error);
    const tomorrow = new Date(world.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    expect(await stop(8_500)).toMatchObject({
      ...{ code: 'budget-exceeded', until: `${tomorrow}T00:00:00.000Z` },
    });
    expect(await stop(100)).toMatchObject({ code: 'budget-exceeded', until: null });
  });

  it('again and again breaks the budget before the call that would', async () => {
    server.script = (seen) => answerWith(seen, { decision: 'perhaps' });
    const budget = { ...defaultBudget, run: { ...defaultBudget.run, tokens: 11_000 } };
    const codes: string[] = [];
    for (let index = 0; index < 4; index += 1) codes.push(await rejectedCode(ask(makeContext(budget))));
    expect(codes.at(-1)).toBe('budget-exceeded');
    expect(server.seen.length).toBe(codes.filter((code) => code === 'model-unusable-answer').length);
    expect(server.seen.length).toBeGreaterThan(0);
  });
});

describe('a call that was cut off', () => {
  const spent = async () => (await world.ledger.readUsage('run-1', 'local/project:x', '')).run;

  it('counts with the most that it can have cost, until and after it is made again', async () => {
    let isAsked = false;
    const model = makeModel();
    const hanging: Model = Object.assign(Object.create(model) as Model, {
      readPrice: () => model.readPrice(),
      answerObject: () => {
        isAsked = true;
        return new Promise<never>(() => undefined);
      },
    });
    void ask(makeContext(), hanging);
    while (!isAsked) await new Promise((done) => setImmediate(done));
    const before = await spent();
    // Thirty-two thousand tokens at 10 USD for a million, and what was read.
    expect(before.costUsd).toBeGreaterThan(0.32);
    expect(before.costUsd).toBeLessThan(0.35);
    server.script = (seen) => answerWith(seen, { decision: 'yes' });
    await ask();
    expect(await failures()).toMatchObject([{ why: 'call-cut-off', isAtMost: true, usage: before }]);
    const paid = (await spent()).costUsd - before.costUsd;
    expect(paid).toBeCloseTo(0.00325);
    await ask();
    expect((await spent()).costUsd).toBeCloseTo(before.costUsd + paid);
  });

  it('is told from one that failed, of which nothing is left open', async () => {
    server.script = () => refuseWith(400);
    const code = await rejectedCode(ask());
    expect(code).toBe('model-refused');
    expect((await failures()).at(-1)?.grant).toEqual({ id: 'reviewer#1/1' });
    expect((await spent()).costUsd).toBe(0);
    expect(await rejectedCode(ask())).toBe(code);
    expect((await failures()).map(({ why }) => why)).toEqual([code, code]);
  });
});

describe('a credential that was turned away', () => {
  it('is on the ledger beside the answer, by its name', async () => {
    server.script = (seen) =>
      seen.key === 'first-secret' ? refuseWith(429) : answerWith(seen, { decision: 'yes' });
    expect((await ask()).value).toEqual({ decision: 'yes' });
    expect(await failures()).toMatchObject([
      { credential: 'first', why: 'quota-exhausted', usage: { inputTokens: 0, costUsd: 0 } },
    ]);
    expect(JSON.stringify(await world.ledger.readRun('run-1'))).not.toContain('secret');
    expect((await world.ledger.verify()).problems).toEqual([]);
  });
});
