/** Between a call of a run and the half of it that this process does: what is noted for the other half, what is taken from it. */
import type { z } from 'zod';
import type { Json } from '../domain/ledger/hash.ts';
import { type ErrorCode, GatewrightError, toGatewrightError } from '../errors.ts';
import type { CodingOutcome, CodingReport } from '../ports/coding-agent.ts';
import type { ModelAnswer, SpentAttempt } from '../ports/model.ts';
import type { LeftTree } from '../ports/proposals/parcels.ts';
import type { AskedCall, CallFailure, CallName, Half, WorkedCall, WorkReport } from './halves.ts';

/** The value as the ledger keeps it, too. */
function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}

function failureOf(error: unknown): CallFailure {
  const { code, message, details, until } = toGatewrightError(error);
  return { code, message, details, until };
}

/** What the other half has for this call; null where this process asks itself. Without it, the run waits for it. */
export function takeFromHalf<K extends (AskedCall | WorkedCall)['kind']>(
  half: Half | undefined,
  name: CallName,
  kind: K,
): Extract<AskedCall | WorkedCall, { kind: K }> | null {
  if (half?.kind !== 'acts') return null;
  const found = half.find(name);
  return found?.kind === kind ? (found as Extract<AskedCall | WorkedCall, { kind: K }>) : null;
}

/** Throws right before a call that this process must not make. */
export async function leaveToHalf(half: Half | undefined, { run, role, call }: CallName): Promise<void> {
  if (half?.kind === 'asks') await half.checkMayAsk(run);
  if (half?.kind !== 'acts') return;
  throw new GatewrightError('waits-for-model', `It waits for a model: the ${role}, call ${call}.`);
}

/** The answer as the model gave it, or its failure as it was thrown. */
export function replayAsked<T>(
  { spent, end }: AskedCall,
  { role, call }: Pick<CallName, 'role' | 'call'>,
  onSpent: (attempt: SpentAttempt) => void,
  parse: (value: unknown) => T | null,
): ModelAnswer<T> {
  for (const attempt of spent) onSpent(attempt);
  if ('failure' in end) {
    const { code, message, details, until } = end.failure;
    throw new GatewrightError(code, message, { details, ...(until === null ? {} : { until }) });
  }
  const value = parse(end.value);
  const { reportedModel, usage } = end;
  if (value !== null) return { value, reportedModel, usage };
  onSpent({ credential: '', reportedModel, usage, why: 'model-unusable-answer' satisfies ErrorCode });
  throw new GatewrightError(
    'model-unusable-answer',
    `The answer to ${role} call ${call} does not have the right form.`,
  );
}

export function noteAnswer<T>(
  half: Half | undefined,
  name: CallName,
  milliseconds: number,
  spent: readonly SpentAttempt[],
  answer: ModelAnswer<T>,
): void {
  if (half?.kind !== 'asks') return;
  const { value, reportedModel, usage } = answer;
  half.note(name, {
    ...{ kind: 'asked', milliseconds, spent: [...spent] },
    end: { value: toJson(value), reportedModel, usage },
  });
}

export function noteFailure(
  half: Half | undefined,
  name: CallName,
  milliseconds: number,
  spent: readonly SpentAttempt[],
  error: unknown,
): void {
  if (half?.kind !== 'asks') return;
  half.note(name, {
    ...{ kind: 'asked', milliseconds, spent: [...spent] },
    end: { failure: failureOf(error) },
  });
}

/** The files in what a run keeps of a copy; null where it keeps none. */
export function leftTreeOf(left: unknown, start: string | undefined): LeftTree | null {
  const { snapshot } = (left ?? {}) as { readonly snapshot?: { readonly tree?: unknown } };
  if (start === undefined || typeof snapshot?.tree !== 'string') return null;
  return { start, tree: snapshot.tree };
}

/** @param left what was found in the folder, which holds the tree where files count */
export function noteWork<T>(
  half: Half | undefined,
  name: CallName,
  found: {
    readonly took: number;
    readonly isOverBudget: boolean;
    readonly start: string | undefined;
    readonly left: unknown;
  },
  report: CodingReport<T>,
): void {
  if (half?.kind !== 'asks') return;
  const { took, isOverBudget, start } = found;
  const { sessionId: _, earlier, ...rest } = report;
  const left = leftTreeOf(found.left, start);
  const told = { ...rest, earlier: earlier.map(({ sessionId: __, ...attempt }) => attempt) };
  half.note(name, {
    ...{ kind: 'worked', milliseconds: took, isOverBudget, left },
    report: toJson(told) as unknown as WorkReport,
  });
}

/** An outcome whose object has the form that is asked for; another one counts as an answer that cannot be read. */
function readOutcome<T>(outcome: CodingOutcome<Json>, schema: z.ZodType<T> | null): CodingOutcome<T> {
  if (outcome.kind !== 'finished') return outcome;
  if (schema === null) return { ...outcome, object: null };
  const { data, error } = schema.safeParse(outcome.object);
  if (error === undefined) return { ...outcome, object: data };
  return { kind: 'failed', why: 'garbage', detail: 'its answer does not have the right form' };
}

/** The report as the agent gave it, with the files that it left in the folder. */
export async function replayWork<T>(
  half: Half | undefined,
  { report, left }: WorkedCall,
  folder: string,
  schema: z.ZodType<T> | null,
): Promise<CodingReport<T>> {
  if (left !== null && half?.kind === 'acts') await half.restore(left, folder);
  const { earlier, ...last } = report;
  const whole = (attempt: WorkReport['earlier'][number]) => ({
    ...attempt,
    sessionId: '',
    outcome: readOutcome(attempt.outcome, schema),
  });
  return { ...whole(last), earlier: earlier.map(whole) };
}
