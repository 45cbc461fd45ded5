/** The real Claude Code CLI against a scripted provider on loopback; scripts stand in only for what it never does by itself. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeWorld } from '../../../test/support/claude-world.ts';
import { answerWith, refuseToAnswer, refuseWith } from '../../../test/support/scripted-provider.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { Model, ModelRequest, SpentAttempt } from '../../ports/model.ts';
import { makeClaudeCodeModel } from './claude-code-model.ts';

const canary = 'sk-ant-canary-0123456789';
const token = 'sk-ant-oat-canary-0123456789';

let world: ClaudeWorld;
let spent: SpentAttempt[] = [];

beforeEach(async () => {
  world = await new ClaudeWorld().open();
  spent = [];
});
afterEach(() => world.close());

const request: ModelRequest = {
  role: 'drafter',
  call: 1,
  instructions: 'You write issues.',
  messages: [
    { role: 'user', content: 'The brief, with "quotes" and $(commands).' },
    { role: 'user', content: 'And a remark.' },
  ],
  onSpent: (attempt) => spent.push(attempt),
};

function make(
  options: {
    path?: string;
    model?: string;
    limit?: number;
    env?: Record<string, string>;
    settings?: 'user' | 'none';
  } = {},
): Model {
  return makeClaudeCodeModel({
    model: options.model ?? 'claude-sonnet-4-5',
    environment: world.environment({ ANTHROPIC_API_KEY: canary, ...options.env }, options.path),
    folder: join(world.folder, 'empty'),
    settings: options.settings ?? 'none',
    clock: world.clock,
    limits: world.limits,
    limitMilliseconds: options.limit ?? 30_000,
  });
}

const keysSeen = () => world.server.seen.map(({ key }) => key);

describe('the real CLI', () => {
  it('answers in text, with usage, cost and the reported model; it gets the prompt and no tools', async () => {
    world.server.script = (seen) => answerWith(seen, '# A draft');
    const answer = await make().answerText(request);
    expect(answer).toMatchObject({
      value: '# A draft',
      reportedModel: 'claude-sonnet-4-5',
      usage: { inputTokens: 1000, outputTokens: 200, turns: 1 },
    });
    expect(answer.usage.costUsd).toBeGreaterThan(0);
    const body = JSON.parse(world.server.seen[0]?.text ?? '{}') as { tools?: unknown[]; model: string };
    expect(body.tools ?? []).toEqual([]);
    expect(body.model).toBe('claude-sonnet-4-5');
    expect(JSON.stringify(body)).toContain('You write issues.');
    expect(JSON.stringify(body)).toContain('$(commands).\\n\\nAnd a remark.');
    expect(readdirSync(join(world.folder, 'empty'))).toEqual([]);
  });

  it('chooses the model itself when asked for the default', async () => {
    world.server.script = (seen) => answerWith(seen, '# A draft');
    expect((await make({ model: 'default' }).answerText(request)).reportedModel).toMatch(/^claude-/u);
  });

  it.each([
    [429, 'quota-exhausted'],
    [401, 'model-not-authenticated'],
    [404, 'model-unknown'],
    [400, 'model-refused'],
    [529, 'model-unavailable'],
  ] as const)('status %i is %s, read from a field', async (status, code) => {
    world.server.script = () =>
      refuseWith(status, { 'retry-after': '0', 'x-should-retry': 'false' }, { message: canary });
    const failure = await make()
      .answerText(request)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    if (status === 429) expect(failure).toMatchObject({ until: '2026-11-15T10:15:00.000Z' });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(canary);
    expect(spent).toMatchObject([{ credential: 'ANTHROPIC_API_KEY', why: code, usage: { inputTokens: 0 } }]);
  });

  it('a provider that is not reached has no status, and doctor is named', async () => {
    const model = make();
    await world.server.stop();
    const failure: unknown = await model.answerText(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'model-unavailable',
      message: expect.stringMatching(
        /^claude:claude-sonnet-4-5 got no answer from its provider at http:\/\/127\.0\.0\.1:\d+\.$/u,
      ) as string,
      hint: expect.stringContaining('gatewright doctor') as string,
    });
    await world.server.start();
  });

  it('a refusal is one, and what it cost is told', async () => {
    world.server.script = refuseToAnswer;
    expect(await rejectedCode(make().answerText(request))).toBe('model-refused');
    expect(spent).toMatchObject([{ why: 'model-refused', reportedModel: 'claude-sonnet-4-5' }]);
    expect(spent[0]?.usage.inputTokens).toBeGreaterThanOrEqual(1000);
    expect(spent[0]?.usage.costUsd).toBeGreaterThan(0);
  });

  it('says before it is asked anything that no account is logged in', async () => {
    const why = await make({ env: { ANTHROPIC_API_KEY: '' } }).checkReady();
    expect(why).toContain('not logged in: run "claude auth login"');
    expect(await make().checkReady()).toBeNull();
    expect(keysSeen()).toEqual([]);
  });

  it('without any login it says so', async () => {
    const failure = await make({ env: { ANTHROPIC_API_KEY: '' } })
      .answerText(request)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'model-not-authenticated' });
    expect(keysSeen()).toEqual([]);
  });

  it.each([
    ['the path of a file', (file: string) => `Look at @${file} please.`],
    ['a command of the CLI', () => '/compact everything'],
  ])('%s in a brief is text and nothing else', async (_, write) => {
    const file = join(world.folder, 'diary.txt');
    writeFileSync(file, 'dear diary');
    world.server.script = (seen) => answerWith(seen, '# A draft');
    const content = write(file);
    await make().answerText({ ...request, messages: [{ role: 'user', content }] });
    expect(world.server.seen.length).toBe(1);
    expect(world.server.seen[0]?.text).toContain(content);
    expect(world.server.seen[0]?.text).not.toContain('dear diary');
  });

  it('silence ends at the limit', async () => {
    world.server.script = () => 'silence';
    expect(await rejectedCode(make({ limit: 1_500 }).answerText(request))).toBe('model-unavailable');
  });
});

describe('two credentials', () => {
  const env = { CLAUDE_CODE_OAUTH_TOKEN: token };

  it('the subscription comes first, though the CLI itself would prefer the key', async () => {
    world.server.script = (seen) => answerWith(seen, '# A draft');
    await make({ env }).answerText(request);
    expect([keysSeen(), spent]).toEqual([[token], []]);
  });

  it.each([
    [429, 'quota-exhausted'],
    [401, 'model-not-authenticated'],
    [404, 'model-unknown'],
    [529, 'model-unavailable'],
  ] as const)('status %i: the key answers, and both are told', async (status, why) => {
    world.server.script = (seen) =>
      seen.key === token ? refuseWith(status, { 'x-should-retry': 'false' }) : answerWith(seen, '# A draft');
    expect((await make({ env }).answerText(request)).value).toBe('# A draft');
    expect(new Set(keysSeen())).toEqual(new Set([token, canary]));
    expect(spent).toMatchObject([{ credential: 'CLAUDE_CODE_OAUTH_TOKEN', why }]);
  });

  it.each([
    [400, 'model-refused'],
    [null, 'model-refused'],
  ] as const)(
    'status %o speaks of the question and not of who asks: the key is not used',
    async (status, code) => {
      world.server.script = (seen) =>
        status === null ? refuseToAnswer(seen) : refuseWith(status, { 'x-should-retry': 'false' });
      expect(await rejectedCode(make({ env }).answerText(request))).toBe(code);
      expect(new Set(keysSeen())).toEqual(new Set([token]));
    },
  );

  it('a program that breaks before anybody said anything is tried with the key', async () => {
    const result = {
      ...{ type: 'result', subtype: 'success', is_error: false, result: '# A draft', num_turns: 1 },
      modelUsage: { 'claude-sonnet-4-5': { outputTokens: 50 } },
    };
    const path = world.script(
      `[ -n "$CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR" ] && exit 7; echo '${JSON.stringify(result)}'`,
    );
    expect((await make({ env, path }).answerText(request)).value).toBe('# A draft');
    expect(spent).toMatchObject([{ credential: 'CLAUDE_CODE_OAUTH_TOKEN', why: 'model-unusable-answer' }]);
  });

  it('silence after the first was turned away: both are told', async () => {
    world.server.script = (seen) =>
      seen.key === token ? refuseWith(429, { 'x-should-retry': 'false' }) : 'silence';
    expect(await rejectedCode(make({ env, limit: 8_000 }).answerText(request))).toBe('model-unavailable');
    expect(spent.map(({ credential, why }) => [credential, why])).toEqual([
      ['CLAUDE_CODE_OAUTH_TOKEN', 'quota-exhausted'],
      ['ANTHROPIC_API_KEY', 'model-unavailable'],
    ]);
  });

  it('a subscription that said when it comes back is left alone until then, by every process', async () => {
    const reset = Date.parse('2026-11-15T13:00:00.000Z');
    world.server.script = (seen) =>
      seen.key === token
        ? refuseWith(429, {
            'x-should-retry': 'false',
            'anthropic-ratelimit-unified-status': 'rejected',
            'anthropic-ratelimit-unified-reset': String(reset / 1000),
          })
        : refuseWith(429, { 'x-should-retry': 'false' });
    const failure = await make({ env })
      .answerText(request)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'quota-exhausted', until: '2026-11-15T10:15:00.000Z' });
    const before = keysSeen().length;

    world.time = new Date('2026-11-15T10:14:00.000Z');
    expect(await rejectedCode(make({ env }).answerText(request))).toBe('quota-exhausted');
    expect(keysSeen().length).toBe(before);

    world.server.script = (seen) => answerWith(seen, '# A draft');
    world.time = new Date('2026-11-15T10:16:00.000Z');
    await make({ env }).answerText(request);
    world.time = new Date('2026-11-15T13:00:01.000Z');
    await make({ env }).answerText(request);
    expect(keysSeen().slice(before)).toEqual([canary, token]);
  });
});

describe('around the CLI', () => {
  it('gives it an allow-list of variables: no token of a forge', async () => {
    const path = world.script(
      `env > ${join(world.folder, 'env')}; pwd > ${join(world.folder, 'pwd')}; exit 1`,
    );
    const env = { GITHUB_TOKEN: 'gh-canary', GH_TOKEN: 'gh-canary', GEMINI_API_KEY: 'g-canary', LANG: 'C' };
    expect(await rejectedCode(make({ path, env }).answerText(request))).toBe('model-unusable-answer');
    const seen = readFileSync(join(world.folder, 'env'), 'utf8');
    expect(seen).not.toMatch(/canary/u);
    expect(seen).toContain('LANG=C');
    expect(readFileSync(join(world.folder, 'pwd'), 'utf8').trim().endsWith('/empty')).toBe(true);
  });

  it('kills one that hangs, and does not wait for what it left behind', async () => {
    const path = world.script('trap "" TERM; sleep 300 & wait');
    expect(await rejectedCode(make({ path, limit: 200 }).answerText(request))).toBe('model-unavailable');
  });

  it('another model than Claude is not believed', async () => {
    const result = {
      ...{ type: 'result', subtype: 'success', is_error: false, result: 'x', num_turns: 1 },
      modelUsage: { 'claude-haiku-4-5': { outputTokens: 5 }, 'llama-3': { outputTokens: 50 } },
    };
    const path = world.script(`echo '${JSON.stringify(result)}'`);
    expect(await rejectedCode(make({ path }).answerText(request))).toBe('model-mismatch');
  });

  it('is ready when the program is there', async () => {
    expect(await make().checkReady()).toBeNull();
    const nowhere = make({ env: { PATH: world.folder } });
    expect(await nowhere.checkReady()).toContain('not installed');
    const failure = await nowhere.answerText(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      ...{ code: 'model-not-installed', retry: 'after-human' },
      message: expect.stringContaining('no program "claude" in PATH'),
      hint: expect.stringContaining('Install the Claude Code CLI'),
    });
  });
});
