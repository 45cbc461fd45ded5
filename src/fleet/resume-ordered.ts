/**
 * Takes a stopped run up again without anybody asking for it anew. Whoever ordered it may have lost the right to since;
 * then it takes a person to go on, and that is written down once. So is that somebody else has done it since.
 */
import { manifestOf } from '../agents/agents.ts';
import { isOrderTo } from '../agents/manifest.ts';
import type { AgentRequest, RunSummary } from '../domain/ledger/run.ts';
import type { FleetTools } from '../runs/house.ts';
import { type ActorRefusal, judgeActor } from './judge-actor.ts';
import { readEventOfRun } from './read-event.ts';
import { isOvertaken } from './rules/overtaken-run.ts';
import { type AgentOutcome, type FleetSession, resumeAgentRun } from './run-agent.ts';

async function writeRefusal(
  { ledger, actor }: FleetTools,
  run: RunSummary<AgentRequest>,
  by: string,
  { because, detail }: Pick<ActorRefusal, 'because' | 'detail'>,
): Promise<void> {
  const { agent, delivery } = run.request;
  const key = `${delivery}/${agent}/${run.id}`;
  if ((await ledger.find('event-refused', key)) !== null) return;
  const data = { delivery, agent, by, because, detail };
  await ledger.append([{ subject: run.subject, run: '', actor, kind: 'event-refused', key, data }]);
}

/** Null when it is not taken up: nobody may have it done any more, or nothing is known of what woke it. */
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
  const refusal = isOrderTo(manifestOf(run.request.agent), event.kind)
    ? await judgeActor(house, event)
    : null;
  if (refusal === null) return resumeAgentRun(house, run, event, session);
  await writeRefusal(house, run, event.actor, refusal);
  return null;
}
