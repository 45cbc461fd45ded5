/** When retrying does not help any more: the plan is stale, and a person looks at it. */

export interface RetryCounters {
  /** The task that failed last. */
  readonly task: string | null;
  /** How often it failed in a row. */
  readonly sameTask: number;
  /** How many attempts failed in a row, of any task. */
  readonly consecutive: number;
}

export const noRetries: RetryCounters = { task: null, sameTask: 0, consecutive: 0 };

interface StaleRule {
  readonly enabled: boolean;
  readonly sameTaskRetryThreshold: number;
  readonly consecutiveRetryThreshold: number;
}

export interface StaleJudgement {
  readonly counters: RetryCounters;
  /** Why a new plan is needed; null when work goes on. */
  readonly replan: string | null;
}

/**
 * Moves the counters by one judged attempt: a failure counts, and an attempt that passed begins anew. Where a limit is
 * reached the counters begin anew too, so that the next plan has all its retries.
 * @param attempt `isExhausted`: it was the last attempt that the task has; then it is blocked, which is for a person too
 */
export function judgeStale(
  counters: RetryCounters,
  attempt: { readonly task: string; readonly isPassed: boolean; readonly isExhausted?: boolean },
  { execution: { stalePlan } }: { readonly execution: { readonly stalePlan: StaleRule } },
): StaleJudgement {
  if (attempt.isPassed) return { counters: noRetries, replan: null };
  const next: RetryCounters = {
    task: attempt.task,
    sameTask: attempt.task === counters.task ? counters.sameTask + 1 : 1,
    consecutive: counters.consecutive + 1,
  };
  if (!stalePlan.enabled || attempt.isExhausted === true) return { counters: next, replan: null };
  const { sameTaskRetryThreshold: same, consecutiveRetryThreshold: inRow } = stalePlan;
  if (next.sameTask >= same)
    return {
      counters: noRetries,
      replan: `${next.task} failed ${timesOf(next.sameTask)} in a row (the limit is ${same}).`,
    };
  if (next.consecutive >= inRow)
    return {
      counters: noRetries,
      replan: `${next.consecutive} attempts failed in a row (the limit is ${inRow}).`,
    };
  return { counters: next, replan: null };
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
