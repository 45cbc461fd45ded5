/** What waits, runs, has stopped and was done today, over all repositories. Reads nothing but the views. */
import { type RunSummary, withoutOvertaken } from '../domain/ledger/run.ts';
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
}

export interface Status {
  /** Gates that a person answers here. */
  readonly gates: readonly OpenGate[];
  /** What a person answers on the forge. */
  readonly asked: readonly Waiting[];
  readonly running: readonly RunSummary[];
  readonly stopped: readonly StoppedRun[];
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
  asked: [],
  running: [],
  stopped: [],
  today: { filed: 0, designs: 0, agents: 0, costUsd: 0, costAtMostUsd: 0 },
};

interface StatusSources {
  readonly views: RunViews;
  readonly leases: Pick<Leases, 'holderOf'>;
  readonly closed: ClosedIssues;
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

/** Without those whose issue is closed: they need no answer any more. */
async function withoutClosed(closed: ClosedIssues, waiting: readonly Waiting[]): Promise<Waiting[]> {
  const gone = new Set(await closed.listClosed(waiting.map(({ subject }) => subject)));
  return waiting.filter(({ subject }) => !gone.has(subject));
}

export async function readStatus({ views, leases, closed }: StatusSources, now: Date): Promise<Status> {
  const since = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const runs = (await views.listRuns({ doneSince: 'never' })).filter(isMeant);
  const openGates = (await views.listOpenGates()).filter(({ run }) => isMeant(run));
  const all: StandingRun[] = [];
  for (const run of runs) all.push({ run, standing: await standingOf(run, openGates, leases) });
  const halted = await withoutOlder(
    views,
    all.filter(({ standing }) => halts.has(standing)),
  );
  const stopped: StoppedRun[] = [];
  for (const one of halted) stopped.push({ ...one, why: (await explainRun(one.run, openGates, leases)).why });
  const done = await views.countDone(since);
  const { usd: costUsd, atMostUsd: costAtMostUsd, hasUnpriced } = await views.costSince(since);
  return {
    gates: openGates.filter((gate) => !stopped.some(({ run }) => run.id === gate.run.id)),
    asked: await withoutClosed(closed, await views.listWaiting()),
    running: all.filter(({ standing }) => standing === 'running').map(({ run }) => run),
    stopped,
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
