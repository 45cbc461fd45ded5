/**
 * Merging where only the forge's checks show whether a change works. Checks are about the head, so the head has to
 * contain the newest base. If it does not, it is brought up to date first, and the new head is reviewed and checked.
 */
import type { AgentContext, AgentEnd } from '../agent.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { landPullRequest, type Member, tidyUp } from './land-pull-request.ts';
import { tryAgain } from './try-again.ts';

export async function mergeChecked(
  context: AgentContext,
  own: Member,
  checkStillHeld: () => Promise<void>,
): Promise<AgentEnd> {
  const { forge, repository } = context;
  const { number } = own;
  const base = await context.once('base', async () => {
    const pull = await forge.getPullRequest(repository, number);
    return {
      branch: pull.base.branch,
      sha: (await forge.getBranch(repository, pull.base.branch))?.sha ?? '',
    };
  });
  const ended = await bringUpToDate(context, own, base.branch, checkStillHeld);
  if (ended !== null) return ended;
  const onto = { base: base.sha, tested: null };
  const commit = await landPullRequest(context, own, onto, checkStillHeld);
  if (commit === null) return tryAgain(context, own, base.branch);
  await tidyUp(context, own);
  const { url } = await forge.getPullRequest(repository, number);
  return { message: `merged #${number}`, result: { number, url } };
}
