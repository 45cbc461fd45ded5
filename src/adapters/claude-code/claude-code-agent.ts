/**
 * The Claude Code CLI as coding agent: it works in a worktree with the tools it is given and nothing else. Two credentials
 * may be tried; what each attempt used is reported.
 */
import { relative, sep } from 'node:path';
import type { z } from 'zod';
import { checkPermittedCommands } from '../../domain/machine/permitted-command.ts';
import { addUsage, noUsage } from '../../domain/models/budget.ts';
import type { Price } from '../../domain/models/model-price.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  CodingAgent,
  CodingAttempt,
  CodingOutcome,
  CodingProgress,
  CodingReport,
  CodingTask,
  CodingTools,
} from '../../ports/coding-agent.ts';
import type { CredentialLimits } from '../../ports/credential-limits.ts';
import type { LoadPrices } from '../../ports/model.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { makePriceCatalogue } from '../prices/price-catalogue.ts';
import type { OwnedExit } from '../system/owned-process.ts';
import { type ClaudeCredential, ClaudeTiers } from './claude-credentials.ts';
import { explainUnusableClaude, readClaudeLogin } from './claude-login.ts';
import { claudePolicy, explainHiddenLogin, explainNoLogin } from './claude-policy.ts';
import { type ClaudeConclusion, ClaudeStream } from './claude-stream.ts';
import type { AttemptEnd } from './credential-tier.ts';
import { endOf, failed, judgeWork, readingTools } from './judge-work.ts';
import { answerArguments, type Environment, findClaude, runClaude } from './run-claude.ts';

export interface ClaudeCodeAgentOptions {
  /** A model's name, or `default` for the one that the CLI is set to. */
  readonly model: string;
  readonly environment: Environment;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: CredentialLimits;
  /** Without it, the catalogue as it comes. */
  readonly loadPrices?: LoadPrices;
  /** Where it runs; without one it runs as any other program. */
  readonly sandbox?: Sandbox;
}

const writingTools = ['Edit', 'Write'];

const afterInterruption = 'An earlier attempt was interrupted. The folder may already hold part of the work.';

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

/** Files of the worktree by their place in it. */
function showTarget(folder: string, target: string): string {
  return target.startsWith(`${folder}${sep}`) ? relative(folder, target) : target;
}

function describeAttempt(
  { folder }: CodingTask,
  { usage, sessionId, reportedModel, denials }: ClaudeConclusion,
  credential: string,
  milliseconds: number,
): Omit<CodingAttempt<never>, 'outcome'> {
  return {
    credential,
    usage,
    sessionId,
    reportedModel,
    denials: denials.map(({ tool, target }) => ({ tool, target: showTarget(folder, target) })),
    milliseconds: Math.round(milliseconds),
  };
}

function tell({ folder, onProgress }: CodingTask, progress: CodingProgress): void {
  const target = progress.target === null ? null : showTarget(folder, progress.target);
  try {
    onProgress?.({ ...progress, target });
  } catch {
    // An error in the progress callback must not stop the work.
  }
}

/** What earlier attempts left of the limits. */
function leftOf(
  task: CodingTask,
  earlier: readonly CodingAttempt<unknown>[],
  elapsedMilliseconds: number,
): CodingTask {
  const used = earlier.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
  return {
    ...task,
    turnLimit: task.turnLimit - used.turns,
    limitMilliseconds: task.limitMilliseconds - elapsedMilliseconds,
    ...(task.costLimitUsd === undefined ? {} : { costLimitUsd: task.costLimitUsd - used.costUsd }),
  };
}

/** What stands in the way of beginning at all, before anything is paid. */
function findLimitReached({
  turnLimit,
  limitMilliseconds,
  costLimitUsd,
}: CodingTask): CodingOutcome<never> | null {
  if (turnLimit < 1) return { kind: 'turns-exhausted' };
  if (limitMilliseconds <= 0) return failed('timeout', 'no time was left');
  return costLimitUsd !== undefined && costLimitUsd <= 0 ? failed('budget', 'no money was left') : null;
}

class ClaudeCodeAgent implements CodingAgent {
  readonly name: string;
  readonly family = 'claude';
  readonly #loadPrices: LoadPrices;
  readonly title = 'Claude Code';
  readonly #options: ClaudeCodeAgentOptions;
  readonly #tiers: ClaudeTiers;

  constructor(options: ClaudeCodeAgentOptions) {
    this.#options = options;
    this.name = `claude:${options.model}`;
    this.#loadPrices = options.loadPrices ?? makePriceCatalogue();
    this.#tiers = new ClaudeTiers(options.environment, this.name, options.limits, options.clock);
  }

  async readPrice(): Promise<Price | null> {
    return (await this.#loadPrices()).find(this.name);
  }

  async checkReady(): Promise<string | null> {
    const { environment, sandbox } = this.#options;
    if (this.#tiers.hasOwnCredential || sandbox === undefined || (await sandbox.inspect()).kind === 'none')
      return explainUnusableClaude(environment);
    const login = await readClaudeLogin(environment);
    if (login === 'missing') return explainUnusableClaude(environment);
    // Logged in or not: the sandbox does not show it.
    return login === 'logged-out' ? explainNoLogin : explainHiddenLogin;
  }

  async work<T>(task: CodingTask, schema: z.ZodType<T> | null): Promise<CodingReport<T>> {
    if (task.tools.mode === 'implement') checkPermittedCommands(task.tools.commands);
    type Tried = CodingAttempt<T> & { readonly end: AttemptEnd; readonly until: Date | null };
    const began = performance.now();
    const ended = await this.#tiers.run<Tried>(async (credential, earlier) => {
      const left = leftOf(task, earlier, performance.now() - began);
      const attempt = await this.#attempt(
        left,
        schema,
        credential,
        earlier.some(({ usage }) => usage.turns > 0),
      );
      const until = attempt.outcome.kind === 'quota' ? attempt.outcome.until : null;
      return {
        ...attempt,
        end: endOf(attempt.outcome, attempt.usage),
        until: until === null ? null : new Date(until),
      };
    });
    const strip = ({ end: _, until: __, ...attempt }: Tried): CodingAttempt<T> => attempt;
    const quota: CodingOutcome<T> = { kind: 'quota', until: ended.until?.toISOString() ?? null };
    if (ended.last === null) {
      const nothing = new ClaudeStream().conclude();
      return { ...describeAttempt(task, nothing, 'none', 0), outcome: quota, earlier: [] };
    }
    return {
      ...strip(ended.last),
      // Out of quota is a matter of time even if the last credential was not accepted.
      outcome: ended.until === null ? ended.last.outcome : quota,
      earlier: ended.earlier.map(strip),
    };
  }

  async #attempt<T>(
    task: CodingTask,
    schema: z.ZodType<T> | null,
    credential: ClaudeCredential,
    isSecond: boolean,
  ): Promise<CodingAttempt<T>> {
    const { environment, model, sandbox } = this.#options;
    const began = performance.now();
    const clean = (text: string, longest?: number): string => this.#tiers.clean(text, longest);
    const prices = await this.#loadPrices();
    const stream = new ClaudeStream(
      (progress) => tell(task, progress),
      (text) => clean(text, text.length),
      (name) => prices.find(`claude:${name}`),
    );
    let refused: readonly string[] = [];
    const describe = (): Omit<CodingAttempt<never>, 'outcome'> => {
      const attempt = describeAttempt(task, stream.conclude(), credential.name, performance.now() - began);
      const hosts = refused.map((host) => ({ tool: 'network', target: clean(host) }));
      return { ...attempt, denials: [...attempt.denials, ...hosts] };
    };
    const reached = findLimitReached(task);
    if (reached !== null) return { ...describe(), outcome: reached };
    const program = findClaude(environment);
    const exit: OwnedExit =
      program === null
        ? { kind: 'not-started' }
        : await runClaude({
            program,
            settings: 'none',
            args: [
              ...permissionArguments(task.tools),
              ...['--max-turns', String(task.turnLimit)],
              ...(task.costLimitUsd === undefined ? [] : ['--max-budget-usd', String(task.costLimitUsd)]),
              ...['--append-system-prompt', task.instructions],
              ...answerArguments(model, schema),
            ],
            folder: task.folder,
            environment,
            credential,
            prompt: isSecond ? `${task.task}\n\n${afterInterruption}` : task.task,
            limitMilliseconds: task.limitMilliseconds,
            signal: task.signal,
            enclosure:
              sandbox === undefined ? undefined : { sandbox, policy: claudePolicy(task, environment) },
            onRefused: (hosts) => {
              refused = hosts;
            },
            onLine: (line) => stream.take(line),
          });
    return { ...describe(), outcome: judgeWork(exit, stream.conclude(), task, schema, clean, this.name) };
  }
}

export function makeClaudeCodeAgent(options: ClaudeCodeAgentOptions): CodingAgent {
  return new ClaudeCodeAgent(options);
}
