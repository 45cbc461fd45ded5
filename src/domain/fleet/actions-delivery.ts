/**
 * The delivery of an event that starts workflow runs of GitHub Actions. One event starts several workflows, each for its
 * own agents: each of them has a delivery of its own, and a workflow run that is run again has the same one.
 */
import { sha256 } from '../ledger/hash.ts';

function prefixOf(agents: readonly string[]): string {
  return `actions/${sha256([...agents].sort().join(' ')).slice(0, 12)}/`;
}

/** @param text the event as it was delivered, whole */
export function identifyActionsEvent(agents: readonly string[], name: string, text: string): string {
  return `${prefixOf(agents)}${sha256(`${name}\n${text}`)}`;
}

/** What a schedule delivers is the same each time, so that the workflow run tells one time from another. */
export function identifyActionsSchedule(
  agents: readonly string[],
  workflowRun: number,
  schedule: string,
): string {
  return `${prefixOf(agents)}run-${workflowRun}/${schedule}`;
}

/** Whether it was delivered for these very agents. */
export function isOfRun(delivery: string, agents: readonly string[]): boolean {
  return delivery.startsWith(prefixOf(agents));
}
