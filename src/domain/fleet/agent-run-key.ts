/** What makes a run of an agent the one for its event: a repeated delivery begins no second one. */
import type { Subject } from '../ledger/subject.ts';
import type { WorkerName } from './agent-names.ts';
import type { FleetEvent } from './event.ts';

/** One run for each event, agent and subject. */
export function agentRunKey(
  { delivery }: Pick<FleetEvent, 'delivery'>,
  { agent, subject }: { readonly agent: WorkerName; readonly subject: Subject },
): string {
  return `${delivery}/${agent}/${subject}`;
}
