/** What routing asks of a subject, answered by looking through its whole history: what a state that is folded is held against. */

import { listHanded } from '../../src/agents/auto-merge/rules/queue-removal.ts';
import type { WorkerName } from '../../src/domain/fleet/agent-names.ts';
import type { EventKind } from '../../src/domain/fleet/event.ts';
import { listBeginnings } from '../../src/domain/fleet/implementer-history.ts';
import { begunAgentRun } from '../../src/domain/ledger/begun-agent-run.ts';
import { wasDoneBefore } from '../../src/domain/ledger/earlier-runs.ts';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { SubjectHistory } from '../../src/domain/ledger/subject-history.ts';

export function findHeldRun(entries: readonly LedgerEntry[]): string | null {
  const runs = listBeginnings(entries).map(({ run }) => run);
  for (const run of runs.toReversed()) {
    const last = entries.findLast(
      (entry) => entry.run === run && (entry.kind === 'run-stopped' || entry.kind === 'run-ended'),
    );
    if (last?.kind !== 'run-stopped' || last.data.reason.code !== 'held') continue;
    const hasWorked = entries.some(
      (entry) =>
        entry.kind === 'prompt-sent' && entry.seq > last.seq && entry.run !== run && runs.includes(entry.run),
    );
    return hasWorked ? null : run;
  }
  return null;
}

export function isOvertaken(entries: readonly LedgerEntry[], run: string, agent: string): boolean {
  // A run that is put aside does nothing by that.
  const last = entries.findLast((entry) => entry.run === run && entry.kind !== 'run-dismissed')?.seq ?? 0;
  const others = new Set(
    entries.flatMap((entry) =>
      entry.run !== run && begunAgentRun(entry)?.agent === agent ? [entry.run] : [],
    ),
  );
  return entries.some((entry) => entry.kind === 'prompt-sent' && entry.seq > last && others.has(entry.run));
}

export function readProgramOrders(
  entries: readonly LedgerEntry[],
  delivery: string,
  isProgram: (login: string) => boolean,
  run: string,
) {
  const orders = listBeginnings(entries).filter(({ isOrder }) => isOrder);
  const last = orders.findLast(({ actor }) => actor !== null && !isProgram(actor));
  const since = last?.seq ?? 0;
  return {
    count: orders.filter((order) => order.seq > since && order.delivery !== delivery).length,
    isBegun: orders.some((order) => order.delivery === delivery),
    person: last?.actor ?? null,
    isTold: wasDoneBefore(
      entries.filter(({ seq }) => seq > since),
      'loop-notice',
      run,
    ),
  };
}

/** The last run that each agent began, without dry runs. */
function lastRuns(entries: readonly LedgerEntry[]): Map<WorkerName, string> {
  return new Map(
    entries.flatMap((entry) => {
      const agent = begunAgentRun(entry)?.agent;
      return agent === undefined ? [] : [[agent, entry.run] as const];
    }),
  );
}

function listStopped(entries: readonly LedgerEntry[]): WorkerName[] {
  return [...lastRuns(entries)].flatMap(([agent, run]) => {
    const last = entries.findLast(
      (entry) =>
        entry.run === run &&
        (entry.kind === 'run-stopped' || entry.kind === 'run-resumed' || entry.kind === 'run-ended'),
    );
    const isCancelled = last?.kind === 'run-ended' && last.data.reason.code === 'cancelled';
    return last?.kind === 'run-stopped' || isCancelled ? [agent] : [];
  });
}

function listWaking(entries: readonly LedgerEntry[]): SubjectHistory['wokenBy'] {
  const kinds = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'event-received' ? [[entry.key ?? '', entry.data.kind] as const] : [],
    ),
  );
  const wokenBy: Partial<Record<WorkerName, readonly EventKind[]>> = {};
  for (const entry of entries) {
    const begun = begunAgentRun(entry);
    const kind = begun === null ? undefined : kinds.get(begun.delivery);
    if (begun === null || kind === undefined) continue;
    wokenBy[begun.agent] = [...new Set([...(wokenBy[begun.agent] ?? []), kind])];
  }
  return wokenBy;
}

function hasOpenPlan(entries: readonly LedgerEntry[]): boolean {
  const last = entries.findLast(({ kind }) => kind === 'plan-proposed' || kind === 'plan-approved');
  return last?.kind === 'plan-proposed';
}

/** Of the chain of issue or pull request `number`. */
export function readSubjectHistory(entries: readonly LedgerEntry[], number: number): SubjectHistory {
  return {
    hasOpenPlan: hasOpenPlan(entries),
    stopped: listStopped(entries),
    wokenBy: listWaking(entries),
    handedHeads: listHanded(entries, number).map(({ head }) => head),
  };
}
