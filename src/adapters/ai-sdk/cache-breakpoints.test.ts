/** Where Anthropic is told to cache, as it arrives on the wire; and what cached tokens cost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWith, ScriptedProvider } from '../../../test/support/scripted-provider.ts';
import type { Provider } from '../../domain/models/credential.ts';
import { noCredentialLimits } from '../../ports/credential-limits.ts';
import type { Message } from '../../ports/model.ts';
import { systemClock } from '../system/system-clock.ts';
import { makeAiSdkModel } from './ai-sdk-model.ts';
import { findBreakpoints } from './cache-breakpoints.ts';

let server: ScriptedProvider;
beforeEach(async () => {
  server = await new ScriptedProvider().start();
});
afterEach(() => server.stop());

const names: Readonly<Record<Provider, string>> = {
  google: 'gemini-2.5-pro',
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
};

function make(provider: Provider) {
  return makeAiSdkModel({
    provider,
    model: names[provider],
    credentials: [{ name: 'one', provider, key: 'key' }],
    credentialsFile: '',
    baseUrl: `${server.url}${provider === 'google' ? '/v1beta' : '/v1'}`,
    clock: systemClock,
    limits: noCredentialLimits,
    limitMilliseconds: 20_000,
  });
}

const kept = (content: string): Message => ({ role: 'user', content, isKept: true });
const passing = (content: string): Message => ({ role: 'user', content });

interface Block {
  readonly text: string;
  readonly cache_control?: { readonly type: string };
}

async function blocksSent(messages: readonly Message[]): Promise<{ system: Block[]; content: Block[] }> {
  await make('anthropic').answerText({ role: 'drafter', call: 1, instructions: 'Be brief.', messages });
  const body = JSON.parse(server.seen.at(-1)?.text ?? '') as {
    system: Block[];
    messages: { content: Block[] }[];
  };
  return { system: body.system, content: body.messages.flatMap((message) => message.content) };
}

describe('findBreakpoints', () => {
  it.each<[string, readonly Message[], number[]]>([
    ['nothing is kept', [passing('a')], []],
    ['the first alone', [kept('a')], [0]],
    ['the first with a passing end', [kept('a'), passing('x')], [0]],
    ['two', [kept('a'), kept('b'), passing('x')], [0, 1]],
    ['three', [kept('a'), kept('b'), kept('c'), passing('x')], [0, 1, 2]],
    ['many: the first and the last two', [...'abcdefgh'].map(kept), [0, 6, 7]],
  ])('%s', (_, messages, expected) => {
    expect([...findBreakpoints(messages)].sort((a, b) => a - b)).toEqual(expected);
  });
});

describe('on the wire', () => {
  it('marks the kept messages for Anthropic, never more than four, and not the last', async () => {
    const { system, content } = await blocksSent([
      ...[kept('first'), kept('one'), kept('two'), kept('three')],
      passing('draft'),
    ]);
    expect(system.map((block) => block.text)).toEqual(['Be brief.']);
    expect(content.map(({ text, cache_control: mark }) => [text, mark?.type ?? null])).toEqual([
      ['first', 'ephemeral'],
      ['one', null],
      ['two', 'ephemeral'],
      ['three', 'ephemeral'],
      ['draft', null],
    ]);
  });

  it('marks nothing in a request that is not repeated', async () => {
    await blocksSent([passing('a draft to review')]);
    expect(server.seen[0]?.text).not.toContain('cache_control');
  });

  it.each(['google', 'openai'] as const)('tells %s nothing about caches', async (provider) => {
    const messages = [kept('first'), kept('one'), passing('draft')];
    await make(provider).answerText({ role: 'drafter', call: 1, instructions: 'Be brief.', messages });
    expect(server.seen[0]?.text).not.toMatch(/cache|ephemeral/iu);
  });
});

describe('what cached tokens cost', () => {
  it('counts them as input, a read at a tenth and a write at a quarter more', async () => {
    server.script = (seen) => {
      const reply = answerWith(seen, 'A draft.');
      if (typeof reply === 'string') return reply;
      const body = JSON.parse(reply.body) as { usage: Record<string, number> };
      body.usage = {
        input_tokens: 100,
        cache_read_input_tokens: 6000,
        cache_creation_input_tokens: 400,
        output_tokens: 200,
      };
      return { ...reply, body: JSON.stringify(body) };
    };
    const { usage } = await make('anthropic').answerText({
      ...{ role: 'drafter', call: 2, instructions: 'Be brief.' },
      messages: [kept('first'), passing('draft')],
    });
    expect(usage).toMatchObject({
      inputTokens: 6500,
      outputTokens: 200,
      cacheReadTokens: 6000,
      cacheWriteTokens: 400,
    });
    expect(usage.costUsd).toBeCloseTo((100 * 3 + 6000 * 0.3 + 400 * 3.75 + 200 * 15) / 1e6, 9);
  });

  it('says nothing about caches where none was used', async () => {
    const { usage } = await make('anthropic').answerText({
      ...{ role: 'drafter', call: 1, instructions: 'Be brief.' },
      messages: [passing('draft')],
    });
    expect(Object.keys(usage).sort()).toEqual(['costUsd', 'inputTokens', 'outputTokens', 'turns']);
  });
});
