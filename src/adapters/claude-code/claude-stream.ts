/**
 * Reads the output of the Claude Code CLI line by line, and how its work ended. Only fields decide: the texts are for
 * people and change. Lines that are not JSON, or of an unknown kind, are skipped.
 */
import { z } from 'zod';
import { costOf, type Price } from '../../domain/models/model-price.ts';
import type { CodingProgress, CodingUsage, PermissionDenial } from '../../ports/coding-agent.ts';

const count = z.number().nonnegative().default(0);

const usageSchema = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});

const resultSchema = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  /** Missing when the turns ran out. */
  result: z.string().optional(),
  structured_output: z.unknown().optional(),
  stop_reason: z.string().nullish(),
  api_error_status: z.number().nullish(),
  session_id: z.string().default(''),
  num_turns: count,
  total_cost_usd: count,
  usage: usageSchema.optional(),
  modelUsage: z.record(z.string(), z.object({ outputTokens: count })).default({}),
  permission_denials: z
    .array(z.object({ tool_name: z.string(), tool_input: z.record(z.string(), z.unknown()).default({}) }))
    .default([]),
});

const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
]);

const assistantSchema = z.object({
  type: z.literal('assistant'),
  message: z.object({
    id: z.string().default(''),
    model: z.string().default(''),
    content: z.array(blockSchema),
    usage: usageSchema.optional(),
  }),
  /** What kind of error the CLI made this message of. */
  error: z.string().optional(),
});

/** By the type of the line. */
const lineSchemas = new Map(
  Object.entries({
    result: resultSchema,
    assistant: assistantSchema,
    system: z.object({ type: z.literal('system'), subtype: z.literal('init'), session_id: z.string() }),
    rate_limit_event: z.object({
      type: z.literal('rate_limit_event'),
      rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().positive().optional() }),
    }),
  }),
);

type Line = z.infer<NonNullable<ReturnType<(typeof lineSchemas)['get']>>>;

type AssistantMessage = z.infer<typeof assistantSchema>['message'];

function cacheTokensOf(usage: z.infer<typeof usageSchema> | undefined): [read: number, written: number] {
  return [usage?.cache_read_input_tokens ?? 0, usage?.cache_creation_input_tokens ?? 0];
}

/** How it ended, without anything that stands in the report anyway. */
type ClaudeEnd =
  | { readonly kind: 'answered'; readonly text: string; readonly structured: unknown }
  | { readonly kind: 'turns-exhausted' }
  | { readonly kind: 'cost-exhausted' }
  /** The model itself refused to answer. */
  | { readonly kind: 'refusal'; readonly said: string }
  | {
      readonly kind: 'api-error';
      readonly status: number | null;
      /** Whether the provider answered with that status; else it is made of what the CLI says about itself. */
      readonly isHeard: boolean;
      readonly said: string;
    }
  | { readonly kind: 'unusable'; readonly why: string };

export interface ClaudeConclusion {
  readonly end: ClaudeEnd;
  readonly usage: CodingUsage;
  readonly sessionId: string;
  readonly reportedModel: string;
  readonly denials: readonly PermissionDenial[];
  /** When the quota comes back, if the provider said so. */
  readonly resetsAt: Date | null;
  /** Uses of each tool, those that were denied included. */
  readonly toolUses: ReadonlyMap<string, number>;
}

/** The model of messages that the CLI makes itself. */
const synthetic = '<synthetic>';

/** Enough of a denial or of progress to see what it was about. */
const longestTarget = 200;

/** What a tool is used on: its file, its command, or what it looks for. */
function targetOf(input: Readonly<Record<string, unknown>>): string | null {
  for (const name of ['file_path', 'command', 'path', 'pattern', 'notebook_path']) {
    const value = input[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

function parseLine(text: string): Line | null {
  if (!text.startsWith('{')) return null;
  try {
    const line = JSON.parse(text) as { readonly type?: unknown };
    return lineSchemas.get(String(line.type))?.safeParse(line).data ?? null;
  } catch {
    return null;
  }
}

/** Errors that the CLI finds before it calls its provider, such as a missing login, have no status of their own. */
const statusOfError: Readonly<Record<string, number>> = {
  authentication_failed: 401,
  billing_error: 403,
  rate_limit: 429,
  server_error: 529,
};

function endOf(result: z.infer<typeof resultSchema>, error: string): ClaudeEnd {
  const said = result.result ?? '';
  if (result.subtype === 'error_max_turns') return { kind: 'turns-exhausted' };
  if (result.subtype === 'error_max_budget_usd') return { kind: 'cost-exhausted' };
  if (result.stop_reason === 'refusal') return { kind: 'refusal', said };
  // A provider's error arrives as subtype "success" with is_error set.
  if (result.is_error && result.subtype === 'success') {
    const heard = result.api_error_status ?? null;
    return {
      kind: 'api-error',
      status: heard ?? statusOfError[error] ?? null,
      isHeard: heard !== null,
      said,
    };
  }
  if (result.subtype !== 'success') return { kind: 'unusable', why: `it ended with ${result.subtype}` };
  if (said.trim() === '' && result.structured_output === undefined)
    return { kind: 'unusable', why: 'the answer is empty' };
  return { kind: 'answered', text: said, structured: result.structured_output };
}

export class ClaudeStream {
  readonly #onProgress: (progress: CodingProgress) => void;
  readonly #priceOf: (model: string) => Price | null;
  readonly #shorten: (text: string) => string;
  readonly #toolUses = new Map<string, number>();
  #result: z.infer<typeof resultSchema> | null = null;
  #sessionId = '';
  #resetsAt: Date | null = null;
  #turns = 0;
  #lastMessage = '';
  #lastModel = '';
  #lastError = '';
  /** What the messages so far used, for when no result comes that says it. */
  readonly #seen = { input: 0, cacheRead: 0, cacheWrite: 0, characters: 0 };

  /** `clean` takes secrets out of a text, before it is shortened: half of one would not be recognised. */
  constructor(
    onProgress: (progress: CodingProgress) => void = () => undefined,
    clean: (text: string) => string = (text) => text,
    priceOf: (model: string) => Price | null = () => null,
  ) {
    this.#priceOf = priceOf;
    this.#onProgress = onProgress;
    this.#shorten = (text) => clean(text).slice(0, longestTarget);
  }

  take(text: string): void {
    const line = parseLine(text);
    switch (line?.type) {
      case 'result':
        this.#result = line;
        break;
      case 'system':
        this.#sessionId = line.session_id;
        break;
      case 'rate_limit_event':
        if (line.rate_limit_info.status === 'rejected' && line.rate_limit_info.resetsAt !== undefined)
          this.#resetsAt = new Date(line.rate_limit_info.resetsAt * 1000);
        break;
      case 'assistant':
        if (line.error !== undefined) this.#lastError = line.error;
        if (line.message.model !== synthetic) this.#takeMessage(line.message);
        break;
    }
  }

  #takeMessage({ id, content, model, usage }: AssistantMessage): void {
    // Each block of a message comes on a line of its own, with the id and the usage of the message.
    if (id === '' || id !== this.#lastMessage) {
      this.#turns += 1;
      const [cacheRead, cacheWrite] = cacheTokensOf(usage);
      this.#seen.input += (usage?.input_tokens ?? 0) + cacheRead + cacheWrite;
      this.#seen.cacheRead += cacheRead;
      this.#seen.cacheWrite += cacheWrite;
    }
    this.#lastMessage = id;
    this.#lastModel = model;
    for (const block of content) this.#seen.characters += JSON.stringify(block).length;
    const progress = {
      ...{ turns: this.#turns, tool: null, target: null, text: null },
      usage: this.#guessUsage(),
    };
    for (const block of content) {
      if (block.type === 'text' && block.text.trim() !== '')
        this.#onProgress({ ...progress, text: this.#shorten(block.text) });
      if (block.type !== 'tool_use') continue;
      this.#toolUses.set(block.name, (this.#toolUses.get(block.name) ?? 0) + 1);
      const target = targetOf(block.input);
      this.#onProgress({
        ...progress,
        tool: block.name,
        target: target === null ? null : this.#shorten(target),
      });
    }
  }

  /** Without a result: what was read is known, what was written is guessed at four characters a token. */
  #guessUsage(): CodingUsage {
    const { input, cacheRead, cacheWrite, characters } = this.#seen;
    const output = Math.ceil(characters / 4);
    return {
      inputTokens: input,
      outputTokens: output,
      costUsd: costOf(this.#priceOf(this.#lastModel), { input, output, cacheRead, cacheWrite }),
      turns: this.#turns,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
    };
  }

  conclude(): ClaudeConclusion {
    const result = this.#result;
    const about = { resetsAt: this.#resetsAt, toolUses: this.#toolUses };
    if (result === null) {
      return {
        ...about,
        end: { kind: 'unusable', why: 'its output is not what was asked for' },
        usage: this.#guessUsage(),
        sessionId: this.#sessionId,
        reportedModel: this.#lastModel,
        denials: [],
      };
    }
    const { usage } = result;
    const [cacheReadTokens, cacheWriteTokens] = cacheTokensOf(usage);
    // Small side jobs may go to another model; the one that wrote most is the one that was asked.
    const [main] = Object.entries(result.modelUsage).sort(([, a], [, b]) => b.outputTokens - a.outputTokens);
    const end = endOf(result, this.#lastError);
    return {
      ...about,
      end,
      usage: {
        inputTokens: (usage?.input_tokens ?? 0) + cacheReadTokens + cacheWriteTokens,
        outputTokens: usage?.output_tokens ?? 0,
        costUsd: result.total_cost_usd,
        // A call that was turned away is counted as a turn by the CLI, though no model was asked.
        turns: main === undefined && end.kind === 'api-error' ? 0 : Math.max(1, result.num_turns),
        cacheReadTokens,
        cacheWriteTokens,
      },
      sessionId: result.session_id || this.#sessionId,
      // The provider's own word counts more: the CLI counts under the name that it asked for.
      reportedModel: this.#lastModel || (main?.[0] ?? ''),
      denials: result.permission_denials.map(({ tool_name, tool_input }) => ({
        tool: tool_name,
        target: this.#shorten(targetOf(tool_input) ?? ''),
      })),
    };
  }
}
