/** What waits, runs, has stopped and was done today, over all repositories. Reads nothing but the views. */
import { agentOf, type RunSummary, withoutOvertaken } from '../domain/ledger/run.ts';
import { isSubjectOf } from '../domain/ledger/subject.ts';
import type { ClosedIssues } from '../ports/closed-issues.ts';
import type { Leases } from '../ports/leases.ts';
import type { OpenGate, RunViews, Waiting } from '../ports/ledger.ts';
import { explainRun, type Standing, standingOf } from './explain-subject.ts';

interface StandingRun {
  readonly run: RunSummary;
  readonly standing: Standing;
}

interface StoppedRun extends StandingRun {
  readonly why: string;
  /** The label "hold" is on its issue or pull request: to resume it would only stop it again. */
  readonly isHeld: boolean;
}

export interface Status {
  /** Gates that a person answers here; first those of the repository that the person is in. */
  readonly gates: readonly OpenGate[];
  /** Those of them whose run only waits; the others are of runs that stopped for another reason. */
  readonly waiting: readonly OpenGate[];
  /** What a person answers on the forge. */
  readonly asked: readonly Waiting[];
  readonly running: readonly RunSummary[];
  readonly stopped: readonly StoppedRun[];
  /** Runs that a person put aside. */
  readonly dismissed: readonly RunSummary[];
  /** Unfinished runs whose folder is not where it was: they continue when it is put back. */
  readonly gone: readonly RunSummary[];
  readonly today: {
    readonly filed: number;
    readonly designs: number;
    readonly agents: number;
    readonly costUsd: number;
    readonly costAtMostUsd: number;
    readonly hasUnpriced?: boolean;
  };
}

export const nothingYet: Status = {
  gates: [],
  waiting: [],
  asked: [],
  running: [],
  stopped: [],
  dismissed: [],
  gone: [],
  today: { filed: 0, designs: 0, agents: 0, costUsd: 0, costAtMostUsd: 0 },
};

interface StatusSources {
  readonly views: RunViews;
  readonly leases: Pick<Leases, 'holderOf'>;
  readonly closed: ClosedIssues;
  /** Where the person is. */
  readonly folder: string;
  /** Only what is of this repository; missing where all are shown. */
  readonly onlyOf?: string;
  /** Whether a folder exists. */
  readonly exists: (folder: string) => boolean;
}

const halts: ReadonlySet<Standing> = new Set(['blocked', 'failed', 'paused', 'interrupted', 'answered']);

const isMeant = ({ request }: Pick<RunSummary, 'request'>): boolean => !request.dryRun;

/** Of each agent on each subject, only how its last run stands counts. */
async function withoutOlder(views: RunViews, halted: readonly StandingRun[]): Promise<StandingRun[]> {
  const last = new Set<string>();
  // What overtook a stopped run may be done since long before today, so all runs about its subject are looked at.
  for (const subject of new Set(halted.map(({ run }) => run.subject)))
    for (const { id } of withoutOvertaken((await views.listRuns({ subject })).filter(isMeant))) last.add(id);
  return halted.filter(({ run }) => last.has(run.id));
}

/** A folder that a person is in belongs to the run of the repository around it. */
function isHere({ request }: Pick<RunSummary, 'request'>, folder: string): boolean {
  return `${folder}/`.startsWith(`${request.root}/`);
}

/** What waits on the forge. Of each subject, one line: that it is not merged follows from what else it waits for. */
function withoutDoubles(waiting: readonly Waiting[], running: readonly RunSummary[]): Waiting[] {
  const others = new Set(waiting.flatMap(({ subject, what }) => (what === 'merge' ? [] : [subject])));
  const worked = new Set(running.map(({ subject }) => subject));
  return waiting.filter(
    ({ subject, what }) => what !== 'merge' || !(others.has(subject) || worked.has(subject)),
  );
}

/** A design of a closed issue, and an agent's run on one, need no person any more; a brief is no issue yet. */
function subjectsOf(runs: readonly StandingRun[], gates: readonly OpenGate[], waiting: readonly Waiting[]) {
  const all = [...runs.map(({ run }) => run.subject), ...gates.map(({ run }) => run.subject)];
  return [...new Set([...all, ...waiting.map(({ subject }) => subject)])];
}

export async function readStatus(sources: StatusSources, now: Date): Promise<Status> {
  const { views, leases, closed, folder, exists, onlyOf } = sources;
  const place = onlyOf === undefined ? {} : { repository: onlyOf };
  const since = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const unfinished = (await views.listRuns({ ...place, doneSince: 'never' })).filter(isMeant);
  const isThere = new Map(
    [...new Set(unfinished.map(({ request }) => request.root))].map((root) => [root, exists(root)]),
  );
  const isGone = ({ request }: RunSummary): boolean => isThere.get(request.root) === false;
  const runs = unfinished.filter((run) => !isGone(run) && !run.isDismissed);
  const known = new Set(runs.map(({ id }) => id));
  const openGates = (await views.listOpenGates()).filter(({ run }) => known.has(run.id));
  const all: StandingRun[] = [];
  for (const run of runs) all.push({ run, standing: await standingOf(run, openGates, leases) });
  const running = all.filter(({ standing }) => standing === 'running').map(({ run }) => run);
  const halted = await withoutOlder(
    views,
    all.filter(({ standing }) => halts.has(standing)),
  );
  const onForge = (await views.listWaiting()).filter(
    ({ subject }) => onlyOf === undefined || isSubjectOf(onlyOf, subject),
  );
  const asked = withoutDoubles(onForge, running);
  const over = new Set(await closed.listClosed(subjectsOf(halted, openGates, asked)));
  const stopped: StoppedRun[] = [];
  const offered = halted.filter(({ run }) => !over.has(run.subject));
  const held = new Set(await closed.listHeld(offered.map(({ run }) => run.subject)));
  for (const one of offered) {
    // The label holds the work on an issue or a pull request; of a forge elsewhere only the run knows that it was there.
    const isHeld = agentOf(one.run.request) === 'implementer' && held.has(one.run.subject);
    stopped.push({
      ...one,
      why: (await explainRun(one.run, openGates, leases)).why,
      isHeld: isHeld || one.run.reason?.code === 'held',
    });
  }
  const done = await views.countDone(since, onlyOf);
  const { usd: costUsd, atMostUsd: costAtMostUsd, hasUnpriced } = await views.costSince(since, onlyOf);
  const gates = openGates
    .filter(({ run }) => !over.has(run.subject))
    .sort((a, b) => Number(isHere(b.run, folder)) - Number(isHere(a.run, folder)));
  return {
    gates,
    waiting: gates.filter(({ run }) => !stopped.some((one) => one.run.id === run.id)),
    asked: asked.filter(({ subject }) => !over.has(subject)),
    running,
    stopped,
    dismissed: unfinished.filter((run) => run.isDismissed && !isGone(run)),
    gone: unfinished.filter((run) => isGone(run) && !run.isDismissed),
    today: {
      filed: done.issue ?? 0,
      designs: done.lld ?? 0,
      agents: done.agent ?? 0,
      costUsd,
      costAtMostUsd,
      ...(hasUnpriced === true ? { hasUnpriced } : {}),
    },
  };
}
