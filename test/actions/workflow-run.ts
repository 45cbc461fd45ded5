/** One run of a workflow: its jobs in the order of their needs, each on a machine of its own. */
import { fillText, fillValue, holds, type Scope } from './evaluate-expression.ts';
import type { Job, Workflow } from './read-workflow.ts';
import type { JobEnd } from './run-job.ts';
import type { Conclusion } from './run-steps.ts';

export interface GroupWish {
  readonly group: string;
  readonly queue: string;
  readonly isCancelling: boolean;
}

export interface RunPlan {
  readonly workflow: Workflow;
  /** `github`, `inputs`, `vars`. */
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly stop: AbortController;
  /** Waits for a machine and runs the job there. */
  readonly runJob: (
    id: string,
    job: Job,
    needs: Readonly<Record<string, unknown>>,
    stop: AbortController,
  ) => Promise<JobEnd>;
  /** Null when it was cancelled while it waited. */
  readonly enterGroup: (wish: GroupWish, cancel: () => void) => Promise<(() => void) | null>;
}

function skip(id: string, job: Job, conclusion: Conclusion): JobEnd {
  return {
    ...{ id, name: job.name ?? id, conclusion, outputs: {}, steps: [], annotations: [] },
    ...{ log: '', summary: '', granted: {}, milliseconds: 0 },
  };
}

/** The jobs before it, and those before them. */
function ancestorsOf(workflow: Workflow, id: string): Set<string> {
  const found = new Set<string>();
  const add = (one: string): void => {
    for (const need of workflow.jobs[one]?.needs ?? []) {
      found.add(need);
      add(need);
    }
  };
  add(id);
  return found;
}

export function readConcurrency(concurrency: NonNullable<Workflow['concurrency']>, scope: Scope): GroupWish {
  const isCancelling = fillValue(concurrency['cancel-in-progress'], scope) === true;
  return { group: fillText(concurrency.group, scope), queue: concurrency.queue, isCancelling };
}

async function runInGroup(
  plan: RunPlan,
  id: string,
  job: Job,
  needs: Record<string, unknown>,
): Promise<JobEnd> {
  const stop = new AbortController();
  const onStop = (): void => stop.abort(plan.stop.signal.reason);
  plan.stop.signal.addEventListener('abort', onStop, { once: true });
  if (job.concurrency === undefined) return plan.runJob(id, job, needs, stop);
  const scope: Scope = { contexts: { ...plan.contexts, needs }, status: null, hashFiles: null };
  const leave = await plan.enterGroup(readConcurrency(job.concurrency, scope), () => stop.abort('cancelled'));
  if (leave === null) return skip(id, job, 'cancelled');
  try {
    return await plan.runJob(id, job, needs, stop);
  } finally {
    leave();
  }
}

export async function runWorkflow(
  plan: RunPlan,
): Promise<{ readonly conclusion: Conclusion; readonly jobs: JobEnd[] }> {
  const { workflow, stop } = plan;
  const ends = new Map<string, JobEnd>();
  const running = new Map<string, Promise<void>>();
  const begin = async (id: string, job: Job): Promise<void> => {
    const before = [...ancestorsOf(workflow, id)].map((one) => ends.get(one)?.conclusion ?? 'skipped');
    const direct = job.needs.map((one) => [one, ends.get(one)] as const);
    const needs = Object.fromEntries(
      direct.map(([one, end]) => [
        one,
        { result: end?.conclusion ?? 'skipped', outputs: end?.outputs ?? {} },
      ]),
    );
    const isCancelled = stop.signal.aborted;
    const status = {
      isSuccess: direct.every(([, end]) => end?.conclusion === 'success') && !before.includes('failure'),
      isFailure: before.includes('failure'),
      isCancelled,
    };
    const scope: Scope = { contexts: { ...plan.contexts, needs }, status, hashFiles: null };
    let end: JobEnd;
    if (isCancelled || !holds(job.if, scope)) end = skip(id, job, isCancelled ? 'cancelled' : 'skipped');
    else end = await runInGroup(plan, id, job, needs);
    ends.set(id, end);
  };
  const jobs = Object.entries(workflow.jobs);
  while (ends.size < jobs.length) {
    for (const [id, job] of jobs) {
      if (running.has(id) || !job.needs.every((one) => ends.has(one))) continue;
      running.set(id, begin(id, job));
    }
    // A job that is skipped has ended at once.
    const open = [...running].filter(([id]) => !ends.has(id)).map(([, one]) => one);
    if (open.length > 0) await Promise.race(open);
  }
  const all = jobs.flatMap(([id]) => ends.get(id) ?? []);
  const conclusions = all.map(({ conclusion }) => conclusion);
  const conclusion = conclusions.includes('failure')
    ? 'failure'
    : conclusions.includes('cancelled')
      ? 'cancelled'
      : conclusions.every((one) => one === 'skipped')
        ? 'skipped'
        : 'success';
  return { conclusion, jobs: all };
}
