/** The pull request with a number, and those that workflows made for an issue. */
import { workflowNames } from '../domain/fleet/agent-names.ts';
import type { RunSummary } from '../domain/ledger/run.ts';
import { isGatewrightError } from '../errors.ts';
import type { PullRequestDetail } from '../ports/forge/forge.ts';
import type { FleetTools } from '../runs/house.ts';

/** Null when the number is that of an issue. */
export async function findPull(
  house: Pick<FleetTools, 'forge' | 'repositoryName'>,
  number: number,
): Promise<PullRequestDetail | null> {
  try {
    return await house.forge.getPullRequest(house.repositoryName, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return null;
    throw error;
  }
}

/** Those that workflows made, as long as they are open. */
export async function findOpenPulls(
  house: Parameters<typeof findPull>[0],
  runs: readonly RunSummary[],
): Promise<number[]> {
  const made = runs.flatMap(({ request, result }) =>
    result !== null && workflowNames.some((name) => name === request.workflow) ? [result.number] : [],
  );
  const open: number[] = [];
  for (const number of new Set(made))
    if ((await findPull(house, number))?.state === 'open') open.push(number);
  return open;
}
