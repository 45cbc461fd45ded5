/** Tells people, once for each time that the label was set, that it does not let the pull request be merged as it is now. */
import { findEarlierEffect } from '../../domain/ledger/earlier-runs.ts';
import { inertLine } from '../../domain/text/inert-markdown.ts';
import type { AgentContext } from '../agent.ts';
import { say } from '../post-comment.ts';
import { type MergeFacts, remedies, type UnmetCondition } from './rules/merge-conditions.ts';

export interface GrantNews {
  readonly key: string;
  readonly text: string;
}

/**
 * Unmet conditions that surprise the person who set the label. The other conditions are visible on the pull request
 * itself.
 */
const told: readonly UnmetCondition['code'][] = [
  ...(['label-unplaced', 'label-outdated', 'label-other-base', 'by-hand'] as const),
  ...(['queue-asks-person', 'queue-removed'] as const),
];

/**
 * Deliveries may arrive out of order. For this long after the label was set, a missing delivery may still arrive, so no
 * comment says that it is missing.
 */
const stillComing = 120_000;

/** Null when there is nothing to tell. */
export function newsOfGrant(
  { grant, head }: Pick<MergeFacts, 'grant' | 'head'>,
  unmet: readonly UnmetCondition[],
  now: Date,
): GrantNews | null {
  const found = unmet.find(({ code }) => told.includes(code));
  if (grant === null || found === undefined) return null;
  const { code, what } = found;
  if (code === 'label-unplaced' && now.getTime() - Date.parse(grant.at) < stillComing) return null;
  const how = `To have ${head.slice(0, 12)} merged: ${remedies[code]}.`;
  return {
    key: `grant/${code}/${grant.at}`,
    text: `Not merged: ${inertLine(what, 1000)}.\n\nThis needs a person with write permission. ${how}\n`,
  };
}

export async function reportGrant(context: AgentContext, number: number, news: GrantNews): Promise<void> {
  const entries = await context.ledger.readWork(context.subject);
  if (findEarlierEffect(entries, 'create-comment', news.key, context.runId) !== null) return;
  await say(context, news.key, number, news.text);
}
