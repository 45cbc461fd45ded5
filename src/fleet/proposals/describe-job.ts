/** What a job did, as facts for people: its runs with their cost and the way that they took, and remarks on lines of files. */
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { agentOf, type RunSummary } from '../../domain/ledger/run.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { Applied } from './apply-runs.ts';

export interface ToldRun {
  readonly id: string;
  readonly who: string;
  readonly subject: string;
  readonly status: string;
  readonly why: string;
  /** The issue or pull request that came of it. */
  readonly made: number | null;
  readonly costUsd: number;
  readonly hasUnpriced: boolean;
  /** What it did, in order: models by their role, effects by their kind. */
  readonly path: readonly string[];
}

interface Remark {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const mostSteps = 30;

function pathOf(entries: readonly LedgerEntry[]): string[] {
  const steps = entries.flatMap(({ kind, data }) => {
    switch (kind) {
      case 'node-begun':
        return [data.node];
      case 'model-answered':
        return [`asked: ${data.role}`];
      case 'command-verified':
        return [`checked: exit ${data.exitCode ?? 'none'}`];
      case 'effect-intended':
        return [data.effect.kind];
      default:
        return [];
    }
  });
  const plain = steps.filter((step, index) => step !== steps[index - 1]);
  return plain.length <= mostSteps ? plain : [...plain.slice(0, mostSteps - 1), `… ${plain.length} steps`];
}

async function tellRun({ ledger }: FleetTools, run: RunSummary): Promise<ToldRun> {
  const entries = await ledger.readRun(run.id);
  const used = entries.flatMap((entry) =>
    entry.kind === 'model-answered' || entry.kind === 'model-failed' ? [entry.data.usage] : [],
  );
  return {
    ...{ id: run.id, who: agentOf(run.request) ?? run.request.workflow, subject: run.subject },
    ...{ status: run.status, why: run.reason?.message ?? '', path: pathOf(entries) },
    made: run.result?.number ?? null,
    costUsd: used.reduce((sum, { costUsd }) => sum + costUsd, 0),
    hasUnpriced: used.some(({ isUnpriced }) => isUnpriced),
  };
}

/** What reviews say on lines of files. */
async function listRemarks({ ledger }: FleetTools, runs: readonly string[]): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const run of runs)
    for (const { kind, data } of await ledger.readRun(run)) {
      if (kind !== 'effect-intended' || data.effect.kind !== 'create-review') continue;
      for (const { path, line, body } of data.effect.comments)
        remarks.push({ file: path, line, message: await ledger.getText(body) });
    }
  return remarks;
}

export interface ToldJob {
  readonly runs: readonly ToldRun[];
  readonly remarks: readonly Remark[];
  readonly refusals: readonly { readonly who: string; readonly why: string }[];
}

/** @param touched the runs that the job began or went on with */
export async function describeJob(
  house: FleetTools,
  { outcomes }: Pick<Applied, 'outcomes'>,
  touched: readonly string[],
): Promise<ToldJob> {
  const found = await Promise.all([...new Set(touched)].map((id) => house.views.findRun(id)));
  const runs = found.filter((run) => run !== null);
  return {
    runs: await Promise.all(runs.map((run) => tellRun(house, run))),
    remarks: await listRemarks(
      house,
      runs.map(({ id }) => id),
    ),
    refusals: outcomes.flatMap(({ refused }) =>
      refused.map(({ agent, detail }) => ({ who: agent, why: detail })),
    ),
  };
}
