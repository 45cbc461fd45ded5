/**
 * One call to a provider through the AI SDK. What came of it is returned as data; what to do about it is decided
 * elsewhere. The only file that knows the SDK, which is loaded when the first model is called and not before.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  NoObjectGeneratedError,
  Output,
} from 'ai';
import { z } from 'zod';
import type { Credential, Provider } from '../../domain/models/credential.ts';
import { describeMisfit } from '../../domain/models/describe-misfit.ts';
import type { TokenCounts } from '../../domain/models/model-price.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import type { Message, ModelRequest } from '../../ports/model.ts';
import { wasCutOff } from '../network/explain-connection.ts';
import type { Fetch } from '../network/network-fetch.ts';
import { findBreakpoints } from './cache-breakpoints.ts';
import { providerUrls } from './provider-urls.ts';

// Its warnings would go to standard output, which belongs to results.
(globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;

export interface ProviderCall {
  readonly credential: Credential;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly request: ModelRequest;
  /** Null asks for text. */
  readonly schema: z.ZodType | null;
  readonly signal: AbortSignal;
  readonly fetch?: Fetch | undefined;
}

export type ProviderOutcome =
  | {
      readonly kind: 'answered';
      readonly value: unknown;
      /** Empty when the provider did not say. */
      readonly reportedModel: string;
      readonly tokens: TokenCounts;
    }
  | {
      readonly kind: 'unusable';
      readonly why: string;
      readonly reportedModel: string;
      /** What it cost all the same, as far as the provider said. */
      readonly tokens: TokenCounts;
    }
  | {
      readonly kind: 'failed';
      /** Null when no answer came at all. */
      readonly status: number | null;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Why no answer came. */
      readonly cause?: unknown;
      /** Nothing of an answer had come when the connection broke. */
      readonly isCutOff?: true;
    };

function connect({ credential, baseUrl, model, fetch }: ProviderCall): LanguageModel {
  const settings = {
    apiKey: credential.key,
    baseURL: baseUrl ?? providerUrls[credential.provider],
    ...(fetch === undefined ? {} : { fetch }),
  };
  const makers: Readonly<Record<Provider, () => LanguageModel>> = {
    google: () => createGoogle(settings)(model),
    anthropic: () => createAnthropic(settings)(model),
    openai: () =>
      createOpenAICompatible({ name: 'openai', supportsStructuredOutputs: true, ...settings })(model),
  };
  return makers[credential.provider]();
}

/** Where the providers put the name of the model that answered. The SDK repeats what was asked for when it finds none. */
const reportSchema = z.object({ model: z.string().optional(), modelVersion: z.string().optional() });

function readReportedModel(body: unknown): string {
  const report = reportSchema.safeParse(body).data;
  return report?.modelVersion ?? report?.model ?? '';
}

function countTokens(usage: LanguageModelUsage | undefined): TokenCounts {
  return {
    input: usage?.inputTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    cacheRead: usage?.inputTokenDetails?.cacheReadTokens ?? 0,
    cacheWrite: usage?.inputTokenDetails?.cacheWriteTokens ?? 0,
  };
}

/** What came instead of an answer, and from where: a login page, for example, that stands before a network. */
function describeAnswer({ url, responseHeaders = {} }: APICallError): string {
  const said = 'the answer could not be read';
  const [type = ''] = (responseHeaders['content-type'] ?? '').split(';');
  if (type === '' || type.includes('json')) return said;
  const { origin, pathname } = new URL(url);
  return `${said}: ${origin}${pathname} sent ${escapeForLine(type, 60)} instead of JSON`;
}

function explainFailure(error: unknown): ProviderOutcome {
  const unreadable = (why: string): ProviderOutcome => ({
    kind: 'unusable',
    why,
    reportedModel: '',
    tokens: countTokens(undefined),
  });
  if (NoObjectGeneratedError.isInstance(error)) {
    return {
      kind: 'unusable',
      why: describeMisfit(error),
      reportedModel: error.response?.modelId ?? '',
      tokens: countTokens(error.usage),
    };
  }
  if (!APICallError.isInstance(error)) {
    const isNetwork = error instanceof TypeError || (error instanceof Error && 'code' in error);
    return isNetwork
      ? { kind: 'failed', status: null, headers: {}, body: '', cause: error }
      : unreadable('the answer could not be read');
  }
  const status = error.statusCode ?? null;
  // A success that the SDK calls an error is an answer that it could not parse.
  if (status !== null && status < 400) return unreadable(describeAnswer(error));
  const { responseHeaders: headers = {}, responseBody: body = '' } = error;
  return { kind: 'failed', status, headers, body, ...(status === null ? { cause: error } : {}) };
}

function toMessages(provider: Provider, messages: readonly Message[]): ModelMessage[] {
  const breakpoints = provider === 'anthropic' ? findBreakpoints(messages) : new Set<number>();
  return messages.map(({ role, content }, index) => ({
    role,
    content,
    ...(breakpoints.has(index)
      ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' as const } } } }
      : {}),
  }));
}

export async function callProvider(call: ProviderCall): Promise<ProviderOutcome> {
  let isAnswering = false;
  const fetch: Fetch = async (url, init) => {
    const response = await (call.fetch ?? globalThis.fetch)(url, init);
    isAnswering = true;
    return response;
  };
  try {
    const result = await generateText({
      model: connect({ ...call, fetch }),
      instructions: call.request.instructions,
      messages: toMessages(call.credential.provider, call.request.messages),
      // Waiting and trying again is decided by status, across credentials; the SDK knows only one of them.
      maxRetries: 0,
      abortSignal: call.signal,
      include: { responseBody: true },
      ...(call.schema === null ? {} : { output: Output.object({ schema: call.schema }) }),
    });
    const about = {
      reportedModel: readReportedModel(result.response.body),
      tokens: countTokens(result.usage),
    };
    if (result.finishReason === 'length')
      return { ...about, kind: 'unusable', why: 'the answer was cut off' };
    if (result.finishReason === 'content-filter')
      return { ...about, kind: 'unusable', why: 'the provider withheld the answer' };
    if (call.schema === null && result.text.trim() === '')
      return { ...about, kind: 'unusable', why: 'the answer is empty' };
    return { ...about, kind: 'answered', value: call.schema === null ? result.text : result.output };
  } catch (error) {
    if (call.signal.aborted) return { kind: 'failed', status: null, headers: {}, body: '' };
    const outcome = explainFailure(error);
    const isCutOff = outcome.kind === 'failed' && !isAnswering && wasCutOff(outcome.cause);
    return isCutOff ? { ...outcome, isCutOff } : outcome;
  }
}
