/** Finds the pull request that a command of `forge pr …` is about: by number, by branch, or by what is checked out. */

import { quoteForShell } from '../../../../domain/text/quote-for-shell.ts';
import { GatewrightError, isGatewrightError } from '../../../../errors.ts';
import type { PullRequestDetail } from '../../../../ports/forge/forge.ts';
import type { House } from '../../../../runs/house.ts';
import type { App } from '../../app.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Given } from '../../table/command.ts';
import { findIssueNumber } from './issue-number.ts';

/** With `--repo` the folder we are in may be another repository's, so what is checked out here says nothing. */
export async function currentBranch(house: House, given: Given, instead: string): Promise<string> {
  const branch = given.text('repo') === null ? await house.repository.currentBranch() : null;
  if (branch !== null) return branch;
  throw new GatewrightError(
    'usage',
    given.text('repo') === null
      ? 'No branch is checked out here.'
      : 'With --repo the branch that is checked out here is not used.',
    { hint: `Name it: ${instead}` },
  );
}

export async function openPullRequest(
  app: App,
  given: Given,
): Promise<{ readonly house: House; readonly pull: PullRequestDetail }> {
  const house = await openLocalHouse(app, given);
  const typed = given.args[0] ?? null;
  const number = typed === null ? null : findIssueNumber(typed);
  if (number !== null) return { house, pull: await house.forge.getPullRequest(house.repositoryName, number) };
  const head = typed ?? (await currentBranch(house, given, 'the number of the pull request, or its branch'));
  const found = await house.forge.listPullRequests(house.repositoryName, { head, state: 'all' });
  // The open one, or else the last there was.
  const chosen = found.find((pull) => pull.state === 'open') ?? found[0];
  if (chosen === undefined)
    throw new GatewrightError('forge-not-found', `There is no pull request from the branch "${head}".`, {
      hint: 'List them with: gatewright forge pr list --state all',
    });
  return { house, pull: await house.forge.getPullRequest(house.repositoryName, chosen.number) };
}

/**
 * Deletes the branch of one that is done with; says why the branch stays, or null when it is gone. A branch that stays is
 * no failure: what was asked for in the first place is done.
 */
export async function deleteItsBranch(
  house: House,
  { head, base }: Pick<PullRequestDetail, 'head' | 'base'>,
  sha: string,
): Promise<string | null> {
  try {
    await house.forge.deleteBranch(house.repositoryName, head.branch, sha);
    return null;
  } catch (error) {
    if (!isGatewrightError(error)) throw error;
    const here = (await house.repository.currentBranch().catch(() => null)) === head.branch;
    const [leave, remove] = [base.branch, head.branch].map(quoteForShell);
    const how = here ? ` Delete it with: git switch ${leave} && git branch -D ${remove}` : '';
    return `The branch ${head.branch} stays: ${error.message}${how}`;
  }
}
