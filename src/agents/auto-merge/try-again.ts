/**
 * What happens to a merge when its head or base moved meanwhile: another run tries it again, a limited number of times.
 */

import { countMergeAttempts, mostMergeAttempts } from '../../domain/fleet/merge-attempts.ts';
import { findEarlierEffect } from '../../domain/ledger/earlier-runs.ts';
import { inertLine } from '../../domain/text/inert-markdown.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import type { Member } from './land-pull-request.ts';

/**
 * Hands the merge on to another run, or gives up and says so: once for each head. The next event of the pull request
 * tries it again.
 */
export async function tryAgain(context: AgentContext, own: Member, branch: string): Promise<AgentEnd> {
  const { effects, event, ledger, repository, runId, subject } = context;
  const { number, head } = own;
  const why = `#${number} or its base ${branch} moved, or the forge could not say whether it conflicts`;
  const entries = await ledger.readWork(subject);
  if (countMergeAttempts(entries, event) < mostMergeAttempts)
    return {
      message: `not merged yet: ${why}`,
      handoffs: [{ to: 'auto-merge', task: 'start', number }],
    };
  const key = `gave-up/${head}`;
  if (findEarlierEffect(entries, 'create-comment', key, runId) === null)
    await effects.perform(key, 'create-comment', async () => {
      const place = inertLine(branch, 100);
      const text = `Not merged: ${mostMergeAttempts} attempts in a row found that this or ${place} had moved on, or that the forge could not say whether it conflicts.\n\nIt is tried again after its next commit, review or check, or when a label of it changes. A person with write permission can merge it by hand.\n`;
      return { repository, number, body: await ledger.putText(text), author: context.own };
    });
  await context.record({
    kind: 'limit-reached',
    key: `${runId}/merge-limit`,
    data: { what: 'merge', limit: mostMergeAttempts },
  });
  return {
    message: `not merged: ${mostMergeAttempts} attempts in a row, and each time ${why}; it is tried again when something happens to it`,
  };
}
