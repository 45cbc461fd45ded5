/** The Claude Code CLI as drafter, with the login that a person has there. It gets no tools and no project: text in, text out. */
import { mkdirSync } from 'node:fs';
import { redactSecrets } from '../../domain/credential.ts';
import { isReportedAsAsked } from '../../domain/model-family.ts';
import { findPrice } from '../../domain/model-prices.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../ports/model.ts';
import { type ClaudeOutcome, readResult } from './read-result.ts';
import { findClaude, runClaude } from './run-claude.ts';

export interface ClaudeCodeOptions {
  /** A model's name, or `default` for the one that the CLI is set to. */
  readonly model: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An empty folder to run in; made when it is missing. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly limitMilliseconds: number;
}

/** The CLI does not say when its quota comes back. A resume that is too early costs nothing but another pause. */
const quotaWait = 15 * 60_000;

const secretVariables = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

class ClaudeCodeModel implements Model {
  readonly name: string;
  readonly family = 'claude';
  readonly price: Model['price'];
  readonly title = 'Claude';
  readonly #options: ClaudeCodeOptions;

  constructor(options: ClaudeCodeOptions) {
    this.#options = options;
    this.name = `claude:${options.model}`;
    this.price = findPrice(options.model);
  }

  async checkReady(): Promise<string | null> {
    return findClaude(this.#options.environment) === null
      ? 'the Claude Code CLI is not installed: no "claude" on the PATH'
      : null;
  }

  async answerText(request: ModelRequest): Promise<ModelAnswer<string>> {
    const outcome = await this.#run(request);
    if (outcome.kind === 'api-error') throw this.#explain(outcome);
    if (outcome.kind === 'unusable') {
      throw new GatewrightError(
        'model-unusable-answer',
        `${this.name} gave an answer that cannot be used: ${outcome.why}.`,
      );
    }
    const { text, reportedModel, usage } = outcome;
    if (!isReportedAsAsked('claude', reportedModel)) {
      throw new GatewrightError(
        'model-mismatch',
        `${this.name} was answered by "${reportedModel}", so the answer was not used.`,
      );
    }
    return { value: text, reportedModel, usage };
  }

  async answerObject(request: ModelRequest): Promise<never> {
    throw new GatewrightError(
      'model-unknown',
      `${this.name} writes text and gives no verdict, so it cannot be the ${request.role}.`,
    );
  }

  async #run(request: ModelRequest): Promise<ClaudeOutcome> {
    const { environment, folder, limitMilliseconds, model } = this.#options;
    const program = findClaude(environment);
    const exit =
      program === null
        ? ({ kind: 'not-started' } as const)
        : await runClaude({
            program,
            args: [
              '-p',
              ...['--output-format', 'json'],
              ...['--setting-sources', 'user'],
              ...['--tools', ''],
              ...['--system-prompt', request.instructions],
              ...(model === 'default' ? [] : ['--model', model]),
            ],
            folder: this.#makeFolder(folder),
            environment,
            prompt: request.messages.map(({ content }) => content).join('\n\n'),
            limitMilliseconds,
          });
    if (exit.kind === 'ended') return readResult(exit.output);
    throw new GatewrightError(
      'model-unavailable',
      exit.kind === 'timeout'
        ? `${this.name} gave no answer within ${limitMilliseconds / 1000} seconds.`
        : 'The Claude Code CLI could not be started.',
    );
  }

  #makeFolder(folder: string): string {
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #explain({ status, said }: Extract<ClaudeOutcome, { kind: 'api-error' }>): GatewrightError {
    const { environment, clock } = this.#options;
    const secrets = secretVariables.flatMap((name) => environment[name] ?? []);
    const clean = redactSecrets(said, secrets).replaceAll(/\s+/gu, ' ').slice(0, 300);
    const details = clean === '' ? [] : [`it said: ${clean}`];
    if (status === 429) {
      const until = new Date(clock.now().getTime() + quotaWait).toISOString();
      return new GatewrightError(
        'quota-exhausted',
        `${this.name} is out of quota; it does not say until when, so try again at ${until}.`,
        { until, details },
      );
    }
    if (status === 401 || status === 403) {
      return new GatewrightError('model-not-authenticated', `${this.name} is not logged in.`, {
        hint: 'Run "claude" once and log in, or set ANTHROPIC_API_KEY, then resume the run.',
        details,
      });
    }
    if (status === 404)
      return new GatewrightError('model-unknown', `The provider does not know ${this.name}.`, { details });
    const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408;
    return new GatewrightError(
      isRefusal ? 'model-refused' : 'model-unavailable',
      `${this.name} ended with an error${status === null ? '' : ` (status ${status})`}.`,
      { details },
    );
  }
}

export function makeClaudeCodeModel(options: ClaudeCodeOptions): Model {
  return new ClaudeCodeModel(options);
}
