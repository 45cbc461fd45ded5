/**
 * Has other jobs go on: the workflow of these agents again for runs that wait for a model, and those of other agents for
 * what was handed on to them. Each start is an effect of the run that needs it, so that a job that is killed starts
 * nothing twice, and a run no end of them.
 */
import { sha256 } from '../../domain/ledger/hash.ts';
import { choreSubject } from '../../domain/ledger/subject.ts';
import { type GatewrightError, isGatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { FleetTools } from '../../runs/house.ts';
import { makeEffects } from '../../runs/make-effects.ts';
import type { Applied, EventForOthers, LeftHeld } from './apply-runs.ts';

/** A workflow that could not be started, and how to mend that. */
interface NotStarted {
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

/**
 * For the same event or run that somebody else works on whenever a job looks: a job waits some minutes, so this is more
 * than half an hour. And for a run that jobs cannot ask a model about, whatever keeps them from it.
 */
const mostRestarts = 10;

interface StartingRun {
  readonly id: string;
  readonly subject: string;
}

async function start(
  house: FleetTools,
  run: StartingRun,
  { key, file, most }: { readonly key: string; readonly file: string; readonly most: number },
): Promise<void> {
  const lease = await acquireLease(house, run.subject);
  try {
    const effects = makeEffects(house, {
      ...{ run: run.id, subject: run.subject, fence: lease, dryRun: false },
      allowance: { 'start-workflow': most },
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

  /**
   * By the first of these runs on which nobody works and that has a start left.
   * @returns the refusal of the last one, when there is no such run
   */
  async startBy(
    file: string,
    runs: readonly { readonly run: StartingRun; readonly key: string }[],
    most = mostStarts,
  ): Promise<GatewrightError | null> {
    let refusal: GatewrightError | null = null;
    for (const { run, key } of runs) {
      try {
        await start(this.#house, run, { key, file, most });
        this.started.push(file);
        return null;
      } catch (error) {
        if (!isGatewrightError(error)) throw error;
        if (!isGatewrightError(error, 'lease-held', 'lease-lost', 'effect-over-cap')) {
          this.tell(file, error);
          return null;
        }
        refusal = error;
      }
    }
    return refusal;
  }

  tell(file: string, error: GatewrightError): void {
    this.notStarted.push({ file, why: error.message, hint: hintFor(error, file) });
  }
}

/**
 * What starts the workflow again for something that somebody works on: the lease is theirs, and an event may have no run
 * yet. So each has a run of its own for its starts, with nothing else in it, and the cap counts those of all jobs.
 */
function restarterOf({ repositoryName }: FleetTools, { id }: Pick<LeftHeld, 'id'>): StartingRun {
  const name = `restart-${sha256(id).slice(0, 20)}`;
  return { id: name, subject: choreSubject(repositoryName, name) };
}

/** What a run is called as long as it gets no further answer: with the next one its starts are counted anew. */
async function nameUnanswered({ ledger }: FleetTools, run: string): Promise<Pick<LeftHeld, 'id'>> {
  const answers = (await ledger.readRun(run)).filter(({ kind }) => kind === 'model-answered').length;
  return { id: `${run}/${answers}` };
}

async function startOwn(
  house: FleetTools,
  starting: Starting,
  { waiting, left, unanswered }: Ended,
  { file, workflowRun }: OwnWorkflow,
): Promise<void> {
  if (waiting.length + left.length === 0) return;
  const key = `model/${workflowRun}`;
  let refusal = await starting.startBy(
    file,
    waiting.filter(({ id }) => unanswered?.has(id) !== true).map((run) => ({ run, key })),
  );
  if (starting.started.length + starting.notStarted.length > 0) return;
  const idle = waiting.filter(({ id }) => unanswered?.has(id) === true);
  const unasked = await Promise.all(idle.map(({ id }) => nameUnanswered(house, id)));
  // Of this workflow run: an older start for the same event does not stand for this one.
  const again = [...left, ...unasked].map((one) => ({
    run: restarterOf(house, one),
    key: `start/${workflowRun}`,
  }));
  if (again.length > 0) refusal = await starting.startBy(file, again, mostRestarts);
  if (refusal !== null) starting.tell(file, refusal);
}

interface Ended extends Pick<Applied, 'waiting' | 'left'> {
  /** Runs that the proposal has no answer for, although the job before took them up: the next one may fare no better. */
  readonly unanswered?: ReadonlySet<string>;
}

interface OwnWorkflow {
  readonly file: string;
  readonly workflowRun: number;
}

/** @param own null when the file is not known */
export async function startWorkflows(
  house: FleetTools,
  { others, ...ended }: Ended & Pick<Applied, 'others'>,
  own: OwnWorkflow | null,
): Promise<Starts> {
  if (house.workflows === undefined) return { started: [], notStarted: [] };
  const starting = new Starting(house);
  if (own !== null) await startOwn(house, starting, ended, own);
  // The newest stands for those before it: the workflow handles all that is open when it begins.
  const newest = new Map<string, EventForOthers>();
  for (const event of others) newest.set(event.file, event);
  for (const [file, { delivery, from }] of newest) {
    const run = await house.views.findRun(from);
    if (run === null) continue;
    const refusal = await starting.startBy(file, [{ run, key: `start/${delivery}` }]);
    // When another job works on that subject, it starts what it leaves open when it ends.
    if (refusal?.code === 'effect-over-cap') starting.tell(file, refusal);
  }
  const { started, notStarted } = starting;
  return { started, notStarted };
}
