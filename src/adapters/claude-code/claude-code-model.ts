/**
 * The Claude Code CLI as a model, with the login that a person has there. It gets no tools and no project: text in, text
 * or an object out. An object comes through the CLI's structured output, which takes a turn or two, and is checked again.
 */

import { mkdirSync } from 'node:fs';
import type { z } from 'zod';
import { addUsage, noUsage } from '../../domain/models/budget.ts';
import type { Price } from '../../domain/models/model-price.ts';
import { isReportedAsAsked } from '../../domain/models/reported-model.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import type { LoadPrices, Model, ModelAnswer, ModelRequest } from '../../ports/model.ts';
import { makePriceCatalogue } from '../prices/price-catalogue.ts';
import { type ClaudeCredential, ClaudeTiers } from './claude-credentials.ts';
import { explainUnusableClaude } from './claude-login.ts';
import { type ClaudeConclusion, ClaudeStream } from './claude-stream.ts';
import type { AttemptEnd } from './credential-tier.ts';
import { answerArguments, type ClaudeProcess, findClaude, runClaude } from './run-claude.ts';

export interface ClaudeCodeOptions {
  /** A model's name, or `default` for the one that the CLI is set to. */
  readonly model: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An empty folder to run in; made when it is missing. */
  readonly folder: string;
  /** A person's own settings bring their own instructions along, which is right for a drafter and wrong for a judge. */
  readonly settings: ClaudeProcess['settings'];
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: CredentialLimits;
  /** Without it, the catalogue as it comes. */
  readonly loadPrices?: LoadPrices;
  readonly limitMilliseconds: number;
}

interface Attempt {
  readonly credential: string;
  /** Why there is no answer at all. */
  readonly failure: GatewrightError | null;
  readonly end: AttemptEnd;
  readonly until: Date | null;
  readonly conclusion: ClaudeConclusion;
}

/** What an answer means for the choice of the next credential. */
function judgeEnd({ end, usage }: ClaudeConclusion, exitCode: number | null): AttemptEnd {
  if (end.kind === 'unusable' && exitCode !== 0 && usage.turns === 0) return 'unreached';
  if (end.kind !== 'api-error') return 'finished';
  const { status } = end;
  if (status === 429) return 'quota';
  if (status === 401 || status === 403) return 'not-authenticated';
  const isElsewhere = status === null || status === 404 || status === 408 || status >= 500;
  return isElsewhere && usage.turns === 0 ? 'unreached' : 'failed';
}

class ClaudeCodeModel implements Model {
  readonly name: string;
  readonly family = 'claude';
  readonly #loadPrices: LoadPrices;
  readonly title = 'Claude';
  readonly #options: ClaudeCodeOptions;
  readonly #tiers: ClaudeTiers;

  constructor(options: ClaudeCodeOptions) {
    this.#options = options;
    this.name = `claude:${options.model}`;
    this.#loadPrices = options.loadPrices ?? makePriceCatalogue();
    this.#tiers = new ClaudeTiers(options.environment, this.name, options.limits, options.clock);
  }

  async readPrice(): Promise<Price | null> {
    return (await this.#loadPrices()).find(this.name);
  }

  async checkReady(): Promise<string | null> {
    return explainUnusableClaude(this.#options.environment);
  }

  async answerText(request: ModelRequest): Promise<ModelAnswer<string>> {
    return this.#answer(request, null, ({ text }) => text);
  }

  async answerObject<T>(request: ModelRequest, schema: z.ZodType<T>): Promise<ModelAnswer<T>> {
    return this.#answer(request, schema, ({ structured }) => schema.safeParse(structured).data ?? null);
  }

  /** @param read the value in an answer; null when it is none */
  async #answer<T>(
    request: ModelRequest,
    schema: z.ZodType<T> | null,
    read: (end: Extract<ClaudeConclusion['end'], { kind: 'answered' }>) => T | null,
  ): Promise<ModelAnswer<T>> {
    const { clock, limitMilliseconds } = this.#options;
    const deadline = clock.now().getTime() + limitMilliseconds;
    const ended = await this.#tiers.run<Attempt>((credential, earlier) => {
      const { turns } = earlier.reduce((sum, { conclusion }) => addUsage(sum, conclusion.usage), noUsage);
      const { turnLimit } = request;
      return this.#attempt(
        turnLimit === undefined ? request : { ...request, turnLimit: turnLimit - turns },
        schema,
        credential,
        Math.max(1, deadline - clock.now().getTime()),
      );
    });
    if (ended.last === null) throw this.#outOfQuota(ended.until, []);
    const report = (attempt: Attempt, why: ErrorCode): void => {
      const { usage, reportedModel } = attempt.conclusion;
      request.onSpent?.({ credential: attempt.credential, reportedModel, usage, why });
    };
    for (const attempt of ended.earlier) {
      const why = this.#explain(attempt.conclusion, attempt.credential)?.code ?? 'model-unusable-answer';
      report(attempt, attempt.end === 'quota' ? 'quota-exhausted' : why);
    }
    const { conclusion, credential } = ended.last;
    const { end, reportedModel, usage } = conclusion;
    const value = end.kind === 'answered' ? read(end) : null;
    const failure =
      ended.last.failure ??
      (ended.until === null
        ? this.#explain(conclusion, credential)
        : this.#outOfQuota(ended.until, this.#detailsOf(conclusion)));
    if (failure === null && value !== null) return { value, reportedModel, usage };
    const why =
      failure ?? new GatewrightError('model-unusable-answer', `${this.name} answered outside the schema.`);
    report(ended.last, why.code);
    throw why;
  }

  async #attempt(
    request: ModelRequest,
    schema: z.ZodType | null,
    credential: ClaudeCredential,
    limit: number,
  ): Promise<Attempt> {
    const { environment, folder, limitMilliseconds, model, settings } = this.#options;
    const prices = await this.#loadPrices();
    const stream = new ClaudeStream(undefined, undefined, (name) => prices.find(`claude:${name}`));
    const { turnLimit } = request;
    if (turnLimit !== undefined && turnLimit < 1) {
      const failure = new GatewrightError('model-unusable-answer', `${this.name} has used all its turns.`);
      const conclusion = stream.conclude();
      return { credential: credential.name, end: 'turns-exhausted', until: null, conclusion, failure };
    }
    const program = findClaude(environment);
    mkdirSync(folder, { recursive: true });
    const exit =
      program === null
        ? ({ kind: 'not-started' } as const)
        : await runClaude({
            program,
            settings,
            args: [
              ...['--tools', ''],
              ...['--system-prompt', request.instructions],
              ...(turnLimit === undefined ? [] : ['--max-turns', String(turnLimit)]),
              ...answerArguments(model, schema),
            ],
            folder,
            environment,
            credential,
            prompt: request.messages.map(({ content }) => content).join('\n\n'),
            limitMilliseconds: limit,
            signal: request.signal,
            onLine: (line) => stream.take(line),
          });
    const conclusion = stream.conclude();
    const attempt = { credential: credential.name, until: conclusion.resetsAt, conclusion };
    if (exit.kind === 'ended') return { ...attempt, end: judgeEnd(conclusion, exit.code), failure: null };
    if (exit.kind === 'aborted') {
      const failure = new GatewrightError('cancelled', `${this.name} was told to stop.`);
      return { ...attempt, end: 'failed', failure };
    }
    const failure =
      exit.kind === 'not-started'
        ? new GatewrightError(
            'model-not-installed',
            `The ${request.role} is ${this.name}, which is asked through the Claude Code CLI: ${program === null ? 'there is no program "claude" in PATH' : `${program} could not be started`}.`,
          )
        : new GatewrightError(
            'model-unavailable',
            `${this.name} gave no answer within ${countOf(limitMilliseconds / 1000, 'second')}.`,
          );
    return { ...attempt, end: 'failed', failure };
  }

  #detailsOf({ end }: ClaudeConclusion): string[] {
    const said = end.kind === 'api-error' || end.kind === 'refusal' ? end.said : '';
    const clean = this.#tiers.clean(said.replaceAll(/\s+/gu, ' ').trim());
    return clean === '' ? [] : [`it said: ${clean}`];
  }

  #outOfQuota(reset: Date, details: readonly string[]): GatewrightError {
    const until = reset.toISOString();
    return new GatewrightError('quota-exhausted', `${this.name} is out of quota; try again at ${until}.`, {
      until,
      details,
    });
  }

  /** Why the answer cannot be used; null when it can. */
  #explain(conclusion: ClaudeConclusion, credential: string): GatewrightError | null {
    const { end, reportedModel } = conclusion;
    const details = this.#detailsOf(conclusion);
    const fail = (code: ErrorCode, what: string, hint?: string): GatewrightError =>
      new GatewrightError(code, `${this.name} ${what}.`, {
        details,
        ...(hint === undefined ? {} : { hint }),
      });
    if (end.kind === 'answered') {
      return isReportedAsAsked(this.name, reportedModel)
        ? null
        : fail('model-mismatch', `was answered by "${reportedModel}", so the answer was not used`);
    }
    if (end.kind === 'unusable')
      return fail('model-unusable-answer', `gave an answer that cannot be used: ${end.why}`);
    if (end.kind === 'turns-exhausted' || end.kind === 'cost-exhausted')
      return fail('model-unusable-answer', 'gave an answer that cannot be used: it was cut short');
    if (end.kind === 'refusal') return fail('model-refused', 'refused to answer');
    const { status } = end;
    if (status === 401 || status === 403) {
      return fail(
        'model-not-authenticated',
        `is not logged in: ${credential} was not accepted`,
        'Log in with "claude auth login", or set CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY, then resume the run.',
      );
    }
    if (status === 404) return fail('model-unknown', 'is not known to the provider');
    if (!end.isHeard && (status === null || status >= 500))
      return fail(
        'model-unavailable',
        `got no answer from its provider at ${this.#options.environment.ANTHROPIC_BASE_URL || 'https://api.anthropic.com'}`,
        'See which host cannot be reached, and why, with: gatewright doctor. Then resume the run; the same step is tried again.',
      );
    const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408;
    return fail(
      isRefusal ? 'model-refused' : 'model-unavailable',
      `ended with an error${status === null ? '' : ` (status ${status})`}`,
    );
  }
}

export function makeClaudeCodeModel(options: ClaudeCodeOptions): Model {
  return new ClaudeCodeModel(options);
}
