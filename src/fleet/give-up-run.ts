/**
 * Gives a run up that was tried as often as it is: from now on it waits for a person, who is told on the forge. The ledger
 * comes first, so that `status` lists the run even while the forge cannot be reached.
 */
import { loadAgent } from '../agents/agents.ts';
import {
  type AgentRun,
  optionsOfRun,
  type RunSummary,
  resumeCommandOf,
  type StopReason,
} from '../domain/ledger/run.ts';
import { type ErrorCode, errorCatalogue, GatewrightError, isGatewrightError } from '../errors.ts';
import type { Lease } from '../ports/leases.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import { holdLease } from '../runs/hold-lease.ts';
import type { FleetTools } from '../runs/house.ts';
import { makeAgentContext } from './agent-context.ts';
import { readEventOfRun } from './read-event.ts';
import type { FleetSession } from './run-agent.ts';

/** Whether it was given up, so that a person has to know of it. */
export function isGivenUp({ status, reason, request, isDismissed }: RunSummary): boolean {
  return status === 'blocked' && reason?.isGivenUp === true && !request.dryRun && !isDismissed;
}

/** The reason as an error that agents know how to tell. A ledger may be newer than the catalogue. */
function toError({ code, message }: StopReason): GatewrightError {
  const known = Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : 'internal';
  return new GatewrightError(known, message);
}

async function stop(
  { ledger, actor, commandSuffix }: FleetTools,
  { id, subject, request }: AgentRun,
  { until: _, ...reason }: StopReason,
  times: number,
  lease: Lease,
): Promise<StopReason> {
  const message = `${reason.message} It was tried ${times} times.`;
  const resume = reason.resume || resumeCommandOf(request, id, `${optionsOfRun(request)}${commandSuffix}`);
  const given: StopReason = { ...reason, message, owner: 'person', resume, isGivenUp: true };
  const data = { status: 'blocked', reason: given } as const;
  await ledger.append([{ subject, run: id, actor, kind: 'run-stopped', data }], lease);
  return given;
}

/** Fails when no person could be told; called again, it only tells. */
export async function giveUpRun(
  house: FleetTools,
  run: AgentRun,
  times: number,
  session: FleetSession,
): Promise<void> {
  const { reason } = run;
  if (reason === null || (reason.owner === 'person' && reason.isGivenUp !== true)) return;
  const lease = await acquireLease(house, run.subject);
  try {
    const given = reason.isGivenUp === true ? reason : await stop(house, run, reason, times, lease);
    // An event that cannot be read now cannot be read later either; `status` lists the run.
    const event = await readEventOfRun(house, run).catch((error: unknown) => {
      if (isGatewrightError(error, 'event-unreadable')) return null;
      throw error;
    });
    const agent = await loadAgent(run.request.agent);
    if (event === null) return;
    await holdLease(lease, session.signal, async (signal) => {
      const context = makeAgentContext(house, agent, run, event, { ...session, signal }, lease);
      await agent.tellGivenUp?.(context, toError(given));
    });
  } finally {
    await lease.release();
  }
}
