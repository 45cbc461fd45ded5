/** What began the work, as the person did it: a label or an assignment is an order here, but the person gave no order in words. */
import type { FleetEvent } from '../../../domain/fleet/event.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';

/** In JSON among the facts of a run. */
export type OrderDeed = { readonly label: string } | 'assigned' | 'said';

export function readDeed(event: FleetEvent): OrderDeed {
  if (event.kind === 'labeled') return { label: event.label };
  return event.kind === 'issue-assigned' ? 'assigned' : 'said';
}

/** For messages on a screen. */
export function describeDeed(person: string | null, deed: OrderDeed): string {
  const who = person ?? 'a person';
  if (deed === 'said') return `${who} ordered it`;
  return deed === 'assigned' ? `${who} assigned it` : `${who} set the label "${deed.label}"`;
}

/** For a comment to that person. */
export function tellDeed(deed: OrderDeed): string {
  if (deed === 'said') return 'this was ordered';
  return deed === 'assigned' ? 'you assigned it' : `you set the label "${inertLine(deed.label, 60)}"`;
}
