/**
 * What has to hold before a run works on an issue: no hold is on it, and its text is the one that the person saw who gave
 * the order. A later edit counts if its author could have given the order; any other edit makes the order void.
 */
import { eventSchema, type FleetEvent } from '../../domain/fleet/event.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { findChanges, type SeenText } from '../../domain/forge/seen-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { ForgeIssue } from '../../ports/forge/forge-issues.ts';
import { findForeignEdit } from '../../runs/find-foreign-edit.ts';
import type { IssueRequest } from './issue-run.ts';
import type { RunContext } from './run-context.ts';

type Checking = Pick<
  RunContext<IssueRequest, never>,
  'ledger' | 'forge' | 'repository' | 'request' | 'settings'
>;

async function readEvent({ ledger }: Checking, delivery: string): Promise<FleetEvent | null> {
  const received = await ledger.find('event-received', delivery);
  return received === null ? null : eventSchema.parse(JSON.parse(await ledger.getText(received.data.event)));
}

/** The text that the order was about; null when a command gave it, or when it is not known. */
async function readSeen(context: Checking, delivery: string | undefined): Promise<SeenText | null> {
  if (delivery === undefined) return null;
  const event = await readEvent(context, delivery);
  if (event?.kind !== 'handed-on') return event !== null && 'seen' in event ? (event.seen ?? null) : null;
  // The run that handed it on was started by the order.
  const started = (await context.ledger.readRun(event.from)).find(({ kind }) => kind === 'run-started');
  if (started?.kind !== 'run-started' || !('delivery' in started.data.request)) return null;
  return readSeen(context, started.data.request.delivery);
}

export function stopIfHeld({ labels, number }: Pick<ForgeIssue, 'labels' | 'number'>): void {
  if (labels.some((label) => label.toLowerCase() === labelNames.hold))
    throw new GatewrightError('held', `#${number} carries the label "${labelNames.hold}".`);
}

/** The words of the issue that may be worked on. */
export async function readOrderedText(
  context: Checking,
  issue: ForgeIssue,
): Promise<{ readonly title: string; readonly body: string }> {
  const { title, body } = issue;
  const seen = await readSeen(context, context.request.delivery);
  if (seen === null || findChanges(seen, issue).length === 0) return { title, body };
  const text = await context.forge.getIssueText(context.repository, issue.number);
  const part = await findForeignEdit(context, seen, text);
  if (part === null) return { title: text.title, body: text.body };
  throw new GatewrightError(
    'order-outdated',
    `The ${part} of #${issue.number} was changed after the order, by an account that may give none.`,
  );
}
