/**
 * Has other jobs go on: the workflow of these agents again for runs that wait for a model, and those of other agents for
 * what was handed on to them. Each start is an effect of the run that needs it, so that a job that is killed starts
 * nothing twice, and a run no end of them.
 */
import { workflowFileOfWorker } from '../../domain/fleet/workflow-files.ts';
import { type GatewrightError, isGatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { FleetTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import type { Applied, EventForOthers } from './apply-runs.ts';

/** A workflow that could not be started, and how to mend that. */
export interface NotStarted {
  readonly file: string;
  readonly why: string;
  readonly hint: string;
}

export interface Starts {
  /** Files of the workflows that were started, or were before. */
  readonly started: readonly string[];
  readonly notStarted: readonly NotStarted[];
}

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

/** The general advice for these refusals is about issues and drafts; here they say that the file cannot be started. */
function hintFor(error: GatewrightError, file: string): string {
  if (error.code === 'forge-not-found' || error.code === 'forge-rejected')
    return `Put .github/workflows/${file} with "workflow_dispatch" on the default branch (gatewright init --actions writes it), and enable it under Actions.`;
  if (error.code === 'forge-forbidden') return 'Give the job the permission "actions: write".';
  return error.hint;
}

/**
 * The work of the job is done by then: that another workflow cannot be started must not fail it, or each later job of the
 * fleet would fail over the same file. What is not started is told.
 */
class Starting {
  readonly #house: FleetTools;
  readonly started: string[] = [];
  readonly notStarted: NotStarted[] = [];

  constructor(house: FleetTools) {
    this.#house = house;
  }

  /** By the first of these runs on which nobody works. @returns the refusal of the last one, when somebody works on all */
  async startBy(
    file: string,
    runs: readonly {
      readonly run: { readonly id: string; readonly subject: string };
      readonly key: string;
    }[],
  ): Promise<GatewrightError | null> {
    let held: GatewrightError | null = null;
    for (const { run, key } of runs) {
      try {
        await start(this.#house, run, key, file);
        this.started.push(file);
        return null;
      } catch (error) {
        if (!isGatewrightError(error)) throw error;
        if (!isGatewrightError(error, 'lease-held', 'lease-lost')) {
          this.tell(file, error);
          return null;
        }
        held = error;
      }
    }
    return held;
  }

  tell(file: string, error: GatewrightError): void {
    this.notStarted.push({ file, why: error.message, hint: hintFor(error, file) });
  }
}

export async function startWorkflows(
  house: FleetTools,
  { waiting, others }: Pick<Applied, 'waiting' | 'others'>,
  /** Null where runs that wait get their model in the next job of this workflow run. */
  own: { readonly file: string; readonly workflowRun: number } | null,
): Promise<Starts> {
  if (house.workflows === undefined) return { started: [], notStarted: [] };
  const starting = new Starting(house);
  if (own !== null) {
    const key = `model/${own.workflowRun}`;
    const held = await starting.startBy(
      own.file,
      waiting.map((run) => ({ run, key })),
    );
    if (held !== null) starting.tell(own.file, held);
  }
  // The newest stands for those before it: the workflow handles all that is open when it begins.
  const newest = new Map<string, EventForOthers>();
  for (const event of others) {
    const file = workflowFileOfWorker(event.to);
    if (file !== null) newest.set(file, event);
  }
  for (const [file, { delivery, from }] of newest) {
    const run = await house.views.findRun(from);
    // When another job works on that subject, it starts what it leaves open when it ends.
    if (run !== null) await starting.startBy(file, [{ run, key: `start/${delivery}` }]);
  }
  return starting;
}
