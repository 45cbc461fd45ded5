/** The real SDKs against a scripted provider on loopback: answers, rotation, back-off, and everything that goes wrong. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answerWith,
  type Reply,
  refuseWith,
  ScriptedProvider,
} from '../../../test/support/scripted-provider.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { Credential, Provider } from '../../domain/models/credential.ts';
import { costOf } from '../../domain/models/model-price.ts';
import { GatewrightError } from '../../errors.ts';
import type { Model, ModelRequest, SpentAttempt } from '../../ports/model.ts';
import { openDatabase, type SqliteDatabase } from '../sqlite/database.ts';
import { SqliteCredentialLimits } from '../sqlite/sqlite-credential-limits.ts';
import { makeAiSdkModel } from './ai-sdk-model.ts';

let server: ScriptedProvider;
let slept: number[] = [];
let folder = '';
let database: SqliteDatabase;
let spent: SpentAttempt[] = [];
let time = Date.parse('2026-11-15T10:00:00.000Z');

beforeEach(async () => {
  server = await new ScriptedProvider().start();
  folder = mkdtempSync(join(tmpdir(), 'gw-ai-sdk-'));
  database = openDatabase(join(folder, 'gatewright.db'));
  spent = [];
  slept = [];
  time = Date.parse('2026-11-15T10:00:00.000Z');
});
afterEach(async () => {
  await server.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const request: ModelRequest = {
  role: 'drafter',
  call: 1,
  instructions: 'Be brief.',
  messages: [{ role: 'user', content: 'The brief.' }],
  onSpent: (attempt) => spent.push(attempt),
};
const schema = z.object({ decision: z.enum(['yes', 'no']), why: z.string().max(20) });

const models: Readonly<Record<Provider, string>> = {
  google: 'gemini-2.5-pro',
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
};

function make(provider: Provider, keys: readonly string[] = ['key-a'], limitMilliseconds = 20_000): Model {
  const path = { google: '/v1beta', anthropic: '/v1', openai: '/v1' }[provider];
  return makeAiSdkModel({
    provider,
    model: models[provider],
    credentials: keys.map((key, index): Credential => ({ name: `credential ${index + 1}`, provider, key })),
    credentialsFile: '/etc/credentials.json',
    baseUrl: `${server.url}${path}`,
    clock: {
      now: () => new Date(time),
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
        time += milliseconds;
      },
    },
    limits: new SqliteCredentialLimits(database, { now: () => new Date(time) }),
    limitMilliseconds,
  });
}

async function failureOf(work: Promise<unknown>): Promise<GatewrightError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GatewrightError) return error;
  throw new Error(`expected a GatewrightError, got ${String(error)}`);
}

const keysSeen = () => server.seen.map(({ key }) => key);

describe.each(['google', 'anthropic', 'openai'] as const)('%s', (provider) => {
  it('answers in text, with usage, cost and the reported model', async () => {
    server.script = (seen) => answerWith(seen, 'A draft.', `${models[provider]}-0901`);
    const model = make(provider);
    const answer = await model.answerText(request);
    expect(answer).toMatchObject({
      value: 'A draft.',
      reportedModel: `${models[provider]}-0901`,
      usage: { inputTokens: 1000, outputTokens: 200, turns: 1 },
    });
    const price = await model.readPrice();
    expect(answer.usage.costUsd).toBeCloseTo(
      costOf(price, { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0 }),
    );
    expect(answer.usage.costUsd).toBeGreaterThan(0);
    expect(server.seen[0]).toMatchObject({ provider, key: 'key-a', model: models[provider] });
    expect(server.seen[0]?.text).toContain('Be brief.');
    expect(server.seen[0]?.text).toContain('The brief.');
  });

  it('answers in a schema, which the provider is told', async () => {
    server.script = (seen) => answerWith(seen, { decision: 'yes', why: 'short' });
    const answer = await make(provider).answerObject(request, schema);
    expect(answer.value).toEqual({ decision: 'yes', why: 'short' });
    expect(server.seen[0]?.text).toContain('"decision"');
  });

  it.each([
    ['an object outside the schema', { decision: 'perhaps', why: 'short' }],
    ['an object that is too long', { decision: 'yes', why: 'x'.repeat(21) }],
    ['no JSON', 'I would say yes.'],
  ])('%s is an unusable answer, and is not asked for again', async (_, content) => {
    server.script = (seen) => answerWith(seen, content);
    expect(await rejectedCode(make(provider).answerObject(request, schema))).toBe('model-unusable-answer');
    expect(server.seen.length).toBe(1);
    const usage = { inputTokens: 1000, outputTokens: 200, turns: 1 };
    expect(spent).toMatchObject([{ credential: 'credential 1', why: 'model-unusable-answer', usage }]);
    expect(spent[0]?.usage.costUsd).toBeGreaterThan(0);
  });

  it.each([
    ['garbage', { body: '<html>not what you think' }],
    ['an empty object', { body: '{}' }],
    ['nothing', { body: '' }],
  ] satisfies [string, Reply][])('%s is an unusable answer', async (_, reply) => {
    server.script = () => reply;
    expect(await rejectedCode(make(provider).answerText(request))).toBe('model-unusable-answer');
  });

  it('a page instead of an answer is told with its address, without the key', async () => {
    server.script = () => ({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<p>Log in</p>',
    });
    const { code, message } = await failureOf(make(provider).answerText(request));
    expect(code).toBe('model-unusable-answer');
    expect(message).toContain(`the answer could not be read: ${server.url}/`);
    expect(message).toMatch(/ sent text\/html instead of JSON/u);
    for (const key of keysSeen()) expect(message).not.toContain(key);
  });

  it('an empty text is an unusable answer', async () => {
    server.script = (seen) => answerWith(seen, ' ');
    expect(await rejectedCode(make(provider).answerText(request))).toBe('model-unusable-answer');
  });

  it('another model than the one asked for is not believed', async () => {
    server.script = (seen) => answerWith(seen, 'A draft.', 'llama-3-8b');
    const failure = await failureOf(make(provider).answerText(request));
    expect(failure.code).toBe('model-mismatch');
    expect(failure.message).toContain('llama-3-8b');
    expect(spent).toMatchObject([{ reportedModel: 'llama-3-8b', usage: { inputTokens: 1000 } }]);
  });

  it('a smaller model of the same name is not believed', async () => {
    const smaller = { google: 'gemini-2.5-flash', anthropic: 'claude-haiku-4-5', openai: 'gpt-5-nano' };
    server.script = (seen) => answerWith(seen, 'A draft.', smaller[provider]);
    const failure = await failureOf(make(provider).answerText(request));
    expect(failure.code).toBe('model-mismatch');
    expect(failure.message).toContain(smaller[provider]);
  });

  it('out of quota: the next credential is used, and stays in use', async () => {
    server.script = (seen) => (seen.key === 'key-a' ? refuseWith(429) : answerWith(seen, 'A draft.'));
    const model = make(provider, ['key-a', 'key-b']);
    expect((await model.answerText(request)).value).toBe('A draft.');
    await model.answerText(request);
    expect(keysSeen()).toEqual(['key-a', 'key-b', 'key-b']);
    expect(slept).toEqual([]);
    expect(spent.map(({ credential, why }) => [credential, why])).toEqual([
      ['credential 1', 'quota-exhausted'],
    ]);
  });

  it('out of quota: the next process knows it, until the time has come or the key is another', async () => {
    server.script = (seen) =>
      seen.key === 'key-a' ? refuseWith(429, { 'retry-after': '3600' }) : answerWith(seen, 'A draft.');
    await failureOf(make(provider).answerText(request));
    const failure = await failureOf(make(provider).answerText(request));
    expect([failure.code, failure.until]).toEqual(['quota-exhausted', '2026-11-15T11:00:00.000Z']);
    expect(keysSeen()).toEqual(['key-a']);
    await make(provider, ['key-new']).answerText(request);
    time += 3_600_000;
    server.script = (seen) => answerWith(seen, 'A draft.');
    await make(provider).answerText(request);
    expect(keysSeen()).toEqual(['key-a', 'key-new', 'key-a']);
    const kept = JSON.stringify(database.prepare('SELECT * FROM credential_limits').all());
    expect(kept).not.toContain('key-a');
  });

  it.each([503, 529])('overloaded (%i): the same credential waits and tries again', async (status) => {
    server.script = (seen, index) => (index < 2 ? refuseWith(status) : answerWith(seen, 'A draft.'));
    expect((await make(provider, ['key-a', 'key-b']).answerText(request)).value).toBe('A draft.');
    expect(keysSeen()).toEqual(['key-a', 'key-a', 'key-a']);
    expect(slept).toEqual([2000, 8000]);
  });

  it('overloaded three times: unavailable, to be tried later', async () => {
    server.script = () => refuseWith(503);
    const failure = await failureOf(make(provider, ['key-a', 'key-b']).answerText(request));
    expect([failure.code, failure.retry]).toEqual(['model-unavailable', 'later']);
    expect(keysSeen()).toEqual(['key-a', 'key-a', 'key-a']);
  });

  it('cut off before an answer: the same credential waits and tries again, which is told', async () => {
    server.script = (seen, index) => (index < 2 ? 'reset' : answerWith(seen, 'A draft.'));
    expect((await make(provider, ['key-a', 'key-b']).answerText(request)).value).toBe('A draft.');
    expect(keysSeen()).toEqual(['key-a', 'key-a', 'key-a']);
    expect(slept).toEqual([2000, 8000]);
    const told = { credential: 'credential 1', why: 'model-unavailable', reportedModel: '' };
    expect(spent).toMatchObject([told, told]);
  });

  it('cut off three times: unavailable, to be tried later', async () => {
    server.script = () => 'reset';
    const failure = await failureOf(make(provider).answerText(request));
    expect([failure.code, failure.retry]).toEqual(['model-unavailable', 'later']);
    expect(failure.message).toContain('the connection was cut off');
    expect(keysSeen()).toEqual(['key-a', 'key-a', 'key-a']);
    expect(spent).toHaveLength(2);
  });

  it('cut off in the middle of an answer: not asked again, because it is paid for', async () => {
    server.script = () => 'cut';
    const failure = await failureOf(make(provider).answerText(request));
    expect(failure.code).toMatch(/^model-(?:unavailable|unusable-answer)$/u);
    expect(keysSeen()).toEqual(['key-a']);
    expect(slept).toEqual([]);
  });

  it.each([401, 403])('rejected (%i): the credential is never used again', async (status) => {
    server.script = (seen) => (seen.key === 'key-a' ? refuseWith(status) : answerWith(seen, 'A draft.'));
    const model = make(provider, ['key-a', 'key-b']);
    await model.answerText(request);
    time += 365 * 24 * 3_600_000;
    await model.answerText(request);
    expect(keysSeen()).toEqual(['key-a', 'key-b', 'key-b']);
  });

  it('all rejected: says which, and asks for a person', async () => {
    server.script = () => refuseWith(401);
    const failure = await failureOf(make(provider, ['key-a', 'key-b']).answerText(request));
    expect([failure.code, failure.retry]).toEqual(['model-not-authenticated', 'after-human']);
    expect(failure.details.join()).toContain('credential 2');
  });

  it('all out of quota: carries the earliest reset, and goes on after it', async () => {
    server.script = (seen) => refuseWith(429, { 'retry-after': seen.key === 'key-a' ? '7200' : '3600' });
    const model = make(provider, ['key-a', 'key-b']);
    const failure = await failureOf(model.answerText(request));
    expect([failure.code, failure.retry, failure.until]).toEqual([
      'quota-exhausted',
      'later',
      '2026-11-15T11:00:00.000Z',
    ]);
    // Nobody is asked before that time.
    await failureOf(model.answerText(request));
    expect(keysSeen()).toEqual(['key-a', 'key-b']);
    time += 3_600_000;
    server.script = (seen) => answerWith(seen, 'A draft.');
    await model.answerText(request);
    expect(keysSeen()).toEqual(['key-a', 'key-b', 'key-b']);
  });

  it('one rejected and one out of quota is a matter of time', async () => {
    server.script = (seen) => refuseWith(seen.key === 'key-a' ? 401 : 429);
    const failure = await failureOf(make(provider, ['key-a', 'key-b']).answerText(request));
    expect([failure.code, failure.until]).toEqual(['quota-exhausted', '2026-11-15T10:01:00.000Z']);
    expect(failure.details.join()).toContain('credential 1');
  });

  it('silence ends at the limit', async () => {
    server.script = () => 'silence';
    const failure = await failureOf(make(provider, ['key-a', 'key-b'], 300).answerText(request));
    expect(failure.code).toBe('model-unavailable');
    expect(failure.message).toContain('0.3 seconds');
    expect(keysSeen()).toEqual(['key-a']);
  });

  it.each([
    [400, 'model-refused'],
    [404, 'model-unknown'],
    [413, 'model-refused'],
    [500, 'model-unavailable'],
    [502, 'model-unavailable'],
  ])('status %i is %s, after one call', async (status, code) => {
    server.script = () => refuseWith(status);
    expect(await rejectedCode(make(provider, ['key-a', 'key-b']).answerText(request))).toBe(code);
    expect(server.seen.length).toBe(1);
  });

  it('nobody listening is an outage', async () => {
    const model = make(provider);
    await server.stop();
    expect(await rejectedCode(model.answerText(request))).toBe('model-unavailable');
    await server.start();
  });

  it('no failure tells the key, even if the provider repeats it', async () => {
    const canary = 'sk-canary-0123456789';
    for (const status of [200, 400, 401, 404, 429, 500, 503]) {
      server.script = () => ({ status, body: `{"error":{"message":"the key ${canary} is bad"}}` });
      const failure = await failureOf(make(provider, [canary]).answerText(request));
      const told = [failure.message, failure.hint, failure.stack, ...failure.details, String(failure.cause)];
      expect(told.join('\n')).not.toContain(canary);
      expect(JSON.stringify(failure)).not.toContain(canary);
    }
  });

  it('is ready with a key; without one it says which variable to set', async () => {
    const variable = { google: 'GEMINI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' };
    expect(await make(provider).checkReady()).toBeNull();
    const problem = await make(provider, []).checkReady();
    expect(problem).toContain(variable[provider]);
    expect(problem).toContain('/etc/credentials.json');
    expect(await rejectedCode(make(provider, []).answerText(request))).toBe('model-not-authenticated');
    expect(server.seen).toEqual([]);
  });
});

describe('what only one provider does', () => {
  it('a smaller model of the same family is not believed', async () => {
    server.script = (seen) => answerWith(seen, 'A draft.', 'gemini-2.5-flash-lite');
    expect(await rejectedCode(make('google').answerText(request))).toBe('model-mismatch');
  });

  it('Google answers a wrong key with 400 and a reason: the credential is dropped', async () => {
    server.script = (seen) =>
      seen.key === 'key-a'
        ? refuseWith(400, {}, { details: [{ reason: 'API_KEY_INVALID' }] })
        : answerWith(seen, 'A draft.');
    await make('google', ['key-a', 'key-b']).answerText(request);
    expect(keysSeen()).toEqual(['key-a', 'key-b']);
  });

  it('an answer that was cut off is not used', async () => {
    server.script = (seen) => {
      const reply = answerWith(seen, 'Half a dra');
      return typeof reply === 'string' ? reply : { body: reply.body.replace('"end_turn"', '"max_tokens"') };
    };
    expect(await rejectedCode(make('anthropic').answerText(request))).toBe('model-unusable-answer');
  });
});
