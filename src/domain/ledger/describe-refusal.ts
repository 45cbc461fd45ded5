/** A refusal of an event, in a few words; the same wherever it is shown. */
import type { FleetEntryData } from './fleet-entries.ts';

type Refused = Pick<FleetEntryData['event-refused'], 'agent' | 'because' | 'detail'> & {
  readonly by?: string;
};

export function describeRefusal({ agent, because, detail, by }: Refused): string {
  // The keeper does act on it: what it refuses is the label.
  if (because === 'label') return `labels were corrected: ${detail}`;
  if (agent === null) return `no agent acted: ${detail}`;
  return `${agent} did not act${by === undefined ? '' : ` for ${by}`}: ${detail}`;
}
