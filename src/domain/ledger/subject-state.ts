/**
 * What routing asks about a subject, and what was learned about a repository: a small state that every entry of the
 * subject's chain updates, so that a decision costs the same after ten entries and after ten thousand. The chain alone determines it, so it can always be checked
 * by folding the chain again.
 */
import type { WorkerName } from '../fleet/agent-names.ts';
import type { EventKind } from '../fleet/event.ts';
import { foldLearning, type LearningsState } from '../learnings/fold-learnings.ts';
import { begunAgentRun } from './begun-agent-run.ts';
import type { EntryOf, LedgerEntry } from './ledger-entry.ts';

/** Goes up with every change of what is folded or how: a state of another version is made anew from the chain. */
export const subjectStateVersion = 4;

/**
 * Older orders are dropped: the only question about them is how many programs gave in a row, and that is stopped at
 * three.
 */
export const mostOrders = 32;

/** The event that started a run, as it was received. */
export type WokenBy = EntryOf<'event-received'>['data'];

/** A run of the implementer that an order began, and not the run before it. */
interface Order {
  readonly delivery: string;
  /** Null when nothing was ever received under that delivery. */
  readonly actor: string | null;
  readonly seq: number;
}

/** A run that has not ended. */
interface OpenRun {
  readonly run: string;
  readonly agent: WorkerName;
  /** A run of the same agent has asked a model since this one last wrote anything. */
  readonly isOvertaken: boolean;
  /** Set when the label "hold" has stopped it: where, and whether another implementer has asked a model since. */
  readonly held: { readonly seq: number; readonly isWorkedSince: boolean } | null;
}

interface HandedOver {
  readonly number: number;
  readonly head: string;
}

export interface SubjectState {
  /** Place in the chain of the newest plan, if no person has approved it; null otherwise. */
  readonly openPlan: number | null;
  /** Which kinds of events each agent has begun runs for. */
  readonly wokenBy: Readonly<Partial<Record<WorkerName, readonly EventKind[]>>>;
  /** Oldest first. */
  readonly orders: readonly Order[];
  /** Who said last, and who said before that, that programs go round in circles. */
  readonly loopNotices: readonly { readonly run: string; readonly seq: number }[];
  /** The newest run of each agent. */
  readonly newest: Readonly<
    Partial<Record<WorkerName, { readonly run: string; readonly isStopped: boolean }>>
  >;
  /** In the order in which they were begun. */
  readonly runs: readonly OpenRun[];
  /** To the merge queue of the forge: what is about to be, by its key, and what was. */
  readonly enqueuing: Readonly<Record<string, HandedOver>>;
  readonly enqueued: readonly HandedOver[];
  /** Only where something was learned: on the subject that a repository has for it. */
  readonly learnings: LearningsState | null;
}

export const emptySubjectState: SubjectState = {
  openPlan: null,
  wokenBy: {},
  orders: [],
  loopNotices: [],
  newest: {},
  runs: [],
  enqueuing: {},
  enqueued: [],
  learnings: null,
};

/** What the notice is found again by. */
export const loopNoticeKey = 'loop-notice';

/** The delivery whose event `foldEntry` needs together with this entry; null when it needs none. */
export function wakingDelivery(entry: LedgerEntry): string | null {
  return begunAgentRun(entry)?.delivery ?? null;
}

function foldBeginning(
  state: SubjectState,
  entry: EntryOf<'run-started'>,
  wokenBy: WokenBy | null,
): SubjectState {
  const request = begunAgentRun(entry);
  if (request === null) return state;
  const { run, seq } = entry;
  const { agent, delivery } = request;
  const kinds = state.wokenBy[agent] ?? [];
  const isNews = wokenBy !== null && !kinds.includes(wokenBy.kind);
  const begun: SubjectState = {
    ...state,
    wokenBy: isNews ? { ...state.wokenBy, [agent]: [...kinds, wokenBy.kind] } : state.wokenBy,
    newest: { ...state.newest, [agent]: { run, isStopped: false } },
    runs: [...state.runs.filter((one) => one.run !== run), { run, agent, isOvertaken: false, held: null }],
  };
  // What a run hands on is no order, nor is it one that another pull request was merged.
  const isOwnStep = wokenBy?.kind === 'handed-on' || wokenBy?.kind === 'pull-request-closed';
  if (agent !== 'implementer' || isOwnStep) return begun;
  const order = { delivery, actor: wokenBy?.actor ?? null, seq };
  return { ...begun, orders: [...state.orders, order].slice(-mostOrders) };
}

/** The state with one of its runs changed; null takes it out. */
function withRun(state: SubjectState, run: string, change: (one: OpenRun) => OpenRun | null): SubjectState {
  const runs = state.runs.flatMap((one) => (one.run === run ? (change(one) ?? []) : [one]));
  return { ...state, runs };
}

function withStop(state: SubjectState, run: string, isStopped: boolean): SubjectState {
  const mine = Object.entries(state.newest).find(([, one]) => one.run === run);
  if (mine === undefined || mine[1].isStopped === isStopped) return state;
  return { ...state, newest: { ...state.newest, [mine[0]]: { run, isStopped } } };
}

/** A model was asked: every other open run of the same agent is out of date from here on. */
function foldPrompt(state: SubjectState, { run }: EntryOf<'prompt-sent'>): SubjectState {
  const asker = state.runs.find((one) => one.run === run);
  if (asker === undefined) return state;
  const runs = state.runs.map((one) => {
    if (one === asker || one.agent !== asker.agent) return one;
    const held =
      one.held === null || asker.agent !== 'implementer' ? one.held : { ...one.held, isWorkedSince: true };
    return { ...one, isOvertaken: true, held };
  });
  return { ...state, runs };
}

function foldIntent(state: SubjectState, { key = '', data }: EntryOf<'effect-intended'>): SubjectState {
  const { effect, dryRun } = data;
  if (dryRun || effect.kind !== 'enqueue-pull-request') return state;
  const { number, head } = effect;
  return { ...state, enqueuing: { ...state.enqueuing, [key]: { number, head } } };
}

function foldReceipt(state: SubjectState, { key = '', run, seq }: EntryOf<'effect-receipted'>): SubjectState {
  const loopNotices = key.startsWith(`${run}/${loopNoticeKey}#`)
    ? [{ run, seq }, ...state.loopNotices.filter((one) => one.run !== run)].slice(0, 2)
    : state.loopNotices;
  const { [key]: done, ...enqueuing } = state.enqueuing;
  if (done === undefined) return loopNotices === state.loopNotices ? state : { ...state, loopNotices };
  const isKnown = state.enqueued.some(({ number, head }) => number === done.number && head === done.head);
  return {
    ...state,
    loopNotices,
    enqueuing,
    enqueued: isKnown ? state.enqueued : [...state.enqueued, done],
  };
}

/** A run that writes an entry has made progress, so it is not overtaken any more. */
function foldSignOfLife(state: SubjectState, { run }: LedgerEntry): SubjectState {
  const isLate = run !== '' && state.runs.some((one) => one.run === run && one.isOvertaken);
  return isLate ? withRun(state, run, (one) => ({ ...one, isOvertaken: false })) : state;
}

/** False of most entries: those of no run, such as events. */
export function canChangeState({ kind, run }: { readonly kind: string; readonly run: string }): boolean {
  return run !== '' || !kind.startsWith('event-');
}

/** @param wokenBy what was received about this subject under `wakingDelivery(entry)`; null when nothing was */
export function foldEntry(before: SubjectState, entry: LedgerEntry, wokenBy: WokenBy | null): SubjectState {
  // What a person does to a run is no sign of life of the run.
  const state = entry.kind === 'run-dismissed' ? before : foldSignOfLife(before, entry);
  switch (entry.kind) {
    case 'plan-proposed':
      return { ...state, openPlan: entry.seq };
    case 'plan-approved':
      return { ...state, openPlan: null };
    case 'run-started':
      return foldBeginning(state, entry, wokenBy);
    case 'run-stopped': {
      // It is at work, in another process.
      if (entry.data.reason.code === 'waits-for-model') return state;
      const held = entry.data.reason.code === 'held' ? { seq: entry.seq, isWorkedSince: false } : null;
      return withStop(
        withRun(state, entry.run, (one) => ({ ...one, held })),
        entry.run,
        true,
      );
    }
    case 'run-resumed':
      return withStop(state, entry.run, false);
    case 'run-ended':
      return withStop(
        withRun(state, entry.run, () => null),
        entry.run,
        // Work that a person cancelled is not done: a person can ask for it again as if it had stopped.
        entry.data.reason.code === 'cancelled',
      );
    case 'prompt-sent':
      return foldPrompt(state, entry);
    case 'effect-intended':
      return foldIntent(state, entry);
    case 'effect-receipted':
      return foldReceipt(state, entry);
    case 'learning-observed':
    case 'learning-edited':
    case 'learning-removed':
      return { ...state, learnings: foldLearning(state.learnings, entry) };
    default:
      return state;
  }
}

/** The state after a whole chain. */
export function foldChain(entries: readonly LedgerEntry[]): SubjectState {
  const received = new Map<string, WokenBy>();
  for (const entry of entries) if (entry.kind === 'event-received') received.set(entry.key ?? '', entry.data);
  return entries.reduce<SubjectState>((state, entry) => {
    const delivery = wakingDelivery(entry);
    return foldEntry(state, entry, delivery === null ? null : (received.get(delivery) ?? null));
  }, emptySubjectState);
}
