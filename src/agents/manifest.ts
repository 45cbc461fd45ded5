/**
 * What an agent declares about itself: its purpose, what starts it, the limits of what it may do, and how to hold it
 * back. The fleet, the help pages and the documentation read manifests and know no agent by name. A manifest is pure:
 * facts are passed in.
 */
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import type { EventKind } from '../domain/fleet/event.ts';
import type { Slot } from '../domain/fleet/schedule.ts';
import { type AnyEventTrigger, triggersOn } from '../domain/fleet/trigger.ts';
import type { EffectAllowance } from '../domain/ledger/effect.ts';

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
