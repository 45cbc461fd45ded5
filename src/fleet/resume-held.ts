/**
 * When a person with the permission removes the label "hold", the run that the label kept from beginning is resumed.
 */
import type { EventOf, FleetEvent } from '../domain/fleet/event.ts';
import { findHeldRun } from '../domain/fleet/held-run.ts';
import { labelNames } from '../domain/forge/labels.ts';
import { isAgentRun } from '../domain/ledger/run.ts';
import type { FleetTools } from '../runs/house.ts';
import { judgeActor } from './judge-actor.ts';
import { subjectOfEvent } from './receive-event.ts';
import { resumeOrdered } from './resume-ordered.ts';
import type { AgentOutcome, FleetSession } from './run-agent.ts';

export function isRelease(event: FleetEvent): event is EventOf<'unlabeled'> {
  return event.kind === 'unlabeled' && event.label.toLowerCase() === labelNames.hold;
}

/** Null when no run waited for it. Called again after a crash, it resumes the run that was cut off. */
export async function resumeHeld(
  house: FleetTools,
  event: EventOf<'unlabeled'>,
  session: FleetSession,
): Promise<AgentOutcome | null> {
  const id = findHeldRun(await house.ledger.readState(subjectOfEvent(event)));
  const run = id === null ? null : await house.views.findRun(id);
  if (run === null || !isAgentRun(run) || !house.fleet.agents.some((agent) => agent === run.request.agent))
    return null;
  if (session.only?.includes(run.request.agent) === false) return null;
  if ((await judgeActor(house, event)) !== null) return null;
  return resumeOrdered(house, run, session);
}
