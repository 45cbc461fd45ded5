/**
 * The text of an issue that may be implemented: the text that the person saw when giving the order. A later edit counts
 * too if its author could have given the order; any other edit makes the order void.
 */
import { eventSchema, type FleetEvent } from '../../domain/fleet/event.ts';
import type { ImplementerHistory } from '../../domain/fleet/implementer-history.ts';
import { findChanges, type SeenText } from '../../domain/forge/seen-text.ts';
import type { ForgeIssue } from '../../ports/forge/forge-issues.ts';
import { findForeignEdit } from '../../runs/find-foreign-edit.ts';
import type { AgentContext } from '../agent.ts';

export interface OrderedText {
  readonly title: string;
  readonly body: string;
  /** What was agreed to before an editor without the right changed the text; null when the agreement is still valid. */
  readonly outdated: 'order' | 'plan' | null;
}

function seenIn(event: FleetEvent): SeenText | null {
  return 'seen' in event ? (event.seen ?? null) : null;
}

/** The event that was the last order: the one of this run, or of the run that handed it on; null when it is unknown. */
export async function readOrderEvent(
  { event, ledger }: AgentContext,
  { orderEvent }: ImplementerHistory,
): Promise<FleetEvent | null> {
  if (event.kind !== 'handed-on') return event;
  return orderEvent === null ? null : eventSchema.parse(JSON.parse(await ledger.getText(orderEvent)));
}

/** The words that the last order was about; null when they are not known, as in events from before they were kept. */
async function readSeen(context: AgentContext, history: ImplementerHistory): Promise<SeenText | null> {
  const event = await readOrderEvent(context, history);
  return event === null ? null : seenIn(event);
}

/** @param plan what a plan was made from that is about to be approved */
export async function readOrderedText(
  context: AgentContext,
  issue: ForgeIssue,
  history: ImplementerHistory,
  plan: SeenText | null,
): Promise<OrderedText> {
  const seen = await readSeen(context, history);
  const bonds = [
    ...(plan === null ? [] : [{ to: 'plan' as const, seen: plan }]),
    ...(seen === null ? [] : [{ to: 'order' as const, seen }]),
  ];
  const { title, body } = issue;
  const isChanged = bonds.some((bond) => findChanges(bond.seen, issue).length > 0);
  if (!isChanged) return { title, body, outdated: null };
  // The text and its editors come from one answer of the forge: if an edit fell between two requests, the text of one
  // author would be taken for the text of another.
  const text = await context.forge.getIssueText(context.repository, issue.number);
  for (const bond of bonds)
    if ((await findForeignEdit(context, bond.seen, text)) !== null)
      return { title: text.title, body: text.body, outdated: bond.to };
  return { title: text.title, body: text.body, outdated: null };
}
