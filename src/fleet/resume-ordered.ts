/**
 * Resumes a stopped run without a new order. If the person who gave the order has lost the permission since, or if
 * another run has worked on the subject since, the run is not resumed; the refusal is written once, and a person has to
 * continue it.
 */
import { manifestOf } from '../agents/agents.ts';
import { isOrderTo } from '../agents/manifest.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { AgentRequest, RunSummary } from '../domain/ledger/run.ts';
import type { FleetTools } from '../runs/house.ts';
import { type ActorRefusal, judgeActor } from './judge-actor.ts';
import { readEventOfRun } from './read-event.ts';
import { isOvertaken } from './rules/overtaken-run.ts';
import { type AgentOutcome, type FleetSession, resumeAgentRun } from './run-agent.ts';

/** Under which the ledger has why the run is not resumed. */
export function refusalKey({ id, request }: RunSummary<AgentRequest>): string {
  return `${request.delivery}/${request.agent}/${id}`;
}

async function writeRefusal(
  { ledger, actor }: FleetTools,
  run: RunSummary<AgentRequest>,
  by: string,
  { because, detail }: Pick<ActorRefusal, 'because' | 'detail'>,
): Promise<void> {
  const { agent, delivery } = run.request;
  const key = refusalKey(run);
  if ((await ledger.find('event-refused', key)) !== null) return;
  const data = { delivery, agent, by, because, detail };
  await ledger.append([{ subject: run.subject, run: '', actor, kind: 'event-refused', key, data }]);
}

/** Why the order that a run was started for does not count any more; null when it does. Written down once. */
export async function refuseOrder(
  house: FleetTools,
  run: RunSummary<AgentRequest>,
  event: FleetEvent,
): Promise<ActorRefusal | null> {
  if (!isOrderTo(manifestOf(run.request.agent), event.kind)) return null;
  const refusal = await judgeActor(house, event);
  if (refusal !== null) await writeRefusal(house, run, event.actor, refusal);
  return refusal;
}

/**
 * Null when the run is not resumed: the order does not hold any more, another run has overtaken it, or its event is
 * unknown.
 */
export async function resumeOrdered(
  house: FleetTools,
  run: RunSummary<AgentRequest>,
  session: FleetSession,
): Promise<AgentOutcome | null> {
  const event = await readEventOfRun(house, run);
  if (event === null) return null;
  if (isOvertaken(await house.ledger.readState(run.subject), run)) {
    const detail = `another run has worked on it since ${run.id} stopped`;
    await writeRefusal(house, run, event.actor, { because: 'overtaken', detail });
    return null;
  }
  if ((await refuseOrder(house, run, event)) !== null) return null;
  return resumeAgentRun(house, run, event, session);
}
