/**
 * Which workflow an event is for. Pure, and over any list of manifests. A workflow comes before the agents: while it works
 * on an issue, orders about that issue are its own, and no agent takes one.
 */
import type { WorkflowName } from '../../domain/fleet/agent-names.ts';
import { isOwnEvent } from '../../domain/fleet/effect-marker.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { triggersOn, type WakingFacts } from '../../domain/fleet/trigger.ts';
import type { WorkflowManifest } from '../../workflows/workflow.ts';

export interface WorkflowRoute {
  readonly workflow: WorkflowName;
  /** An order counts only from an actor who may give one. */
  readonly as: 'order' | 'observation';
}

/** @param begun the workflow that has begun a run for this very event, or took it for an answer: it keeps the event */
export function routeToWorkflow(
  manifests: readonly WorkflowManifest[],
  event: FleetEvent,
  facts: WakingFacts,
  begun: WorkflowName | null,
): WorkflowRoute | null {
  if (begun !== null) return { workflow: begun, as: 'order' };
  // The order that it comes of was judged when it was given.
  if (event.kind === 'handed-on') {
    const to = manifests.find(({ name }) => name === event.to);
    return to === undefined ? null : { workflow: to.name, as: 'observation' };
  }
  if (isOwnEvent(event, facts.own) && event.kind !== 'pull-request-closed') return null;
  for (const manifest of manifests) {
    const trigger = triggersOn(manifest, event.kind).find((one) => one.decides?.(event, facts) ?? true);
    if (trigger !== undefined) return { workflow: manifest.name, as: trigger.as };
  }
  return null;
}
