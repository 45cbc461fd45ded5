/** The real Claude Code CLI against a scripted provider on loopback; scripts stand in only for what it never does by itself. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWith, refuseWith, ScriptedProvider } from '../../../test/support/scripted-provider.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { Model, ModelRequest } from '../../ports/model.ts';
import { makeClaudeCodeModel } from './claude-code-model.ts';
import { readResult } from './read-result.ts';

const binaries = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin');
const canary = 'sk-ant-canary-0123456789';

let server: ScriptedProvider;
let folder = '';

beforeEach(async () => {
  server = await new ScriptedProvider().start();
  folder = mkdtempSync(join(tmpdir(), 'gw-claude-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const request: ModelRequest = {
  role: 'drafter',
  call: 1,
  instructions: 'You write issues.',
  messages: [
    { role: 'user', content: 'The brief, with "quotes" and $(commands).' },
    { role: 'user', content: 'And a remark.' },
  ],
};

function make(
  options: { path?: string; model?: string; limit?: number; env?: Record<string, string> } = {},
): Model {
  return makeClaudeCodeModel({
    model: options.model ?? 'claude-sonnet-4-5',
    environment: {
      PATH: [options.path ?? binaries, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      CLAUDE_CONFIG_DIR: join(folder, 'config'),
      ANTHROPIC_API_KEY: canary,
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
      ...options.env,
    },
    folder: join(folder, 'empty'),
    clock: { now: () => new Date('2026-11-15T10:00:00.000Z') },
    limitMilliseconds: options.limit ?? 30_000,
  });
}

/** A stand-in for the CLI. */
function script(text: string): string {
  const path = join(folder, 'bin');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'claude'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

describe('the real CLI', () => {
  it('answers in text, with usage, cost and the reported model; it gets the prompt and no tools', async () => {
    server.script = (seen) => answerWith(seen, '# A draft');
    const answer = await make().answerText(request);
    expect(answer).toMatchObject({
      value: '# A draft',
      reportedModel: 'claude-sonnet-4-5',
      usage: { inputTokens: 1000, outputTokens: 200, turns: 1 },
    });
    expect(answer.usage.costUsd).toBeGreaterThan(0);
    const body = JSON.parse(server.seen[0]?.text ?? '{}') as { tools?: unknown[]; model: string };
    expect(body.tools ?? []).toEqual([]);
    expect(body.model).toBe('claude-sonnet-4-5');
    expect(JSON.stringify(body)).toContain('You write issues.');
    expect(JSON.stringify(body)).toContain('$(commands).\\n\\nAnd a remark.');
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
  });

  it('chooses the model itself when asked for the default', async () => {
    server.script = (seen) => answerWith(seen, '# A draft');
    expect((await make({ model: 'default' }).answerText(request)).reportedModel).toMatch(/^claude-/u);
  });

  it.each([
    [429, 'quota-exhausted'],
    [401, 'model-not-authenticated'],
    [404, 'model-unknown'],
    [400, 'model-refused'],
    [529, 'model-unavailable'],
  ])('status %i is %s, read from a field', async (status, code) => {
    server.script = () =>
      refuseWith(status, { 'retry-after': '0', 'x-should-retry': 'false' }, { message: canary });
    const failure = await make()
      .answerText(request)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    if (status === 429) expect(failure).toMatchObject({ until: '2026-11-15T10:15:00.000Z' });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(canary);
  });

  it('silence ends at the limit', async () => {
    server.script = () => 'silence';
    expect(await rejectedCode(make({ limit: 1_500 }).answerText(request))).toBe('model-unavailable');
  });
});

describe('around the CLI', () => {
  it('gives it an allow-list of variables: no token of a forge', async () => {
    const path = script(`env > ${join(folder, 'env')}; pwd > ${join(folder, 'pwd')}; exit 1`);
    const env = { GITHUB_TOKEN: 'gh-canary', GH_TOKEN: 'gh-canary', GEMINI_API_KEY: 'g-canary', LANG: 'C' };
    expect(await rejectedCode(make({ path, env }).answerText(request))).toBe('model-unusable-answer');
    const seen = readFileSync(join(folder, 'env'), 'utf8');
    expect(seen).not.toMatch(/gh-canary|g-canary/u);
    expect(seen).toContain('LANG=C');
    expect(readFileSync(join(folder, 'pwd'), 'utf8').trim().endsWith('/empty')).toBe(true);
  });

  it('kills one that hangs, and does not wait for what it left behind', async () => {
    const path = script('trap "" TERM; sleep 30 & wait');
    const began = Date.now();
    expect(await rejectedCode(make({ path, limit: 200 }).answerText(request))).toBe('model-unavailable');
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  it('another model than Claude is not believed', async () => {
    const result = {
      ...{ type: 'result', subtype: 'success', is_error: false, result: 'x', num_turns: 1 },
      modelUsage: { 'claude-haiku-4-5': { outputTokens: 5 }, 'llama-3': { outputTokens: 50 } },
    };
    const path = script(`echo '${JSON.stringify(result)}'`);
    expect(await rejectedCode(make({ path }).answerText(request))).toBe('model-mismatch');
  });

  it('is ready when the program is there', async () => {
    expect(await make().checkReady()).toBeNull();
    const nowhere = make({ env: { PATH: folder } });
    expect(await nowhere.checkReady()).toContain('not installed');
    expect(await rejectedCode(nowhere.answerText(request))).toBe('model-unavailable');
  });

  it('gives no verdicts', async () => {
    expect(
      await rejectedCode(make().answerObject({ ...request, role: 'reviewer' }, undefined as never)),
    ).toBe('model-unknown');
  });
});

describe('readResult', () => {
  const base = { type: 'result', subtype: 'success', is_error: false, result: 'text' };
  it.each([
    ['garbage', 'not JSON'],
    ['another object', '{"type":"system"}'],
    [
      'turns that ran out, which has no result',
      { ...base, subtype: 'error_max_turns', is_error: true, result: undefined },
    ],
    ['an error while running', { ...base, subtype: 'error_during_execution', is_error: true }],
    ['an empty result', { ...base, result: ' ' }],
  ])('%s cannot be used', (_, output) => {
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    expect(readResult(text).kind).toBe('unusable');
  });

  it('an API error is told by is_error, not by its subtype or text', () => {
    expect(readResult(JSON.stringify({ ...base, is_error: true, api_error_status: 529 }))).toMatchObject({
      kind: 'api-error',
      status: 529,
    });
    expect(readResult(JSON.stringify({ ...base, result: 'API Error: 529' })).kind).toBe('answered');
  });
});
