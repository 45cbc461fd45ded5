/**
 * Whether an agent of ours made a pull request and hands it on by itself. A forge may report it before the answer to
 * our own request arrives, or while the run that made it waits to be resumed: then the ledger holds only the intention.
 * A review at that moment would not know what the pull request is for, nor which agent gets the findings.
 */
import { manifestOf } from '../agents/agents.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { LedgerEntry } from '../domain/ledger/ledger-entry.ts';
import { agentOf, type RunSummary } from '../domain/ledger/run.ts';
import { isGatewrightError } from '../errors.ts';
import type { FleetTools } from '../runs/house.ts';
import { subjectOfEvent } from './receive-event.ts';

/** A run that was cut off, or stopped and can be resumed; a run that failed for good hands nothing on any more. */
function mayStillHandOn({ status, request }: RunSummary): boolean {
  if (request.dryRun) return false;
  const agent = agentOf(request);
  return agent !== null && manifestOf(agent).handsOnPullRequests === true && status !== 'failed';
}

function wantsToOpen(entry: LedgerEntry, branch: string): boolean {
  if (entry.kind !== 'effect-intended') return false;
  const { effect } = entry.data;
  return effect.kind === 'create-pull-request' && effect.head === branch;
}

async function isBeingMade(
  { forge, ledger, views, repositoryName }: FleetTools,
  number: number,
): Promise<boolean> {
  const unfinished = await views.listRuns({ repository: repositoryName, doneSince: 'never' });
  const runs = unfinished.filter(mayStillHandOn);
  if (runs.length === 0) return false;
  try {
    const { head } = await forge.getPullRequest(repositoryName, number);
    for (const { id } of runs)
      if ((await ledger.readRun(id)).some((entry) => wantsToOpen(entry, head.branch))) return true;
    return false;
  } catch (error) {
    // A delivery may name a pull request that does not exist.
    if (isGatewrightError(error, 'forge-not-found')) return false;
    throw error;
  }
}

export async function isOwnPull(house: FleetTools, event: FleetEvent, own: string): Promise<boolean> {
  if ((await house.ledger.find('pull-request-made', subjectOfEvent(event))) !== null) return true;
  if (event.kind !== 'pull-request-opened' || event.actor.toLowerCase() !== own.toLowerCase()) return false;
  return isBeingMade(house, event.number);
}
