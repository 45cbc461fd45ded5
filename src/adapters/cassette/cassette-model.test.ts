/** A replay never guesses: an answer is given for exactly the request it was recorded for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../domain/ledger/hash.ts';
import { GatewrightError } from '../../errors.ts';
import type { ModelRequest, SpentAttempt } from '../../ports/model.ts';
import { openCassette } from './cassette.ts';
import { makeCassetteModel, requestText } from './cassette-model.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-cassette-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const request: ModelRequest = {
  role: 'drafter',
  call: 1,
  instructions: 'Write an issue.',
  messages: [{ role: 'user', content: 'The brief: export reports.' }],
};

const cassette = {
  format: 'gatewright-cassette/1',
  about: 'a test',
  models: {
    drafter: { name: 'claude-sonnet', title: 'Claude' },
    reviewer: { name: 'gemini-pro', title: 'Gemini' },
  },
  calls: [
    {
      role: 'drafter',
      call: 1,
      request: { includes: ['export reports', 'Write an issue'] },
      answer: { text: ['# T', '', 'x'] },
    },
    {
      role: 'drafter',
      call: 2,
      request: { sha256: sha256(requestText({ ...request, call: 2 })) },
      answer: { text: 'two' },
      usage: { inputTokens: 5, costUsd: 0.5 },
    },
    { role: 'reviewer', call: 1, request: { includes: ['export'] }, answer: { object: { ok: true } } },
    { role: 'reviewer', call: 2, request: { includes: ['export'] }, answer: { object: { ok: 'yes' } } },
  ],
};

function write(content: unknown): string {
  const path = join(folder, 'cassette.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function failureOf(work: () => unknown): Promise<GatewrightError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof GatewrightError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const schema = z.object({ ok: z.boolean() });

describe('makeCassetteModel', () => {
  it('answers the request that it was written for, with lines joined', async () => {
    const model = makeCassetteModel(write(cassette), 'drafter');
    expect(model).toMatchObject({
      name: 'cassette:claude-sonnet',
      family: 'claude',
      title: 'Claude (recorded)',
    });
    expect(await model.checkReady()).toBeNull();
    expect(await model.answerText(request)).toEqual({
      value: '# T\n\nx',
      reportedModel: 'claude-sonnet',
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 1 },
    });
  });

  it('answers the request with the recorded hash, for nothing, whatever the recording cost', async () => {
    const model = makeCassetteModel(write(cassette), 'drafter');
    expect(await model.answerText({ ...request, call: 2 })).toMatchObject({
      value: 'two',
      usage: { inputTokens: 5, outputTokens: 0, costUsd: 0, turns: 1 },
    });
  });

  it('answers in a schema', async () => {
    const model = makeCassetteModel(write(cassette), 'reviewer');
    expect((await model.answerObject({ ...request, role: 'reviewer' }, schema)).value).toEqual({ ok: true });
  });

  it.each<[string, Partial<ModelRequest>, string]>([
    ['no such call', { call: 9 }, 'no such call'],
    ['no such role', { role: 'poet' }, 'no such call'],
    [
      'a text that is missing',
      { messages: [{ role: 'user', content: 'The brief: import.' }] },
      '"export reports"',
    ],
    ['instructions that changed', { instructions: 'Write a poem.' }, '"Write an issue"'],
    [
      'one letter more than was recorded',
      { call: 2, instructions: 'Write an issue!' },
      'not the one that was recorded',
    ],
    [
      'one message more than was recorded',
      { call: 2, messages: [...request.messages, { role: 'user', content: '' }] },
      'not the one that was recorded',
    ],
    [
      'another speaker than was recorded',
      { call: 2, messages: [{ role: 'assistant', content: 'The brief: export reports.' }] },
      'not the one that was recorded',
    ],
  ])('refuses %s', async (_, change, words) => {
    const model = makeCassetteModel(write(cassette), 'drafter');
    const failure = await failureOf(() => model.answerText({ ...request, ...change }));
    expect(failure.code).toBe('cassette-mismatch');
    expect(failure.message).toContain(words);
  });

  it('needs the hash and the texts to be right when both are given', async () => {
    const both = { sha256: sha256(requestText(request)), includes: ['nowhere'] };
    const model = makeCassetteModel(
      write({ ...cassette, calls: [{ ...cassette.calls[0], request: both }] }),
      'drafter',
    );
    expect((await failureOf(() => model.answerText(request))).code).toBe('cassette-mismatch');
  });

  it('does not hash what no provider sees', () => {
    expect(requestText({ ...request, material: { brief: 'x' } })).toBe(requestText(request));
  });

  it('does not take an object for a text, nor a text for an object', async () => {
    const path = write(cassette);
    const text = await failureOf(() =>
      makeCassetteModel(path, 'reviewer').answerText({ ...request, role: 'reviewer' }),
    );
    expect([text.code, text.message]).toEqual([
      'cassette-mismatch',
      expect.stringContaining('an object, not a text'),
    ]);
    const object = await failureOf(() => makeCassetteModel(path, 'drafter').answerObject(request, schema));
    expect([object.code, object.message]).toEqual([
      'cassette-mismatch',
      expect.stringContaining('a text, not an object'),
    ]);
  });

  it('reports an answer outside the schema as unusable, with what is wrong', async () => {
    const model = makeCassetteModel(write(cassette), 'reviewer');
    const spent: SpentAttempt[] = [];
    const onSpent = (attempt: SpentAttempt) => spent.push(attempt);
    const failure = await failureOf(() =>
      model.answerObject({ ...request, role: 'reviewer', call: 2, onSpent }, schema),
    );
    expect(failure.code).toBe('model-unusable-answer');
    expect(spent).toMatchObject([{ why: 'model-unusable-answer', usage: { costUsd: 0, turns: 1 } }]);
    expect(failure.details).toEqual([expect.stringMatching(/^ok: /u)]);
  });

  it.each(['poet', 'constructor'])('refuses a role that the cassette has no model for: %s', async (role) => {
    expect((await failureOf(() => makeCassetteModel(write(cassette), role))).code).toBe('cassette-invalid');
  });
});

describe('openCassette', () => {
  it.each([
    ['missing', () => join(folder, 'nowhere.json')],
    ['a folder', () => folder],
    ['not JSON', () => write('{')],
    ['empty', () => write('')],
  ])('refuses a file that is %s', async (_, path) => {
    const failure = await failureOf(() => openCassette(path(), 'drafter'));
    expect([failure.code, failure.cause instanceof Error]).toEqual(['cassette-invalid', true]);
  });

  it('lists all that is wrong at once', async () => {
    const wrong = {
      format: 'gatewright-cassette/9',
      models: { drafter: { name: '', title: 'x' } },
      extra: 1,
      calls: [
        { role: '', call: 0, request: { includes: ['x'] }, answer: { text: 'x' } },
        { role: 'drafter', call: 1, request: { sha256: 'abc' }, answer: { text: 'x' } },
        { role: 'drafter', call: 1, request: {}, answer: { text: 'x' } },
        { role: 'drafter', call: 1, request: { includes: ['x'] }, answer: { words: 'x' } },
        {
          role: 'drafter',
          call: 1,
          request: { includes: ['x'] },
          answer: { text: 'x' },
          usage: { costUsd: -1 },
        },
      ],
    };
    const { code, details } = await failureOf(() => openCassette(write(wrong), 'drafter'));
    expect(code).toBe('cassette-invalid');
    const places = details.map((line) => line.slice(0, line.indexOf(':'))).sort();
    expect(places).toEqual([
      '(file)',
      'about',
      'calls.0.call',
      'calls.0.role',
      'calls.1.request.sha256',
      'calls.2.request',
      'calls.3.answer',
      'calls.4.usage.costUsd',
      'format',
      'models.drafter.name',
    ]);
  });

  it.each([
    ['no check at all', {}],
    ['an empty list of texts', { includes: [] }],
    ['an empty text', { includes: [''] }],
    ['a hash in capitals', { sha256: 'A'.repeat(64) }],
  ])('refuses a request with %s', async (_, wanted) => {
    const calls = [{ role: 'drafter', call: 1, request: wanted, answer: { text: 'x' } }];
    expect((await failureOf(() => openCassette(write({ ...cassette, calls }), 'drafter'))).code).toBe(
      'cassette-invalid',
    );
  });

  it('refuses an answer that is both a text and an object', async () => {
    const calls = [
      { role: 'drafter', call: 1, request: { includes: ['x'] }, answer: { text: 'x', object: {} } },
    ];
    expect((await failureOf(() => openCassette(write({ ...cassette, calls }), 'drafter'))).code).toBe(
      'cassette-invalid',
    );
  });
});
