/**
 * Has other jobs go on: the workflow of these agents again for runs that wait for a model, and those of other agents for
 * what was handed on to them. Each start is an effect of the run that needs it, so that a job that is killed starts
 * nothing twice, and a run no end of them.
 */
import { workflowFileOfWorker } from '../../domain/fleet/workflow-files.ts';
import { isGatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { FleetTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import type { Applied, EventForOthers } from './apply-runs.ts';

/** A loop of many tasks asks often; an agent never does. */
const mostStarts = 200;

async function start(
  house: FleetTools,
  run: { readonly id: string; readonly subject: string },
  key: string,
  file: string,
): Promise<void> {
  const lease = await acquireLease(house, run.subject);
  try {
    const effects = makeEffects(house, {
      ...{ run: run.id, subject: run.subject, fence: lease, dryRun: false },
      allowance: { 'start-workflow': mostStarts },
    });
    const repository = house.repositoryName;
    const branch = await house.forge.defaultBranch(repository);
    await effects.perform(key, 'start-workflow', () => ({ repository, file, branch }));
  } finally {
    await lease.release();
  }
}

/** The files of the workflows that were started, or were before. */
export async function startWorkflows(
  house: FleetTools,
  { waiting, others }: Pick<Applied, 'waiting' | 'others'>,
  /** Null where runs that wait get their model in the next job of this workflow run. */
  own: { readonly file: string; readonly workflowRun: number } | null,
): Promise<string[]> {
  if (house.workflows === undefined) return [];
  const started: string[] = [];
  const [first] = waiting;
  if (own !== null && first !== undefined) {
    await start(house, first, `model/${own.workflowRun}`, own.file);
    started.push(own.file);
  }
  // The newest stands for those before it: the workflow handles all that is open when it begins.
  const newest = new Map<string, EventForOthers>();
  for (const event of others) {
    const file = workflowFileOfWorker(event.to);
    if (file !== null) newest.set(file, event);
  }
  for (const [file, { delivery, from }] of newest) {
    const run = await house.views.findRun(from);
    if (run === null) continue;
    try {
      await start(house, run, `start/${delivery}`, file);
      started.push(file);
    } catch (error) {
      // Another job works on that subject; it starts what it leaves open when it ends.
      if (!isGatewrightError(error, 'lease-held')) throw error;
    }
  }
  return started;
}
