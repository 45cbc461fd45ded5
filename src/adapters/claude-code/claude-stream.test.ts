/** What the CLI's lines mean: fields decide, texts never do. */
import { describe, expect, it } from 'vitest';
import { flatPrice } from '../../domain/models/model-price.ts';
import type { CodingProgress } from '../../ports/coding-agent.ts';
import { type ClaudeConclusion, ClaudeStream } from './claude-stream.ts';

function conclude(...lines: (string | object)[]): ClaudeConclusion {
  const stream = new ClaudeStream(undefined, undefined, () => flatPrice(3, 15));
  for (const line of lines) stream.take(typeof line === 'string' ? line : JSON.stringify(line));
  return stream.conclude();
}

const base = { type: 'result', subtype: 'success', is_error: false, result: 'text', num_turns: 1 };
const message = (id: string, content: object[]) => ({
  type: 'assistant',
  message: {
    ...{ id, content, model: 'claude-sonnet-4-5' },
    usage: { input_tokens: 100, cache_read_input_tokens: 50, cache_creation_input_tokens: 10 },
  },
});

describe('the end', () => {
  it.each<[string, (string | object)[], object]>([
    ['nothing', [], { kind: 'unusable' }],
    ['garbage', ['not JSON', '{"type":', '[]', 'null', '{"type":"result"}'], { kind: 'unusable' }],
    ['another object', ['{"type":"system"}'], { kind: 'unusable' }],
    ['an answer', [base], { kind: 'answered', text: 'text' }],
    ['an answer among garbage', ['??', { type: 'unheard-of' }, base], { kind: 'answered' }],
    [
      'turns that ran out, which has no result',
      [{ ...base, subtype: 'error_max_turns', is_error: true, result: undefined }],
      { kind: 'turns-exhausted' },
    ],
    [
      'money that ran out',
      [{ ...base, subtype: 'error_max_budget_usd', is_error: true, result: undefined }],
      { kind: 'cost-exhausted' },
    ],
    ['an error while running', [{ ...base, subtype: 'error_during_execution' }], { kind: 'unusable' }],
    ['an empty result', [{ ...base, result: ' ' }], { kind: 'unusable' }],
    [
      'an API error: is_error tells, the subtype does not',
      [{ ...base, is_error: true, api_error_status: 529 }],
      { kind: 'api-error', status: 529 },
    ],
    ['a text that looks like an error', [{ ...base, result: 'API Error: 529' }], { kind: 'answered' }],
    [
      'no login: the kind of error stands in the message before',
      [
        { ...message('m', []), error: 'authentication_failed' },
        { ...base, is_error: true, api_error_status: null },
      ],
      { kind: 'api-error', status: 401 },
    ],
    ['a refusal', [{ ...base, is_error: true, stop_reason: 'refusal' }], { kind: 'refusal' }],
  ])('%s', (_, lines, end) => {
    expect(conclude(...lines).end).toMatchObject(end);
  });
});

describe('what goes with it', () => {
  it('the model that wrote most is the one that answered; cached tokens are part of the input', () => {
    const conclusion = conclude({
      ...base,
      num_turns: 3,
      total_cost_usd: 0.25,
      session_id: 's-1',
      usage: {
        ...{ input_tokens: 10, cache_read_input_tokens: 20 },
        ...{ cache_creation_input_tokens: 30, output_tokens: 40 },
      },
      modelUsage: { 'claude-haiku-4-5': { outputTokens: 5 }, 'claude-opus-4-5': { outputTokens: 35 } },
      permission_denials: [{ tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'rm -rf /' } }],
    });
    expect(conclusion).toMatchObject({
      reportedModel: 'claude-opus-4-5',
      sessionId: 's-1',
      denials: [{ tool: 'Bash', target: 'rm -rf /' }],
      usage: {
        ...{ inputTokens: 60, outputTokens: 40, cacheReadTokens: 20, cacheWriteTokens: 30 },
        ...{ costUsd: 0.25, turns: 3 },
      },
    });
  });

  it('a reset is believed only when the request was turned away', () => {
    const event = (status: string) => ({
      type: 'rate_limit_event',
      rate_limit_info: { status, resetsAt: 1_794_740_400 },
    });
    expect(conclude(event('allowed_warning')).resetsAt).toBeNull();
    expect(conclude(event('rejected')).resetsAt?.toISOString()).toBe('2026-11-15T11:00:00.000Z');
  });

  it('without a result, what was used so far is added up message by message', () => {
    const text = { type: 'text', text: 'x'.repeat(400) };
    const { usage, reportedModel, toolUses } = conclude(
      message('m1', [text]),
      message('m1', [{ type: 'tool_use', name: 'Read', input: { file_path: '/a' } }]),
      message('m2', [text]),
    );
    expect(usage).toMatchObject({ inputTokens: 320, cacheReadTokens: 100, cacheWriteTokens: 20, turns: 2 });
    expect(usage.outputTokens).toBeGreaterThan(200);
    expect(usage.costUsd).toBeGreaterThan(0);
    expect(reportedModel).toBe('claude-sonnet-4-5');
    expect([...toolUses]).toEqual([['Read', 1]]);
  });

  it('progress is short, whatever the model says', () => {
    const told: CodingProgress[] = [];
    const stream = new ClaudeStream((progress) => told.push(progress));
    stream.take(JSON.stringify(message('m1', [{ type: 'text', text: 'x'.repeat(1e6) }, { type: 'image' }])));
    stream.take(
      JSON.stringify(
        message('m2', [{ type: 'tool_use', name: 'Bash', input: { command: 'y'.repeat(1e6) } }]),
      ),
    );
    expect(told.map(({ turns, text, target }) => [turns, text?.length, target?.length])).toEqual([
      [1, 200, undefined],
      [2, undefined, 200],
    ]);
  });
});
