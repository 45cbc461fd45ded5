/** Looks up what routing an event needs, and no more: triggers say what they ask for. */
import { manifests } from '../agents/agents.ts';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import { agentRunKey } from '../domain/fleet/agent-run-key.ts';
import type { EventOf, FleetEvent } from '../domain/fleet/event.ts';
import { emptyHistory, readSubjectHistory, type SubjectHistory } from '../domain/ledger/subject-history.ts';
import { isGatewrightError } from '../errors.ts';
import type { FleetTools } from '../runs/house.ts';
import { workflowManifests } from '../workflows/workflows.ts';
import { isOwnPull } from './is-own-pull.ts';
import { subjectOfEvent } from './receive-event.ts';
import { listAsked, listOrderable, type RoutingFacts } from './route-event.ts';
import { findOpenRun } from './workflows/find-open-run.ts';

/** Empty for a pull request that does not exist: a delivery may name any number, and no agent can act on it. */
async function listReviewRemarks({ forge }: FleetTools, { repository, number }: EventOf<'review-submitted'>) {
  try {
    return await forge.listReviewComments(repository, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return [];
    throw error;
  }
}

/** What the author of a review says on single lines. Our own reviews are left out. */
async function readRemarks(house: FleetTools, event: FleetEvent, own: string): Promise<string[]> {
  if (event.kind !== 'review-submitted' || (event.actor === own && event.actorKind === 'bot')) return [];
  const remarks = await listReviewRemarks(house, event);
  return remarks
    .filter(({ review, author }) => review === event.review && author === event.actor)
    .map(({ body }) => body);
}

/** Null for an issue that does not exist, or is not here any more. */
async function readWords({ forge }: FleetTools, event: FleetEvent) {
  if (!('number' in event)) return null;
  try {
    const { title, body } = await forge.getIssue(event.repository, event.number);
    return { title, body };
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found', 'forge-moved', 'forge-gone')) return null;
    throw error;
  }
}

async function readHistoryOf({ ledger }: FleetTools, event: FleetEvent): Promise<SubjectHistory> {
  if (!('number' in event)) return emptyHistory;
  return readSubjectHistory(await ledger.readState(subjectOfEvent(event)), event.number);
}

/** Agents that have begun a run for this very event. Only agents that can take it as an order matter here. */
async function listBegun({ ledger }: FleetTools, event: FleetEvent): Promise<WorkerName[]> {
  const begun: WorkerName[] = [];
  const subject = subjectOfEvent(event);
  for (const agent of listOrderable(manifests, event))
    if ((await ledger.find('run-started', agentRunKey(event, { agent, subject }))) !== null)
      begun.push(agent);
  return begun;
}

export async function gatherRoutingFacts(
  house: FleetTools,
  event: FleetEvent,
  own: string,
): Promise<RoutingFacts> {
  const { handle, loopLabels } = house.fleet;
  const plain = { handle, own, loopLabels };
  const begun = await listBegun(house, event);
  // An agent that has begun a run for the event also finishes it, so no facts are needed to find the agent.
  const asked =
    begun.length > 0 ? new Set<never>() : listAsked([...manifests, ...workflowManifests], event, plain);
  return {
    ...plain,
    begun,
    history: asked.has('history') ? await readHistoryOf(house, event) : emptyHistory,
    remarks: asked.has('remarks') ? await readRemarks(house, event, own) : [],
    words: asked.has('words') ? await readWords(house, event) : null,
    openRun: asked.has('openRun') ? await findOpenRun(house, event) : null,
    isOwnPull: await isOwnPull(house, event, own),
  };
}
