/**
 * Merging where only the forge's checks tell whether a change works: they speak of its head, so the head has to hold the
 * newest base. If it does not, it is brought up to date first, and reviewed and checked as what it then is.
 */
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { landPullRequest, type Member, tidyUp } from './land-pull-request.ts';
import { tryAgain } from './try-again.ts';

export async function mergeChecked(
  context: AgentContext,
  own: Member,
  checkStillHeld: () => Promise<void>,
): Promise<AgentEnd> {
  const { effects, forge, repository } = context;
  const { number, head } = own;
  const base = await context.once('base', async () => {
    const pull = await forge.getPullRequest(repository, number);
    return {
      branch: pull.base.branch,
      sha: (await forge.getBranch(repository, pull.base.branch))?.sha ?? '',
    };
  });
  try {
    await checkStillHeld();
    const updated = await effects.perform('update', 'update-branch', () => ({ repository, number, head }));
    if (updated.head !== head)
      return {
        message: `#${number} was brought up to date with ${base.branch}; it is reviewed as it is now`,
        handoffs: [{ to: 'reviewer', task: 'start', number }],
      };
  } catch (error) {
    if (isGatewrightError(error, 'merge-conflict'))
      return { message: `not merged: #${number} conflicts with ${base.branch}` };
    if (!isGatewrightError(error, 'head-moved')) throw error;
    return { message: `not merged: #${number} was pushed to` };
  }
  const commit = await landPullRequest(context, own, base.sha, checkStillHeld);
  if (commit === null) return tryAgain(context, own, base.branch);
  await tidyUp(context, own);
  const { url } = await forge.getPullRequest(repository, number);
  return { message: `merged #${number}`, result: { number, url } };
}
