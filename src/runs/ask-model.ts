/**
 * The one way a workflow calls a model: within budget, written down before and after, and never twice for the same
 * call, because an answer that was paid for is on the ledger and is used again after a crash.
 */
import type { z } from 'zod';
import { type Sha256, sha256 } from '../domain/ledger/hash.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { type Budget, boundTurn, estimateCall, limitsLeft, noUsage } from '../domain/models/budget.ts';
import { promptText } from '../domain/models/prompt-text.ts';
import { isReportedAsAsked } from '../domain/models/reported-model.ts';
import { GatewrightError, isGatewrightError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Model, ModelAnswer, ModelRequest, SpentAttempt } from '../ports/model.ts';
import type { Progress } from '../ports/progress.ts';
import type { KeptWork } from '../ports/proposals/kept-work.ts';
import { leaveToHalf, noteAnswer, noteFailure, replayAsked, takeFromHalf } from './answer-of-half.ts';
import { checkBudget, checkUnpriced, readSpent } from './check-budget.ts';
import { closeCutOff } from './grant-call.ts';
import type { Half } from './halves.ts';

/** Answers that were given, and paid, in another run. */
export interface RecordedAnswers {
  /** The id of that run. */
  readonly source: string;
  /** Null when this call is to be made. */
  answerOf(
    role: string,
    call: number,
    prompt: Sha256,
  ): { readonly value: unknown; readonly reportedModel: string } | null;
}

export interface AskContext {
  readonly runId: string;
  readonly subject: Subject;
  readonly ledger: Pick<Ledger, 'find' | 'putText' | 'getText' | 'readUsage' | 'readRun'>;
  /** Appends entries while the lease is held. */
  readonly record: (entry: NewEntry) => Promise<void>;
  /** Appends an entry together with the next one. */
  readonly note: (entry: NewEntry) => void;
  readonly actor: string;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly recorded: RecordedAnswers | null;
  /** Which half of the run this process does; missing when it does both. */
  readonly half?: Half;
  /** Missing where runs stay on the machine that has what they made. */
  readonly keptWork?: KeptWork;
  /** The option with which this run is continued on a model without a price, where its command has one. */
  readonly acceptUnpriced?: string;
}

interface Asked<T> {
  readonly value: T;
  readonly reportedModel: string;
  /** Hash of all that the model was sent. */
  readonly promptHash: string;
  /** The run that it was given in and is taken over from; null when it was asked for here. */
  readonly takenFrom: string | null;
}

/** What gave no answer to use counts against the budgets too, so it is written down even if the call then fails. */
async function recordSpent(
  { subject, runId }: AskContext,
  model: Model,
  { role }: ModelRequest,
  attempts: readonly SpentAttempt[],
  write: (entry: NewEntry) => Promise<void>,
): Promise<void> {
  for (const attempt of attempts) {
    await write({
      ...{ subject, run: runId, actor: model.name },
      kind: 'model-failed',
      data: { role, model: model.name, ...attempt },
    });
  }
}

/**
 * Writes down at once what comes before the end of a call. What the other half of the run was told is written in one
 * transaction with the end instead: a process that is killed between them has paid nothing that could be cut off.
 */
export function writerOf(
  { record, note }: Pick<AskContext, 'record' | 'note'>,
  isTold: boolean,
): (entry: NewEntry) => Promise<void> {
  return isTold ? async (entry) => note(entry) : record;
}

function callKey(context: AskContext, request: ModelRequest): string {
  return `${context.runId}/${request.role}#${request.call}`;
}

/** The answer that was given in another run, written down as such: nothing is sent and nothing is paid. */
async function useEarlierAnswer<T>(
  context: AskContext,
  request: ModelRequest,
  prompt: string,
  parse: (value: unknown) => T | null,
): Promise<Omit<Asked<T>, 'promptHash'> | null> {
  const { ledger, recorded, runId, subject } = context;
  const taken = recorded?.answerOf(request.role, request.call, sha256(prompt)) ?? null;
  if (recorded === null || taken === null) return null;
  const value = parse(taken.value);
  const { reportedModel } = taken;
  if (value === null) {
    throw new GatewrightError(
      'model-unusable-answer',
      `The recorded answer to ${request.role} call ${request.call} does not have the right form.`,
    );
  }
  await context.record({
    subject,
    run: runId,
    actor: `record:${recorded.source}`,
    kind: 'model-answered',
    key: callKey(context, request),
    data: {
      role: request.role,
      model: `record:${reportedModel}`,
      reportedModel,
      answer: await ledger.putText(JSON.stringify(value)),
      usage: noUsage,
      milliseconds: 0,
      takenFrom: recorded.source,
      prompt: await ledger.putText(prompt),
    },
  });
  return { value, reportedModel, takenFrom: recorded.source };
}

async function ask<T>(
  context: AskContext,
  model: Model,
  request: ModelRequest,
  purpose: string,
  call: (metered: ModelRequest) => Promise<ModelAnswer<T>>,
  parse: (value: unknown) => T | null,
): Promise<Asked<T>> {
  const { ledger, runId, subject, clock, progress, actor } = context;
  const prompt = promptText(request);
  const promptHash = sha256(prompt);
  const key = callKey(context, request);
  const earlier = await ledger.find('model-answered', key);
  if (earlier !== null) {
    return {
      value: JSON.parse(await ledger.getText(earlier.data.answer)) as T,
      reportedModel: earlier.data.reportedModel,
      promptHash,
      takenFrom: earlier.data.takenFrom ?? null,
    };
  }
  const taken = await useEarlierAnswer(context, request, prompt, parse);
  if (taken !== null) return { ...taken, promptHash };
  const name = { run: runId, role: request.role, call: request.call, prompt: promptHash };
  const proposed = takeFromHalf(context.half, name, 'asked');
  const pays = model.family !== null && model.isFree !== true;
  const id = pays ? await closeCutOff(context, request) : '';
  const spent = await readSpent(context);
  const price = pays ? await model.readPrice() : null;
  const estimate = estimateCall(prompt.length, price);
  // What the other half was told is paid already: it is written down, whatever is left.
  if (proposed === null) {
    if (pays && price === null) checkUnpriced(context.budget, model.name, context.acceptUnpriced);
    if (model.family !== null) checkBudget(context, spent, estimate);
    await leaveToHalf(context.half, name);
  }
  const end = pays ? { grant: { id } } : {};

  const entry = { subject, run: runId, actor };
  const write = writerOf(context, proposed !== null);
  await write({
    ...entry,
    kind: 'prompt-sent',
    data: {
      role: request.role,
      model: model.name,
      prompt: await ledger.putText(prompt),
      instructions: sha256(request.instructions),
      ...(pays ? { grant: { id, atMost: boundTurn(estimate.inputTokens, price) } } : {}),
    },
  });
  progress({ kind: 'calling', role: request.role, model: model.title, purpose });
  const began = clock.now().getTime();
  const unused: SpentAttempt[] = [];
  const { turnLimit } = request;
  const limited =
    turnLimit === undefined
      ? {}
      : { turnLimit: Math.min(turnLimit, limitsLeft(context.budget, spent).turns) };
  const recordEnd = (attempt: SpentAttempt): Promise<void> =>
    recordSpent(context, model, request, [{ ...attempt, ...end }], context.record);
  const onSpent = (attempt: SpentAttempt): void => {
    unused.push(attempt);
  };
  const took = (): number => proposed?.milliseconds ?? clock.now().getTime() - began;
  const answering = async (): Promise<ModelAnswer<T>> =>
    proposed === null
      ? call({ ...request, ...limited, onSpent })
      : replayAsked(proposed, request, onSpent, parse);
  const answer = await answering().catch(async (error: unknown) => {
    const why = isGatewrightError(error) ? error.code : 'internal';
    noteFailure(context.half, name, took(), unused, error);
    const nothing = { credential: '', reportedModel: '', usage: noUsage, why };
    // The end of the call is written even when nothing was paid; without it, the call would look cut off.
    const last = unused.at(-1) ?? (pays ? nothing : null);
    await recordSpent(context, model, request, unused.slice(0, -1), write);
    if (last !== null) await recordEnd(last);
    throw error;
  });
  const milliseconds = took();
  noteAnswer(context.half, name, milliseconds, unused, answer);
  await recordSpent(context, model, request, unused, write);
  if (model.family !== null && !isReportedAsAsked(model.name, answer.reportedModel)) {
    const { reportedModel, usage } = answer;
    const mismatch = { credential: '', reportedModel, usage, why: 'model-mismatch' } as const;
    await recordEnd(mismatch);
    throw new GatewrightError(
      'model-mismatch',
      `${model.name} was asked, but "${answer.reportedModel}" answered; its answer is not used.`,
    );
  }
  await context.record({
    ...entry,
    actor: model.name,
    kind: 'model-answered',
    key,
    data: {
      role: request.role,
      model: model.name,
      reportedModel: answer.reportedModel,
      answer: await ledger.putText(JSON.stringify(answer.value)),
      usage: answer.usage,
      milliseconds,
      ...end,
    },
  });
  progress({
    kind: 'answered',
    role: request.role,
    model: model.title,
    seconds: milliseconds / 1000,
    costUsd: answer.usage.costUsd,
    isUnpriced: answer.usage.isUnpriced === true,
  });
  return { value: answer.value, reportedModel: answer.reportedModel, promptHash, takenFrom: null };
}

export function askForText(
  context: AskContext,
  model: Model,
  request: ModelRequest,
  purpose: string,
): Promise<Asked<string>> {
  return ask(
    context,
    model,
    request,
    purpose,
    (metered) => model.answerText(metered),
    (value) => (typeof value === 'string' ? value : null),
  );
}

export function askForObject<T>(
  context: AskContext,
  model: Model,
  request: ModelRequest,
  purpose: string,
  schema: z.ZodType<T>,
): Promise<Asked<T>> {
  return ask(
    context,
    model,
    request,
    purpose,
    (metered) => model.answerObject(metered, schema),
    (value) => schema.safeParse(value).data ?? null,
  );
}
