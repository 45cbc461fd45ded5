/**
 * The words of an issue that may be carried out: those that whoever ordered it had before them. What somebody wrote into
 * it since who could have ordered it themselves is taken as well; anything else makes the order void.
 */
import { eventSchema, type FleetEvent } from '../../domain/fleet/event.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import type { ImplementerHistory } from '../../domain/fleet/implementer-history.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import { findChanges, type SeenText } from '../../domain/forge/seen-text.ts';
import type { Editor, ForgeIssue } from '../../ports/forge/forge-issues.ts';
import type { AgentContext } from '../agent.ts';

export interface OrderedText {
  readonly title: string;
  readonly body: string;
  /** What was agreed to before the words were changed by somebody who may not; null when everything is in order. */
  readonly outdated: 'order' | 'plan' | null;
}

function seenIn(event: FleetEvent): SeenText | null {
  return 'seen' in event ? (event.seen ?? null) : null;
}

/** The words that the last order was about; null when they are not known, as in events from before they were kept. */
async function readSeen(context: AgentContext, history: ImplementerHistory): Promise<SeenText | null> {
  const { event, ledger } = context;
  if (event.kind !== 'handed-on') return seenIn(event);
  if (history.orderEvent === null) return null;
  return seenIn(eventSchema.parse(JSON.parse(await ledger.getText(history.orderEvent))));
}

async function mayOrder(context: AgentContext, editor: Editor | null): Promise<boolean> {
  if (editor === null) return false;
  if (editor.kind === 'bot') return isListedBot(context.settings, editor.login);
  return isAtLeast(await context.forge.permissionOf(context.repository, editor.login), 'write');
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
  // Words and editors of one moment: whoever edits between two questions would lend their name to somebody else's words.
  const text = await context.forge.getIssueText(context.repository, issue.number);
  const editors = { title: text.titleBy, body: text.bodyBy };
  for (const bond of bonds) {
    for (const part of findChanges(bond.seen, text)) {
      if (!(await mayOrder(context, editors[part])))
        return { title: text.title, body: text.body, outdated: bond.to };
    }
  }
  return { title: text.title, body: text.body, outdated: null };
}
