/**
 * The Claude Code CLI as coding agent: it works in a worktree with the tools it is given and nothing else. Two credentials
 * may be tried; what each attempt used is reported.
 */
import { relative, sep } from 'node:path';
import { z } from 'zod';
import type { AttemptEnd } from '../../domain/credential-tier.ts';
import { isReportedAsAsked } from '../../domain/model-family.ts';
import { findPrice } from '../../domain/model-prices.ts';
import { checkPermittedCommands } from '../../domain/permitted-command.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  CodingAgent,
  CodingAttempt,
  CodingFailure,
  CodingOutcome,
  CodingProgress,
  CodingReport,
  CodingTask,
  CodingTools,
} from '../../ports/coding-agent.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import type { OwnedExit } from '../system/owned-process.ts';
import { explainMissingClaude } from './claude-code-model.ts';
import { type ClaudeCredential, ClaudeTiers } from './claude-credentials.ts';
import { type ClaudeConclusion, ClaudeStream } from './claude-stream.ts';
import { type Environment, findClaude, runClaude } from './run-claude.ts';

export interface ClaudeCodeAgentOptions {
  /** A model's name, or `default` for the one that the CLI is set to. */
  readonly model: string;
  readonly environment: Environment;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: CredentialLimits;
}

const readingTools = ['Read', 'Glob', 'Grep'];
const writingTools = ['Edit', 'Write'];
/** The tool that carries an answer in a schema. */
const answerTool = 'StructuredOutput';

/** Never, whatever else is allowed: the forge is for effects, and git's settings run programs. */
const neverCommands = ['gh', 'git push', 'git config', 'git remote'];

/**
 * Everything that would have to be asked for is denied ("dontAsk"): the mode for accepting edits would also run commands
 * that change files, listed or not. Reading below the folder needs no rule; a plain "Read" would allow it everywhere.
 */
function permissionArguments(tools: CodingTools): string[] {
  const mode = ['--permission-mode', 'dontAsk'];
  if (tools.mode === 'plan') return [...mode, '--tools', readingTools.join(',')];
  const shell = tools.commands.length === 0 ? [] : ['Bash'];
  // A rule that ends in ":*" allows what begins so.
  const rules = tools.commands.map((command) => `Bash(${command.replace(/ \*$/u, ':*')})`);
  return [
    ...mode,
    ...['--tools', [...readingTools, ...writingTools, ...shell].join(',')],
    ...['--allowedTools', 'Edit(./**)', ...rules],
    ...['--disallowedTools', ...neverCommands.map((command) => `Bash(${command}:*)`)],
  ];
}

/** In the draft of JSON Schema that the CLI knows. */
function describeSchema(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7' }));
}

const failureEnds: Partial<Record<CodingFailure, AttemptEnd>> = { 'not-authenticated': 'not-authenticated' };

function endOf(outcome: CodingOutcome<unknown>): AttemptEnd {
  return outcome.kind === 'failed' ? (failureEnds[outcome.why] ?? 'failed') : outcome.kind;
}

function failed(why: CodingFailure, detail: string): CodingOutcome<never> {
  return { kind: 'failed', why, detail };
}

/** Whether everything that it tried, of what its task is about, was denied. */
function wasKeptFromActing(conclusion: ClaudeConclusion, tools: CodingTools): boolean {
  const counts = (tool: string): boolean =>
    tool !== answerTool && (tools.mode === 'plan' || !readingTools.includes(tool));
  const uses = [...conclusion.toolUses].filter(([tool]) => counts(tool));
  const tried = uses.reduce((sum, [, number]) => sum + number, 0);
  const denied = conclusion.denials.filter(({ tool }) => counts(tool)).length;
  return denied > 0 && denied >= tried;
}

/** Files of the worktree by their place in it. */
function showTarget(folder: string, target: string): string {
  return target.startsWith(`${folder}${sep}`) ? relative(folder, target) : target;
}

class ClaudeCodeAgent implements CodingAgent {
  readonly name: string;
  readonly family = 'claude';
  readonly price: CodingAgent['price'];
  readonly title = 'Claude Code';
  readonly #options: ClaudeCodeAgentOptions;
  readonly #tiers: ClaudeTiers;

  constructor(options: ClaudeCodeAgentOptions) {
    this.#options = options;
    this.name = `claude:${options.model}`;
    this.price = findPrice(options.model);
    this.#tiers = new ClaudeTiers(options.environment, this.name, options.limits, options.clock);
  }

  async checkReady(): Promise<string | null> {
    return explainMissingClaude(this.#options.environment);
  }

  async work<T>(task: CodingTask, schema: z.ZodType<T> | null): Promise<CodingReport<T>> {
    if (task.tools.mode === 'implement') checkPermittedCommands(task.tools.commands);
    type Tried = CodingAttempt<T> & { readonly end: AttemptEnd; readonly until: Date | null };
    const began = performance.now();
    const ended = await this.#tiers.run<Tried>(async (credential, earlier) => {
      const turnsLeft = Math.max(
        1,
        task.turnLimit - earlier.reduce((sum, { usage }) => sum + usage.turns, 0),
      );
      const spentUsd = earlier.reduce((sum, { usage }) => sum + usage.costUsd, 0);
      const timeLeft = task.limitMilliseconds - (performance.now() - began);
      const attempt = await this.#attempt(
        {
          ...task,
          turnLimit: turnsLeft,
          limitMilliseconds: timeLeft,
          ...(task.costLimitUsd === undefined ? {} : { costLimitUsd: task.costLimitUsd - spentUsd }),
        },
        schema,
        credential,
        earlier.some(({ usage }) => usage.turns > 0),
      );
      const until = attempt.outcome.kind === 'quota' ? attempt.outcome.until : null;
      return { ...attempt, end: endOf(attempt.outcome), until: until === null ? null : new Date(until) };
    });
    const strip = ({ end: _, until: __, ...attempt }: Tried): CodingAttempt<T> => attempt;
    const quota =
      ended.until === null ? null : ({ kind: 'quota', until: ended.until.toISOString() } as const);
    if (ended.last === null) {
      const nothing = new ClaudeStream().conclude();
      return {
        ...this.#describe(task, nothing, 'none', 0),
        outcome: quota ?? { kind: 'quota', until: null },
        earlier: [],
      };
    }
    // Out of quota is a matter of time even if the last credential was not accepted.
    const last = strip(ended.last);
    return {
      ...last,
      outcome: quota ?? last.outcome,
      earlier: ended.earlier.map(strip),
    };
  }

  async #attempt<T>(
    task: CodingTask,
    schema: z.ZodType<T> | null,
    credential: ClaudeCredential,
    isSecond: boolean,
  ): Promise<CodingAttempt<T>> {
    const { environment, model } = this.#options;
    const began = performance.now();
    const stream = new ClaudeStream((progress) => this.#tell(task, progress));
    const program = findClaude(environment);
    const exit: OwnedExit =
      program === null
        ? { kind: 'not-started' }
        : task.limitMilliseconds <= 0
          ? { kind: 'timeout' }
          : await runClaude({
              program,
              settings: 'none',
              args: [
                ...permissionArguments(task.tools),
                ...['--max-turns', String(task.turnLimit)],
                ...(task.costLimitUsd === undefined
                  ? []
                  : ['--max-budget-usd', Math.max(0.0001, task.costLimitUsd).toFixed(4)]),
                ...['--append-system-prompt', task.instructions],
                ...(model === 'default' ? [] : ['--model', model]),
                ...(schema === null ? [] : ['--json-schema', describeSchema(schema)]),
              ],
              folder: task.folder,
              environment,
              credential,
              prompt: isSecond
                ? `${task.task}\n\nAn earlier attempt was interrupted. The folder may already hold part of the work.`
                : task.task,
              limitMilliseconds: task.limitMilliseconds,
              signal: task.signal,
              onLine: (line) => stream.take(line),
            });
    const conclusion = stream.conclude();
    return {
      ...this.#describe(task, conclusion, credential.name, performance.now() - began),
      outcome: this.#judge(exit, conclusion, task, schema),
    };
  }

  #describe(
    task: CodingTask,
    { usage, sessionId, reportedModel, denials }: ClaudeConclusion,
    credential: string,
    milliseconds: number,
  ): Omit<CodingAttempt<never>, 'outcome'> {
    const clean = denials.map(({ tool, target }) => ({
      tool,
      target: this.#tiers.clean(showTarget(task.folder, target)),
    }));
    return {
      credential,
      usage,
      sessionId,
      reportedModel,
      denials: clean,
      milliseconds: Math.round(milliseconds),
    };
  }

  #tell(task: CodingTask, { tool, target, text, turns }: CodingProgress): void {
    try {
      task.onProgress?.({
        turns,
        tool,
        target: target === null ? null : this.#tiers.clean(showTarget(task.folder, target)),
        text: text === null ? null : this.#tiers.clean(text),
      });
    } catch {
      // Whoever watches does not change what is watched.
    }
  }

  #judge<T>(
    exit: OwnedExit,
    conclusion: ClaudeConclusion,
    task: CodingTask,
    schema: z.ZodType<T> | null,
  ): CodingOutcome<T> {
    if (exit.kind === 'not-started')
      return failed('not-installed', 'the Claude Code CLI could not be started');
    if (exit.kind === 'timeout')
      return failed('timeout', `not done within ${Math.round(task.limitMilliseconds / 1000)} seconds`);
    if (exit.kind === 'aborted') return failed('aborted', 'it was told to stop');
    const { end, reportedModel, resetsAt } = conclusion;
    switch (end.kind) {
      case 'turns-exhausted':
        return { kind: 'turns-exhausted' };
      case 'cost-exhausted':
        return failed('budget', `it reached the limit of ${task.costLimitUsd ?? 0} USD`);
      case 'refusal':
        return { kind: 'refused', by: 'model', detail: this.#tiers.clean(end.said) };
      case 'api-error':
        return this.#judgeError(end.status, end.said, resetsAt);
      case 'unusable': {
        const said = this.#tiers.clean(exit.complaint.trim());
        const isCrash = exit.code !== 0;
        return failed(isCrash ? 'crash' : 'garbage', said === '' ? end.why : `${end.why}; it said: ${said}`);
      }
    }
    if (!isReportedAsAsked('claude', reportedModel))
      return failed('wrong-model', `"${reportedModel}" answered instead`);
    if (wasKeptFromActing(conclusion, task.tools)) {
      const detail = conclusion.denials.map(({ tool, target }) => `${tool} ${target}`).join(', ');
      return { kind: 'refused', by: 'permissions', detail: this.#tiers.clean(detail) };
    }
    const text = this.#tiers.clean(end.text, end.text.length);
    if (schema === null) return { kind: 'finished', text, object: null };
    const parsed = schema.safeParse(end.structured);
    return parsed.success
      ? { kind: 'finished', text, object: parsed.data }
      : failed('garbage', 'the answer does not fit the schema');
  }

  #judgeError(status: number | null, said: string, resetsAt: Date | null): CodingOutcome<never> {
    const detail = this.#tiers.clean(said.replaceAll(/\s+/gu, ' ').trim());
    if (status === 429) return { kind: 'quota', until: resetsAt?.toISOString() ?? null };
    if (status === 401 || status === 403) return failed('not-authenticated', detail);
    if (status === 404) return failed('unknown-model', detail);
    const isRefusal = status !== null && status >= 400 && status < 500 && status !== 408;
    return isRefusal ? { kind: 'refused', by: 'model', detail } : failed('overload', detail);
  }
}

export function makeClaudeCodeAgent(options: ClaudeCodeAgentOptions): CodingAgent {
  return new ClaudeCodeAgent(options);
}
