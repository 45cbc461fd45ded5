/**
 * Where the forge has a merge queue of its own, it merges and not we: what is ready is handed to it, once for each head.
 * What the queue took out again is told once and not handed over a second time, or the two would never end.
 */
import { findEarlierEffect } from '../../domain/earlier-runs.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../say.ts';
import type { Member } from './land-pull-request.ts';

/** GitHub's word for it, such as `CI_FAILURE`; anything else is not repeated. */
function wordReason(reason: string): string {
  return /^[A-Z_]{1,60}$/u.test(reason) ? reason.toLowerCase().replaceAll('_', ' ') : 'no reason is known';
}

export async function handToQueue(context: AgentContext, { number, head }: Member): Promise<AgentEnd> {
  const { effects, forge, ledger, repository, runId, subject } = context;
  const key = `enqueue/${head}`;
  const entries = await ledger.readSubject(subject);
  const earlier = findEarlierEffect(entries, 'enqueue-pull-request', key, runId);
  const queue = await context.once(
    'queue',
    async () => (await forge.readMergeRules(repository, number)).queue,
  );
  if (earlier?.state === 'done' && queue?.isQueued !== true) {
    const why = wordReason(queue?.removedFor ?? '');
    const told = `queue-removed/${head}`;
    if (findEarlierEffect(entries, 'create-comment', told, runId) === null)
      await say(
        context,
        told,
        number,
        `The merge queue has taken this out again (${why}). It is not handed over a second time as it is: push a fix, or put it into the queue by hand.\n`,
      );
    return { message: `not merged: the merge queue took #${number} out again (${why})` };
  }
  if (earlier === null)
    await effects.perform(key, 'enqueue-pull-request', () => ({ repository, number, head }));
  return { message: `#${number} is in the merge queue of the forge, which merges it` };
}
