/**
 * What an agent declares about itself: its purpose, what starts it, the limits of what it may do, and how to hold it
 * back. The fleet, the help pages and the documentation read manifests and know no agent by name. A manifest is pure:
 * facts are passed in.
 */
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import type { EventKind, EventOf } from '../domain/fleet/event.ts';
import type { Slot } from '../domain/fleet/schedule.ts';
import type { EffectAllowance } from '../domain/ledger/effect.ts';
import type { SubjectHistory } from '../domain/ledger/subject-history.ts';

/** What is known of every event. */
export interface PlainFacts {
  /** What people call the agents by, without the @. */
  readonly handle: string;
  /** The login under which Gatewright acts. */
  readonly own: string;
}

/** What a trigger may ask for before it decides. */
interface AskedFacts {
  /** What happened so far to the issue or pull request, by the ledger. */
  readonly history: SubjectHistory;
  /** What the author of a review says on single lines. */
  readonly remarks: readonly string[];
  /** The words of the issue now, for events that do not bring them; null when it is not there. */
  readonly words: { readonly title: string; readonly body: string } | null;
}

export type WakingFacts = PlainFacts & AskedFacts;
export type FactName = keyof AskedFacts;

interface EventTrigger<K extends EventKind> {
  readonly on: K;
  /** An order counts only from an actor who may give one; an observation is what everybody can see. */
  readonly as: 'order' | 'observation';
  /** When an event starts the agent, in words for people: completes "if …"; `always` where there is no condition. */
  readonly when: string;
  /** The same in code. Without it, every event of that kind starts the agent. */
  readonly decides?: (event: EventOf<K>, facts: WakingFacts) => boolean;
  /** What has to be looked up before it can decide about this event. Without it: nothing. */
  readonly asks?: (event: EventOf<K>, facts: PlainFacts) => readonly FactName[];
  /**
   * An order goes to one agent. Where several claim it, one that knows exactly these words comes before those that take
   * every mention.
   */
  readonly isExact?: true;
  /** For events about a commit: the agent starts once for each open pull request whose head is that commit. */
  readonly forEach?: 'pull-request-at-head';
}

type AnyEventTrigger = { readonly [K in EventKind]: EventTrigger<K> }[EventKind];

/** What starts an agent: an event, or a schedule. */
export type Trigger = AnyEventTrigger | { readonly schedule: Slot };

/** What people want to know about an agent before they let it work: the help pages, part by part. */
interface AgentHelp {
  /** What it does when it is started. */
  readonly does: string;
  /** When it stops, and how one notices. */
  readonly stops: string;
  /** How to keep it from something, or to take it back. */
  readonly holdBack: string;
  readonly never: string;
}

export interface Manifest<N extends WorkerName = WorkerName> {
  readonly name: N;
  readonly purpose: string;
  readonly triggers: readonly Trigger[];
  /** Who it asks; `none` decides by rules alone. */
  readonly model: 'none' | 'coder' | 'reviewer' | 'writer';
  /**
   * The most model turns. Also set where rules alone decide: a model could only add words there. 0 where it cannot add
   * any.
   */
  readonly turns: number;
  /** Turns at most when it only plans, which it does read-only and with the planner, a stronger model. */
  readonly planTurns?: number;
  /** Effects in one run, with how many of each. */
  readonly may: EffectAllowance;
  readonly help: AgentHelp;
  /**
   * At the end of its run, it hands each pull request that it opened to the next agent. Deliveries of the forge about
   * them do not start an agent a second time.
   */
  readonly handsOnPullRequests?: true;
  /**
   * Kinds of events that it judges before another agent acts on them. It runs first when it refuses one, and tells people
   * of refusals that are news. Its judgement is code of the agent (`judge`), because it looks at the forge.
   */
  readonly guards?: readonly EventKind[];
  /** The subjects for which its code (`explain`) can say why nothing moves. */
  readonly explains?: readonly ('issues' | 'pull-requests')[];
}

/** The triggers of an agent for one kind of event. */
export function triggersOn<K extends EventKind>({ triggers }: Manifest, kind: K): EventTrigger<K>[] {
  const matching: unknown = triggers.filter((one) => 'on' in one && one.on === kind);
  // The compiler cannot follow that the kind picks the form.
  return matching as EventTrigger<K>[];
}

/** Its schedule; null when it has none. */
export function slotOf({ triggers }: Manifest): Slot | null {
  return triggers.flatMap((one) => ('schedule' in one ? [one.schedule] : []))[0] ?? null;
}

/**
 * Whether an event of that kind starts the agent as an order, which has to come from an actor with the right to give
 * one.
 */
export function isOrderTo(manifest: Manifest, kind: EventKind): boolean {
  return triggersOn(manifest, kind).some(({ as }) => as === 'order');
}
