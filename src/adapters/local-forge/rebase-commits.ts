/** Puts the commits of a branch onto a base one by one, each with its own words and author, as `git rebase` does. */
import { GatewrightError } from '../../errors.ts';
import type { BareGit, CommitFacts, Identity } from '../git/bare-git.ts';

export function conflictOf(number: number): GatewrightError {
  return new GatewrightError('merge-conflict', `Pull request #${number} conflicts with its base.`);
}

/** Null when git was never told who wrote it: the person who merges counts then. */
export function authorOf(commit: CommitFacts | undefined): Identity | null {
  return commit === undefined || commit.author.name === '' || commit.author.email === ''
    ? null
    : commit.author;
}

/** What a commit changes, put onto another one: a merge whose common ancestor is the commit's own parent. */
async function pick(git: BareGit, onto: string, commit: CommitFacts, fallback: Identity) {
  const [parent = ''] = commit.parents;
  // A commit with the content of the new base on top of that parent; no branch ever holds it.
  const stand = await git.commitTree({
    ...{ tree: await git.readTree(onto), parents: [parent], message: 'stand-in\n', author: null, fallback },
  });
  return git.mergeTrees(stand, commit.sha);
}

/** Merges of the base into the branch are left out; so is a commit that changes nothing any more. */
export async function rebaseCommits(
  git: BareGit,
  base: string,
  change: { readonly number: number; readonly head: string; readonly fallback: Identity },
): Promise<string> {
  const { number, head, fallback } = change;
  const words = [
    'rev-list',
    '--reverse',
    '--topo-order',
    '--no-merges',
    '--end-of-options',
    `${base}..${head}`,
  ];
  const commits = (await git.run(words)).split('\n').filter((sha) => sha !== '');
  let tip = base;
  for (const sha of commits) {
    const [commit] = await git.listCommits(sha, { limit: 1 });
    if (commit === undefined || commit.parents.length !== 1)
      throw new GatewrightError(
        'merge-refused',
        `Pull request #${number} cannot be rebased: it begins anew.`,
        {
          hint: 'Use --squash or --merge.',
        },
      );
    const tree = await pick(git, tip, commit, fallback);
    if (tree === null) throw conflictOf(number);
    if (tree === (await git.readTree(tip))) continue;
    const message = `${commit.message}\n`;
    tip = await git.commitTree({ tree, parents: [tip], message, author: authorOf(commit), fallback });
  }
  if (tip === base)
    throw new GatewrightError('merge-refused', `Pull request #${number} changes nothing on its base.`);
  return tip;
}
