/** `forge commit comments`: what was said about a commit, such as the diagnosis of its failed build. */
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../../../errors.ts';
import type { ForgeCommit } from '../../../../ports/forge/forge.ts';
import type { House } from '../../../../runs/house.ts';
import { openLocalHouse } from '../../open-local-house.ts';
import type { Handler } from '../../table/command.ts';
import { limitOf } from './forge-arguments.ts';
import { currentBranch } from './open-pull-request.ts';
import { shownText } from './shown-text.ts';

const mostCommits = 1000;

/** By branch, by commit, or by the beginning of a commit, which is what lists show. */
async function findCommit({ forge, repositoryName }: House, typed: string): Promise<ForgeCommit> {
  try {
    const [commit] = await forge.listCommits(repositoryName, typed, { limit: 1 });
    if (commit !== undefined) return commit;
  } catch (error) {
    if (!/^[0-9a-f]{7,40}$/u.test(typed) || !isGatewrightError(error, 'forge-not-found')) throw error;
  }
  for (const { name } of await forge.listBranches(repositoryName)) {
    const commits = await forge.listCommits(repositoryName, name, { limit: mostCommits });
    const found = commits.find(({ sha }) => sha.startsWith(typed));
    if (found !== undefined) return found;
  }
  throw new GatewrightError('forge-not-found', `${repositoryName} has no branch or commit ${typed}.`);
}

export const showCommitComments: Handler = async (app, given) => {
  const house = await openLocalHouse(app, given);
  const { forge, repositoryName } = house;
  const typed = given.args[0] ?? (await currentBranch(house, given, 'a commit, or a branch'));
  const commit = await findCommit(house, typed);
  const { sha } = commit;
  // The newest ones, in the order in which they were written.
  const comments = (await forge.listCommitComments(repositoryName, sha)).slice(-limitOf(given));
  if (given.flag('json')) app.terminal.printJson(comments);
  else if (comments.length === 0) app.terminal.say(`No comments on ${sha.slice(0, 12)}.`);
  else {
    const title = escapeForLine(commit.message.split('\n')[0] ?? '', 200);
    app.terminal.print(`${sha.slice(0, 12)} ${title}`);
    for (const { author, createdAt, body } of comments)
      app.terminal.print(`\n— ${escapeForLine(author)} · ${createdAt}\n${shownText(body)}`);
  }
  return 0;
};
