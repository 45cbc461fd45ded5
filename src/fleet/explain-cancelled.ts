/** What `explain` says about work that a person cancelled: who did it, when, and how it starts again. */
import { restartOf } from '../domain/fleet/restart-words.ts';
import { type Condition, toDo } from '../domain/ledger/condition.ts';
import { agentOf, isAgentRun, type RunSummary, withoutOvertaken } from '../domain/ledger/run.ts';
import { cancelledBy } from '../runs/end-run.ts';
import type { FleetTools } from '../runs/house.ts';

/** How a person says something to an agent about a number: a command where there is no page to write it on. */
export function sayAbout({ forge, fleet, commandSuffix }: FleetTools, number: number, words: string) {
  const text = `@${fleet.handle} ${words}`;
  return toDo(
    forge.kind === 'local'
      ? `gatewright forge issue comment ${number} --body '${text}'${commandSuffix}`
      : `comment there: ${text}`,
  );
}

function restart(house: FleetTools, number: number, { request }: RunSummary) {
  const agent = agentOf(request);
  const again = agent === null ? null : restartOf(agent);
  if (again === null) return toDo('its next event starts it again');
  return 'say' in again ? sayAbout(house, number, again.say) : toDo(again.do);
}

/** A clean review after it needs no more work. */
async function isSettledSince({ ledger }: FleetTools, { subject, changedAt }: RunSummary): Promise<boolean> {
  const entries = await ledger.readWork(subject);
  return entries.some(
    (entry) => entry.kind === 'code-reviewed' && entry.data.isClean && entry.at > changedAt,
  );
}

/** @param runs all runs about it, newest first */
export async function cancelledConditions(
  house: FleetTools,
  number: number,
  runs: readonly RunSummary[],
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const run of withoutOvertaken(runs)) {
    const by = cancelledBy(run);
    if (by === null || !isAgentRun(run) || (await isSettledSince(house, run))) continue;
    conditions.push({
      what: `${by} cancelled the run ${run.id} of the ${run.request.agent} at ${run.changedAt}`,
      who: 'a person with write permission',
      ...restart(house, number, run),
    });
  }
  return conditions;
}
