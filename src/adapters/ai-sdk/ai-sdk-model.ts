/**
 * Models of Google, Anthropic and OpenAI-compatible servers. What a failure means is decided by its status alone: out of
 * quota goes on with the next credential, overload waits on the same one, a rejected credential is dropped. Without any
 * status, a connection that broke before an answer began is tried again as overload is.
 */

import type { z } from 'zod';
import { noUsage } from '../../domain/models/budget.ts';
import {
  addressVariables,
  type Credential,
  keyVariables,
  type Provider,
  redactSecrets,
} from '../../domain/models/credential.ts';
import { modelFamily } from '../../domain/models/model-family.ts';
import { costOf, type Price } from '../../domain/models/model-price.ts';
import { isReportedAsAsked } from '../../domain/models/reported-model.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import type { LoadPrices, Model, ModelAnswer, ModelRequest } from '../../ports/model.ts';
import { explainNoAnswer } from '../network/explain-connection.ts';
import type { Fetch } from '../network/network-fetch.ts';
import { makePriceCatalogue } from '../prices/price-catalogue.ts';
import type { ProviderOutcome } from './call-provider.ts';
import { CredentialPool } from './credential-pool.ts';
import { providerUrls } from './provider-urls.ts';
import { isInvalidKey, readResetTime, readRetryAfter } from './read-reset-time.ts';

export interface AiSdkOptions {
  readonly provider: Provider;
  readonly model: string;
  readonly credentials: readonly Credential[];
  /** Where else a key may be put, for the message that says that there is none. */
  readonly credentialsFile: string;
  readonly baseUrl: string | undefined;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly limits: CredentialLimits;
  /** Without it, the catalogue as it comes. */
  readonly loadPrices?: LoadPrices;
  /** Bounds the whole call, with all waiting and rotating. */
  readonly limitMilliseconds: number;
  /** The proxy on the way to an address, in words; null when there is none. */
  readonly proxyOf?: (url: string) => string | null;
  /** How requests are sent; the platform's own unless said otherwise. */
  readonly fetch?: Fetch;
}

type Failure = Extract<ProviderOutcome, { kind: 'failed' }>;

const titles: Readonly<Record<Provider, string | null>> = {
  google: 'Gemini',
  anthropic: 'Claude',
  openai: null,
};

/** Of one credential, when the provider is overloaded or the connection breaks before an answer begins. */
const mostTries = 3;
const shortestWait = 2_000;
const longestWait = 60_000;

type Meaning = 'quota' | 'overload' | 'rejected-credential' | 'unknown-model' | 'outage' | 'refused';

function classify({ status, body }: Failure): Meaning {
  if (status === 429) return 'quota';
  if (status === 503 || status === 529) return 'overload';
  if (status === 401 || status === 403 || (status === 400 && isInvalidKey(body)))
    return 'rejected-credential';
  if (status === 404) return 'unknown-model';
  return status === null || status === 408 || status >= 500 ? 'outage' : 'refused';
}

function overloadWait(failure: Failure, attempt: number, now: Date): number {
  const wanted = readRetryAfter(failure.headers, now) ?? shortestWait * 4 ** attempt;
  return Math.min(longestWait, Math.max(shortestWait, wanted));
}

/**
 * A failed attempt costs nothing that we know of, but the ledger records it, so that a reader sees why there was
 * another one.
 */
function reportFailedTry(request: ModelRequest, { name }: Credential, why: ErrorCode): void {
  request.onSpent?.({ credential: name, reportedModel: '', usage: noUsage, why });
}

class AiSdkModel implements Model {
  readonly name: string;
  readonly family: string;
  readonly #loadPrices: LoadPrices;
  readonly title: string;
  readonly #options: AiSdkOptions;
  readonly #pool: CredentialPool;

  constructor(options: AiSdkOptions) {
    this.#options = options;
    this.name = `${options.provider}:${options.model}`;
    this.#pool = new CredentialPool(options.credentials, this.name, options.limits);
    this.family = modelFamily(options.model);
    this.#loadPrices = options.loadPrices ?? makePriceCatalogue();
    this.title = titles[options.provider] ?? options.model;
  }

  async readPrice(): Promise<Price | null> {
    return (await this.#loadPrices()).find(this.name);
  }

  async checkReady(): Promise<string | null> {
    if (!this.#pool.isEmpty) return null;
    const [first, ...others] = keyVariables[this.#options.provider];
    const names = others.length === 0 ? first : `${first} (or ${others.join(', ')})`;
    return `${this.name} has no key: set ${names}, or add one to ${this.#options.credentialsFile}`;
  }

  async answerText(request: ModelRequest): Promise<ModelAnswer<string>> {
    const answer = await this.#answer(request, null);
    return { ...answer, value: String(answer.value) };
  }

  async answerObject<T>(request: ModelRequest, schema: z.ZodType<T>): Promise<ModelAnswer<T>> {
    const answer = await this.#answer(request, schema);
    return { ...answer, value: answer.value as T };
  }

  async #answer(request: ModelRequest, schema: z.ZodType | null): Promise<ModelAnswer<unknown>> {
    const { model } = this.#options;
    const { outcome, credential } = await this.#rotate(request, schema);
    const { reportedModel, tokens } = outcome;
    const price = await this.readPrice();
    const usage = {
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      costUsd: costOf(price, tokens),
      ...(price === null ? { isUnpriced: true as const } : {}),
      turns: 1,
      ...(tokens.cacheRead > 0 ? { cacheReadTokens: tokens.cacheRead } : {}),
      ...(tokens.cacheWrite > 0 ? { cacheWriteTokens: tokens.cacheWrite } : {}),
    };
    // It was paid for although it is not used.
    const fail = (code: 'model-unusable-answer' | 'model-mismatch', what: string): never => {
      request.onSpent?.({ credential: credential.name, reportedModel, usage, why: code });
      throw new GatewrightError(code, `${this.name} ${what}.`);
    };
    if (outcome.kind === 'unusable')
      return fail('model-unusable-answer', `gave an answer that cannot be used: ${outcome.why}`);
    if (!isReportedAsAsked(model, reportedModel)) {
      const who =
        reportedModel === '' ? 'does not say which model answered' : `was answered by "${reportedModel}"`;
      return fail('model-mismatch', `${who}, so the answer was not used`);
    }
    if (schema === null) return { value: outcome.value, reportedModel, usage };
    const parsed = schema.safeParse(outcome.value);
    if (!parsed.success) return fail('model-unusable-answer', 'answered outside the schema');
    return { value: parsed.data, reportedModel, usage };
  }

  /** Tries one credential after the other until one gets an answer. */
  async #rotate(
    request: ModelRequest,
    schema: z.ZodType | null,
  ): Promise<{ outcome: Exclude<ProviderOutcome, Failure>; credential: Credential }> {
    const { clock, limitMilliseconds } = this.#options;
    const limit = AbortSignal.timeout(limitMilliseconds);
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
    for (;;) {
      const credential = await this.#pool.next(clock.now());
      if (credential === null) throw await this.#explainNoCredential();
      const outcome = await this.#callPatiently(credential, request, schema, signal);
      if (outcome.kind !== 'failed') return { outcome, credential };
      switch (classify(outcome)) {
        case 'quota':
          await this.#pool.markExhausted(
            credential,
            readResetTime(outcome.headers, outcome.body, clock.now()),
          );
          reportFailedTry(request, credential, 'quota-exhausted');
          break;
        case 'rejected-credential':
          this.#pool.drop(credential);
          reportFailedTry(request, credential, 'model-not-authenticated');
          break;
        default:
          throw request.signal?.aborted === true
            ? new GatewrightError('cancelled', `${this.name} was not waited for any longer.`)
            : this.#explainFailure(outcome, signal);
      }
    }
  }

  /** Calls with one credential; an overloaded provider, or one that is not reached, is given time and asked again. */
  async #callPatiently(
    credential: Credential,
    request: ModelRequest,
    schema: z.ZodType | null,
    signal: AbortSignal,
  ): Promise<ProviderOutcome> {
    const { clock, model, baseUrl, fetch } = this.#options;
    const { callProvider } = await import('./call-provider.ts');
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await callProvider({ credential, model, baseUrl, request, schema, signal, fetch });
      if (outcome.kind !== 'failed' || attempt + 1 >= mostTries) return outcome;
      if (outcome.isCutOff === true) reportFailedTry(request, credential, 'model-unavailable');
      else if (classify(outcome) !== 'overload') return outcome;
      await sleepUnlessAborted(clock, overloadWait(outcome, attempt, clock.now()), signal);
      if (signal.aborted) return { kind: 'failed', status: null, headers: {}, body: '' };
    }
  }

  async #explainNoCredential(): Promise<GatewrightError> {
    const reset = await this.#pool.earliestReset();
    const dropped = this.#pool.droppedNames;
    const details = dropped.map((name) => `${name} was rejected by the provider`);
    if (reset !== null) {
      const until = reset.toISOString();
      return new GatewrightError(
        'quota-exhausted',
        `Every credential for ${this.name} is out of quota; the first is free again at ${until}.`,
        { until, details },
      );
    }
    const [variable] = keyVariables[this.#options.provider];
    return this.#pool.isEmpty
      ? new GatewrightError('model-not-authenticated', `There is no key for ${this.name}.`, {
          hint: `Set ${variable} and resume the run.`,
        })
      : new GatewrightError('model-not-authenticated', `No credential for ${this.name} was accepted.`, {
          details,
        });
  }

  /** Where it is asked, and through what; without a password that either may hold. */
  #address(): string {
    const { provider, baseUrl, proxyOf } = this.#options;
    const url = baseUrl ?? providerUrls[provider];
    const proxy = proxyOf?.(url) ?? null;
    return proxy === null ? withoutPassword(url) : `${withoutPassword(url)} through ${proxy}`;
  }

  #explainFailure(failure: Failure, signal: AbortSignal): GatewrightError {
    const said = redactSecrets(failure.body, this.#pool.secrets).replaceAll(/\s+/gu, ' ').slice(0, 300);
    const details = said === '' ? [] : [`the provider said: ${said}`];
    const meaning = classify(failure);
    if (signal.aborted) {
      const seconds = this.#options.limitMilliseconds / 1000;
      return new GatewrightError(
        'model-unavailable',
        `${this.name} gave no answer within ${countOf(seconds, 'second')}.`,
      );
    }
    if (meaning === 'unknown-model')
      return new GatewrightError('model-unknown', `The provider does not know ${this.name}.`, { details });
    if (meaning === 'refused') {
      return new GatewrightError(
        'model-refused',
        `${this.name} refused the request (status ${failure.status}).`,
        { details },
      );
    }
    if (failure.status === null)
      return explainNoAnswer(
        failure.cause,
        'model-unavailable',
        `${this.name} could not be reached at ${this.#address()}`,
        addressVariables[this.#options.provider],
      );
    return new GatewrightError('model-unavailable', `${this.name} answered with status ${failure.status}.`, {
      details,
    });
  }
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return 'an address that is none';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The clock's sleep cannot be cut short, but waiting for it can. */
async function sleepUnlessAborted(
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([clock.sleep(milliseconds), promise]);
}

export function makeAiSdkModel(options: AiSdkOptions): Model {
  return new AiSdkModel(options);
}
