/**
 * What has been asked for, planned, pushed and counted about one issue or pull request, read from its chain in the ledger
 * and from nowhere else: what comments and labels say about it counts for nothing.
 */

import { begunAgentRun } from '../ledger/begun-agent-run.ts';
import { wasDoneBefore } from '../ledger/earlier-runs.ts';
import type { FleetEntryData } from '../ledger/fleet-entries.ts';
import type { Sha256 } from '../ledger/hash.ts';
import type { EntryOf, LedgerEntry } from '../ledger/ledger-entry.ts';
import type { EventKind } from './event.ts';

export { loopLimit } from './loop-limit.ts';

type Limit = FleetEntryData['limit-reached']['what'];

export interface ImplementerHistory {
  /** The newest plan, if no person has approved it yet. */
  readonly openPlan: FleetEntryData['plan-proposed'] | null;
  readonly approvedPlan: Sha256 | null;
  /** The branch with work on it, and where it was left. */
  readonly work: { readonly branch: string; readonly commit: string } | null;
  /** Pull requests that were made for it, oldest first. */
  readonly pulls: readonly FleetEntryData['pull-request-made'][];
  /** Who gave the last order; null when there was none. */
  readonly orderedBy: string | null;
  /** The event that was that order, as text of the ledger. */
  readonly orderEvent: Sha256 | null;
  /** Place of that order in the chain: separates the rounds after one order from those after the next. */
  readonly order: number;
  /** Rounds since that order, without this run. */
  readonly continues: number;
  readonly fixes: number;
  /** Where in the chain each of those corrections was asked for. */
  readonly fixedAt: readonly number[];
  /** Runs since that order, without this one, that worked on a conflict with the base. */
  readonly updates: number;
  /** The limits that a comment since that order has told people of. */
  readonly toldLimits: readonly Limit[];
  /** How often this run was stopped before. */
  readonly stops: number;
  /** Which call the next one to a role is, counted over the whole life of the subject. */
  callOf(role: string): number;
  /** Whether something was said before, by another run; `sincePlan`: since the newest plan. */
  wasSaid(key: string, sincePlan?: boolean): boolean;
}

function isOf<K extends LedgerEntry['kind']>(kind: K): (entry: LedgerEntry) => entry is EntryOf<K> {
  return (entry): entry is EntryOf<K> => entry.kind === kind;
}

/** What a run hands on is no order, nor is it one that another pull request was merged. */
function isOrderKind(kind: EventKind | null): boolean {
  return kind !== 'handed-on' && kind !== 'pull-request-closed';
}

/** Runs of the implementer that were begun, each with the event that started it. */
export function listBeginnings(entries: readonly LedgerEntry[]) {
  const received = new Map(entries.filter(isOf('event-received')).map((entry) => [entry.key, entry.data]));
  return entries.flatMap((entry) => {
    const request = begunAgentRun(entry);
    if (request?.agent !== 'implementer') return [];
    const { run, seq } = entry;
    const { delivery } = request;
    const event = received.get(delivery);
    const { kind = null, actor = null, event: text = null } = event ?? {};
    return [{ run, seq, delivery, kind, actor, event: text, isOrder: isOrderKind(kind) }];
  });
}

/** The newest plan, if no person has approved it yet. */
function findOpenPlan(entries: readonly LedgerEntry[]): FleetEntryData['plan-proposed'] | null {
  const last = entries.findLast((entry) => entry.kind === 'plan-proposed' || entry.kind === 'plan-approved');
  return last?.kind === 'plan-proposed' ? last.data : null;
}

/** Runs that really called a model in that role, each with the place of its first call. */
function runsThatAsked(entries: readonly LedgerEntry[], role: string): Map<string, number> {
  const asked = new Map<string, number>();
  for (const entry of entries.filter(isOf('prompt-sent')))
    if (entry.data.role === role && !asked.has(entry.run)) asked.set(entry.run, entry.seq);
  return asked;
}

export function readHistory(entries: readonly LedgerEntry[], run: string): ImplementerHistory {
  const beginnings = listBeginnings(entries);
  const lastOrder = beginnings.findLast(({ isOrder }) => isOrder) ?? null;
  const order = lastOrder?.seq ?? 0;
  const since = entries.filter((entry) => entry.seq > order);
  const others = beginnings.filter((one) => one.run !== run && one.seq > order);
  const fixers = runsThatAsked(entries, 'fixer');
  const fixedAt = others.flatMap(({ isOrder, run: one }) => (isOrder ? [] : (fixers.get(one) ?? [])));
  const pushes = entries.filter(isOf('work-pushed'));
  const placeOf = (entry: EntryOf<'work-pushed'> | undefined) =>
    entry === undefined ? null : { branch: entry.data.branch, commit: entry.data.commit };
  return {
    openPlan: findOpenPlan(entries),
    approvedPlan: entries.findLast(isOf('plan-approved'))?.data.plan ?? null,
    work: placeOf(pushes.at(-1)),
    pulls: entries.filter(isOf('pull-request-made')).map(({ data }) => data),
    orderedBy: lastOrder?.actor ?? null,
    orderEvent: lastOrder?.event ?? null,
    order,
    continues: since
      .filter(isOf('run-ended'))
      .flatMap(({ data }) => data.handoffs ?? [])
      .filter(({ to, task }) => to === 'implementer' && task === 'continue').length,
    fixes: fixedAt.length,
    fixedAt,
    updates: new Set(
      since.filter(isOf('conflict-met')).flatMap((entry) => (entry.run === run ? [] : [entry.run])),
    ).size,
    toldLimits: since
      .filter(isOf('limit-reached'))
      .flatMap((entry) => (entry.run === run ? [] : [entry.data.what])),
    stops: entries
      .filter(isOf('run-stopped'))
      .filter((entry) => entry.run === run && entry.data.reason.code !== 'waits-for-model').length,
    callOf(role) {
      const asked = runsThatAsked(entries, role);
      asked.delete(run);
      return asked.size + 1;
    },
    wasSaid(key, sincePlan = false) {
      const from = sincePlan ? (entries.findLast(isOf('plan-proposed'))?.seq ?? 0) : 0;
      return wasDoneBefore(
        entries.filter((entry) => entry.seq > from),
        key,
        run,
      );
    },
  };
}
