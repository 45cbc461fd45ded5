/**
 * Which agents an event is for, and why another does not act on it. Pure, and over any list of manifests: an agent's
 * own triggers decide what starts it. The rules here hold for all agents.
 */
import type { Manifest } from '../agents/manifest.ts';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import { isOwnEvent } from '../domain/fleet/effect-marker.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import { type FactName, type PlainFacts, triggersOn, type WakingFacts } from '../domain/fleet/trigger.ts';

export interface RoutingFacts extends WakingFacts {
  /** Agents that have begun a run for this very event. */
  readonly begun: readonly WorkerName[];
  /** Whether it is about a pull request that an agent made, which hands it on by itself. */
  readonly isOwnPull: boolean;
}

export type Route =
  | { readonly agent: WorkerName; readonly runs: true }
  | { readonly agent: WorkerName; readonly runs: false; readonly because: 'own' };

/** What has to be looked up before the event can be routed. */
export function listAsked(
  manifests: readonly Pick<Manifest, 'triggers'>[],
  event: FleetEvent,
  facts: PlainFacts,
): ReadonlySet<FactName> {
  const triggers = manifests.flatMap((manifest) => triggersOn(manifest, event.kind));
  return new Set(triggers.flatMap(({ asks }) => asks?.(event, facts) ?? []));
}

/** Agents that an event of this kind may be an order to. */
export function listOrderable(manifests: readonly Manifest[], { kind }: FleetEvent): WorkerName[] {
  return manifests
    .filter((manifest) => triggersOn(manifest, kind).some(({ as }) => as === 'order'))
    .map(({ name }) => name);
}

function reactsTo(
  manifest: Manifest,
  event: FleetEvent,
  facts: WakingFacts,
  as: 'order' | 'observation',
  isExact = false,
): boolean {
  return triggersOn(manifest, event.kind).some(
    (one) => one.as === as && (!isExact || one.isExact === true) && (one.decides?.(event, facts) ?? true),
  );
}

/**
 * The one agent that takes the event as an order; null when none does. An agent that has begun a run for this event
 * keeps it, no matter what has happened since. Then an exact claim comes before a general one, and then the order of
 * the list decides.
 */
function findOrdered(
  manifests: readonly Manifest[],
  event: FleetEvent,
  facts: RoutingFacts,
): WorkerName | null {
  const begun = listOrderable(manifests, event).find((name) => facts.begun.includes(name));
  if (begun !== undefined) return begun;
  const claims = manifests.filter((manifest) => reactsTo(manifest, event, facts, 'order'));
  const exact = claims.find((manifest) => reactsTo(manifest, event, facts, 'order', true));
  return (exact ?? claims[0])?.name ?? null;
}

function isWatched(manifest: Manifest, event: FleetEvent, facts: RoutingFacts): boolean {
  // A schedule has the name of its agent.
  if (event.kind === 'schedule-due') return manifest.name === event.schedule;
  return reactsTo(manifest, event, facts, 'observation');
}

/**
 * What an agent did was already handed on at the end of its run: the event of the forge about it would only repeat
 * that.
 */
function isHandedOn(event: FleetEvent, facts: RoutingFacts): boolean {
  if (event.actor.toLowerCase() !== facts.own.toLowerCase()) return false;
  // Where the pusher is not known, the event names the author of the pull request as its actor, so a push is not left
  // out.
  if (!facts.isOwnPull) return false;
  if (event.kind === 'pull-request-opened') return true;
  // Where we act under a person's account, that person also sets labels by hand.
  return (event.kind === 'labeled' || event.kind === 'unlabeled') && event.actorKind === 'bot';
}

/** Every agent that the event is for; those that do not run for it come with the reason, which is written down. */
export function routeEvent(manifests: readonly Manifest[], event: FleetEvent, facts: RoutingFacts): Route[] {
  if (event.kind === 'handed-on') {
    const to = manifests.find(({ name }) => name === event.to);
    return to === undefined ? [] : [{ agent: to.name, runs: true }];
  }
  if (isHandedOn(event, facts)) return [];
  const ordered = findOrdered(manifests, event, facts);
  return manifests.flatMap((manifest): Route[] => {
    const agent = manifest.name;
    if (agent !== ordered) return isWatched(manifest, event, facts) ? [{ agent, runs: true }] : [];
    // Two agents that mention each other, or one that reads its own words, would never end.
    if (isOwnEvent(event, facts.own)) return [{ agent, runs: false, because: 'own' }];
    // Whether the actor may give it is asked next, by judgeActor.
    return [{ agent, runs: true }];
  });
}
