/**
 * Where the forge has its own merge queue, the queue merges, not Gatewright: a pull request that is ready is handed to
 * the queue, once for each head. A pull request that the queue removed is not handed over again, or the two would go
 * round for ever. After the queue has merged, the same tidying up follows as after our own merges.
 */

import { findEarlierEffect, findEarlierStep } from '../../domain/ledger/earlier-runs.ts';
import type { MergeGrounds } from '../../domain/ledger/fleet-entries.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { leftoverStep, type Member, tidyUp } from './land-pull-request.ts';
import { recordGrounds } from './record-grounds.ts';
import { listHanded } from './rules/queue-removal.ts';

/**
 * @param grounds what allows it; null when the facts were read by an older version
 * @param removedAt when the queue last removed it; a person has granted the merge again since then, or the head is
 * another one
 */
export async function handToQueue(
  context: AgentContext,
  { number, head }: Member,
  removedAt: string | null,
  grounds: MergeGrounds | null,
): Promise<AgentEnd> {
  const { effects, ledger, repository, runId, subject } = context;
  const key = removedAt === null ? `enqueue/${head}` : `enqueue/${head}/${removedAt}`;
  const entries = await ledger.readWork(subject);
  if (findEarlierEffect(entries, 'enqueue-pull-request', key, runId) === null) {
    if ((await effects.momentOf(key)) === null) await recordGrounds(context, grounds);
    await effects.perform(key, 'enqueue-pull-request', () => ({ repository, number, head }));
  }
  return { message: `#${number} is in the merge queue of the forge, which merges it` };
}

/** Whether it is merged by the queue to which we handed it, and no run has tidied up yet. */
export async function isLeftByQueue(context: AgentContext, { number, head }: Member): Promise<boolean> {
  const entries = await context.ledger.readWork(context.subject);
  const isHanded = listHanded(entries, number).some((one) => one.head === head);
  return isHanded && findEarlierStep(entries, leftoverStep(number), context.runId) === null;
}

export async function tidyUpBehindQueue(context: AgentContext, own: Member): Promise<AgentEnd> {
  const { number } = own;
  await tidyUp(context, own);
  const { url } = await context.forge.getPullRequest(context.repository, number);
  return { message: `the merge queue of the forge merged #${number}`, result: { number, url } };
}
