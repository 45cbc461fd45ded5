/** A pull request with real commits, for the parts of the forge contract that need one. */
import type { Forge, PullRequest, PullRequestDetail } from '../../src/ports/forge/forge.ts';
import type { StoredFiles } from '../support/git-store.ts';
import type { ForgeWorld } from './forge-world.ts';

interface Wanted {
  readonly branch?: string;
  readonly files?: StoredFiles;
  readonly base?: string;
  readonly title?: string;
  readonly body?: string;
  readonly isDraft?: boolean;
  /** Who opens it; a person with write permission unless told. */
  readonly by?: Forge;
}

export async function openPullRequest(world: ForgeWorld, wanted: Wanted = {}): Promise<PullRequest> {
  const branch = wanted.branch ?? 'change';
  const base = wanted.base ?? 'main';
  world.git.commit(branch, wanted.files ?? { 'change.txt': 'one\ntwo\nthree\n' }, { from: base });
  return (wanted.by ?? world.forgeAs(world.actors.write)).createPullRequest(world.repository, {
    title: wanted.title ?? 'A change',
    body: wanted.body ?? 'What it is for.',
    head: branch,
    base,
    ...(wanted.isDraft === undefined ? {} : { isDraft: wanted.isDraft }),
  });
}

/** As the forge sees it when it has worked out whether it can be merged. */
export async function getSettled(world: ForgeWorld, number: number): Promise<PullRequestDetail> {
  for (;;) {
    const pull = await world.forge.getPullRequest(world.repository, number);
    if (pull.mergeable !== 'unknown') return pull;
  }
}
