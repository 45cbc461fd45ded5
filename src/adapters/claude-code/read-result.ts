/** What the Claude Code CLI says came of a prompt. Only fields decide: its texts are for people and change. */
import { z } from 'zod';
import type { Usage } from '../../domain/budget.ts';

const count = z.number().nonnegative().default(0);

const resultSchema = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  /** Missing when the turns ran out. */
  result: z.string().optional(),
  api_error_status: z.number().nullish(),
  num_turns: count,
  total_cost_usd: count,
  usage: z
    .object({
      input_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      output_tokens: count,
    })
    .optional(),
  modelUsage: z.record(z.string(), z.object({ outputTokens: count })).default({}),
});

export type ClaudeOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly reportedModel: string;
      readonly usage: Usage;
    }
  | { readonly kind: 'api-error'; readonly status: number | null; readonly said: string }
  | { readonly kind: 'unusable'; readonly why: string };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function readResult(output: string): ClaudeOutcome {
  const parsed = resultSchema.safeParse(parseJson(output));
  if (!parsed.success) return { kind: 'unusable', why: 'its output is not the JSON that was asked for' };
  const { data } = parsed;
  // A provider's error arrives as subtype "success" with is_error set.
  if (data.is_error && data.subtype === 'success') {
    return { kind: 'api-error', status: data.api_error_status ?? null, said: data.result ?? '' };
  }
  if (data.subtype !== 'success') return { kind: 'unusable', why: `it ended with ${data.subtype}` };
  if (data.result === undefined || data.result.trim() === '')
    return { kind: 'unusable', why: 'the answer is empty' };
  // Small side jobs may go to another model; the one that wrote most is the one that answered.
  const [main] = Object.entries(data.modelUsage).sort(([, a], [, b]) => b.outputTokens - a.outputTokens);
  const { usage } = data;
  return {
    kind: 'answered',
    text: data.result,
    reportedModel: main?.[0] ?? '',
    usage: {
      inputTokens:
        (usage?.input_tokens ?? 0) +
        (usage?.cache_creation_input_tokens ?? 0) +
        (usage?.cache_read_input_tokens ?? 0),
      outputTokens: usage?.output_tokens ?? 0,
      costUsd: data.total_cost_usd,
      turns: Math.max(1, data.num_turns),
      ...(usage?.cache_read_input_tokens ? { cacheReadTokens: usage.cache_read_input_tokens } : {}),
      ...(usage?.cache_creation_input_tokens ? { cacheWriteTokens: usage.cache_creation_input_tokens } : {}),
    },
  };
}
