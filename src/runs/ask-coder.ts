/**
 * The one way in which a run uses a coding agent: within what the budget has left, every attempt on the ledger with its
 * cost, and never paid for twice, because the result is on the ledger together with the files that the agent left.
 */
import type { z } from 'zod';
import { type Denials, keepDenials } from '../domain/ledger/denial.ts';
import { sha256 } from '../domain/ledger/hash.ts';
import { addUsage, boundTurn, estimateCall, limitsLeft, noUsage } from '../domain/models/budget.ts';
import { type ErrorCode, GatewrightError, isGatewrightError } from '../errors.ts';
import type {
  CodingAgent,
  CodingAttempt,
  CodingFailure,
  CodingOutcome,
  CodingTask,
  PermissionDenial,
} from '../ports/coding-agent.ts';
import { leaveToHalf, leftTreeOf, noteWork, replayWork, takeFromHalf } from './answer-of-half.ts';
import { type AskContext, writerOf } from './ask-model.ts';
import { checkBudget, checkUnpriced, readSpent, turnsBreach } from './check-budget.ts';
import { closeCutOff, makeMeter } from './grant-call.ts';

/** What came of the work as far as a run can go on with it; the rest is thrown as an error. */
type CodingEnd<T> =
  | { readonly kind: 'finished'; readonly text: string; readonly object: T | null }
  | { readonly kind: 'turns-exhausted' };

export interface Coded<T, L> {
  readonly end: CodingEnd<T>;
  /** What was found in the folder right after it. */
  readonly left: L;
  readonly denials: readonly PermissionDenial[];
  readonly reportedModel: string;
}

const failureCodes: Readonly<Record<CodingFailure, ErrorCode>> = {
  timeout: 'model-unavailable',
  overload: 'model-unavailable',
  aborted: 'cancelled',
  crash: 'model-unusable-answer',
  garbage: 'model-unusable-answer',
  budget: 'budget-exceeded',
  'not-authenticated': 'model-not-authenticated',
  'not-installed': 'coder-not-installed',
  'unknown-model': 'model-unknown',
  'wrong-model': 'model-mismatch',
};

function codeOf(outcome: CodingOutcome<unknown>): ErrorCode {
  switch (outcome.kind) {
    case 'failed':
      return failureCodes[outcome.why];
    case 'quota':
      return 'quota-exhausted';
    case 'refused':
      return 'model-refused';
    default:
      return 'model-unusable-answer';
  }
}

function errorOf(agent: CodingAgent, outcome: CodingOutcome<unknown>): GatewrightError {
  const code = codeOf(outcome);
  switch (outcome.kind) {
    case 'quota':
      return new GatewrightError(code, `${agent.title} is out of quota.`, {
        ...(outcome.until === null ? {} : { until: outcome.until }),
      });
    case 'refused':
      return new GatewrightError(
        code,
        outcome.by === 'model'
          ? `${agent.title} would not do it: ${outcome.detail.slice(0, 300)}`
          : `Everything that ${agent.title} tried was denied: ${outcome.detail.slice(0, 300)}`,
      );
    case 'failed':
      return new GatewrightError(code, `${agent.title} did not finish: ${outcome.detail.slice(0, 300)}`, {
        ...(outcome.problems === undefined ? {} : { details: outcome.problems }),
      });
    default:
      return new GatewrightError(code, `${agent.title} did not finish.`);
  }
}

interface Stored<T, L> {
  readonly end: CodingEnd<T>;
  readonly left: L;
  readonly denials: readonly PermissionDenial[];
}

/** Missing where there were none. */
function denialsOf(denials: readonly PermissionDenial[]): { readonly denials?: Denials } {
  const kept = keepDenials(denials);
  return kept === undefined ? {} : { denials: kept };
}

function callKey(runId: string, role: string, call: number): string {
  return `${runId}/${role}#${call}`;
}

/** What a call of this run gave; null when it has not come to an end yet. */
export async function recallCoded<T, L>(
  { ledger, runId }: Pick<AskContext, 'ledger' | 'runId'>,
  role: string,
  call: number,
): Promise<Coded<T, L> | null> {
  const earlier = await ledger.find('model-answered', callKey(runId, role, call));
  if (earlier === null) return null;
  const stored = JSON.parse(await ledger.getText(earlier.data.answer)) as Stored<T, L>;
  return { ...stored, reportedModel: earlier.data.reportedModel };
}

/** The work of another run, written down as such: no agent works and nothing is paid. */
async function takeRecorded<T, L>(
  { ledger, recorded, runId, subject, record }: AskContext,
  { role, call, instructions, task }: Pick<CodingTask, 'role' | 'call' | 'instructions' | 'task'>,
): Promise<Coded<T, L> | null> {
  const prompt = `${instructions}\n\n${task}`;
  const taken = recorded?.answerOf(role, call, sha256(prompt)) ?? null;
  if (recorded === null || taken === null) return null;
  const { end, left, denials } = taken.value as Stored<T, L>;
  const stored: Stored<T, L> = { end, denials, left };
  const { reportedModel } = taken;
  await record({
    ...{ subject, run: runId, actor: `record:${recorded.source}` },
    kind: 'model-answered',
    key: callKey(runId, role, call),
    data: {
      ...{ role, model: `record:${reportedModel}`, reportedModel, usage: noUsage, milliseconds: 0 },
      answer: await ledger.putText(JSON.stringify(stored)),
      takenFrom: recorded.source,
      prompt: await ledger.putText(prompt),
    },
  });
  return { ...stored, reportedModel };
}

/**
 * @param lookAfter reads what the agent left, right after it stopped; kept with the answer, so that after a crash the
 * files need not be there any more
 */
export async function askCoder<T, L>(
  context: AskContext,
  agent: CodingAgent,
  task: Omit<CodingTask, 'costLimitUsd'>,
  purpose: string,
  schema: z.ZodType<T> | null,
  lookAfter: () => Promise<L>,
): Promise<Coded<T, L>> {
  const { ledger, runId, subject, clock, progress } = context;
  const earlier = await recallCoded<T, L>(context, task.role, task.call);
  if (earlier !== null) return earlier;
  const key = callKey(runId, task.role, task.call);
  const taken = await takeRecorded<T, L>(context, task);
  if (taken !== null) return taken;
  const pays = agent.isFree !== true;
  const prompt = `${task.instructions}\n\n${task.task}`;
  const name = { run: runId, role: task.role, call: task.call, prompt: sha256(prompt) };
  const told = takeFromHalf(context.half, name, 'worked');
  // Work that began at another commit is other work.
  const proposed = told?.left != null && told.left.start !== task.start ? null : told;
  const id = pays ? await closeCutOff(context, task) : '';
  const spent = await readSpent(context);
  const price = pays ? await agent.readPrice() : null;
  const first = estimateCall(prompt.length, price);
  // What the other half was told is paid already: it is written down, whatever is left.
  if (proposed === null) {
    if (pays && price === null) checkUnpriced(context.budget, agent.name);
    checkBudget(context, spent, first);
    await leaveToHalf(context.half, name);
  }
  const left = limitsLeft(context.budget, spent);
  const limit = { usd: left.usd, turns: Math.min(task.turnLimit, left.turns) };
  const grant = { id, limit, atMost: boundTurn(first.inputTokens, price) };
  const ended = pays ? { grant: { id } } : {};
  const { record } = context;
  const write = writerOf(context, proposed !== null);
  await write({
    ...{ subject, run: runId, actor: context.actor },
    kind: 'prompt-sent',
    data: {
      role: task.role,
      model: agent.name,
      prompt: await ledger.putText(prompt),
      instructions: sha256(task.instructions),
      ...(pays ? { grant } : {}),
    },
  });
  progress({ kind: 'calling', role: task.role, model: agent.title, purpose });
  const began = clock.now().getTime();
  const meter = makeMeter(async (used, read) => {
    // By now the coding agent is at its next turn, which reads what the last one did and its results.
    const atMost = addUsage(used, boundTurn(Math.max(first.inputTokens, 2 * read), price));
    await record({
      ...{ subject, run: runId, actor: agent.name },
      kind: 'work-metered',
      data: { role: task.role, model: agent.name, grant: { id, limit, atMost } },
    });
  });
  const onProgress: CodingTask['onProgress'] = (at) => {
    if (at.usage !== undefined && pays) meter.take(at.usage);
    task.onProgress?.(at);
  };
  const bounded = { ...task, onProgress, turnLimit: limit.turns, costLimitUsd: limit.usd };
  const report =
    proposed === null
      ? await agent.work(bounded, schema)
      : await replayWork(context.half, proposed, task.folder, schema);
  await meter.end();
  const took = (): number => proposed?.milliseconds ?? clock.now().getTime() - began;
  const spend = async (
    attempt: CodingAttempt<T>,
    why = codeOf(attempt.outcome),
    end: typeof ended | null = null,
  ): Promise<void> => {
    const { credential, reportedModel, usage, denials } = attempt;
    await (end === null ? write : record)({
      ...{ subject, run: runId, actor: agent.name },
      kind: 'model-failed',
      data: {
        ...{ role: task.role, model: agent.name, credential, reportedModel, usage, why, ...(end ?? {}) },
        ...denialsOf(denials),
      },
    });
  };
  for (const attempt of report.earlier) await spend(attempt);
  const { outcome, denials, reportedModel, usage } = report;
  const isOverBudget =
    proposed?.isOverBudget ?? (outcome.kind === 'turns-exhausted' && limit.turns < task.turnLimit);
  const note = (left: unknown): void =>
    noteWork(context.half, name, { took: took(), isOverBudget, start: task.start, left }, report);
  if (isOverBudget) {
    note(null);
    // The task had turns left; the budget had not. What helps is another budget, and not another run.
    await spend(report, 'budget-exceeded', ended);
    throw turnsBreach(context, spent, limit.turns);
  }
  if (outcome.kind !== 'finished' && outcome.kind !== 'turns-exhausted') {
    note(null);
    await spend(report, codeOf(outcome), ended);
    throw errorOf(agent, outcome);
  }
  const found = await lookAfter().catch(async (error: unknown) => {
    // The attempt gave nothing to use, but was paid for.
    note(null);
    await spend(report, isGatewrightError(error) ? error.code : 'internal', ended);
    throw error;
  });
  note(found);
  // The answer names the files by their hash, on whichever machine it is read.
  const files = leftTreeOf(found, task.start);
  if (files !== null) await context.keptWork?.keep(runId, files);
  const stored: Stored<T, L> = { end: outcome, denials, left: found };
  const milliseconds = took();
  await record({
    ...{ subject, run: runId, actor: agent.name },
    kind: 'model-answered',
    key,
    data: {
      role: task.role,
      model: agent.name,
      reportedModel,
      answer: await ledger.putText(JSON.stringify(stored)),
      usage,
      milliseconds,
      ...ended,
      ...denialsOf(denials),
    },
  });
  const seconds = milliseconds / 1000;
  const { costUsd } = usage;
  progress({ kind: 'answered', role: task.role, model: agent.title, seconds, costUsd, isUnpriced: false });
  return { ...stored, reportedModel };
}
