/**
 * Commits to the local forge and from it. Its repository is the person's own, so every commit is there already, and a
 * push only moves a branch; never one that is checked out.
 */
import { checkBranchName, checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { Transport } from '../../ports/transport.ts';
import { holdCommit, isHeldToday } from '../git/kept-commits.ts';
import { listCheckouts } from '../git/move-branch.ts';
import type { ForgeRecords } from './forge-records.ts';
import type { LocalBranches } from './local-branches.ts';
import type { LocalRepositories } from './local-repositories.ts';

export class LocalTransport implements Transport {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #branches: LocalBranches;

  constructor(records: ForgeRecords, repositories: LocalRepositories, branches: LocalBranches) {
    this.#records = records;
    this.#repositories = repositories;
    this.#branches = branches;
  }

  async fetchCommit(repository: string, commit: string): Promise<string> {
    checkCommitName(commit);
    const git = this.#repositories.gitOf(repository);
    if (!(await isHeldToday(git, commit)) && !(await git.hasCommit(commit)))
      throw new GatewrightError('forge-not-found', `${repository} has no commit ${commit}.`);
    await holdCommit(git, commit);
    return commit;
  }

  async fetchBranch(repository: string, branch: string): Promise<string> {
    const found = await this.#branches.get(repository, branch);
    if (found === null)
      throw new GatewrightError(
        'forge-not-found',
        `${repository} has no branch ${branch}; perhaps nothing is committed there yet.`,
      );
    return this.fetchCommit(repository, found.sha);
  }

  async pushBranch(...[repository, push]: Parameters<Transport['pushBranch']>): Promise<void> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    const branch = checkBranchName(push.branch);
    const commit = checkCommitName(push.commit);
    const expected = push.expected === null ? null : checkCommitName(push.expected);
    const git = this.#repositories.gitOf(repository);
    if (!(await git.hasCommit(commit)))
      throw new GatewrightError('forge-rejected', `There is no commit ${commit} here to push.`);
    const isThere = async (): Promise<boolean> => {
      const now = await git.readBranch(branch);
      if (now === commit || now === expected) return now === commit;
      throw new GatewrightError(
        'head-moved',
        `The branch ${branch} of ${repository} is at ${now ?? 'no commit'}, not at ${expected ?? 'none'}.`,
      );
    };
    if (await isThere()) return;
    const [checkout] = await listCheckouts(git, branch);
    if (checkout !== undefined)
      throw new GatewrightError('push-refused', `The branch ${branch} is checked out in ${checkout}.`, {
        hint: `Its files would not follow. Switch to another branch in ${checkout} and try again.`,
      });
    if (expected === null) await this.#branches.requireFree(git, branch);
    if (await git.setBranch(branch, expected, commit, 'push')) return;
    if (!(await isThere()))
      throw new GatewrightError('git-busy', `The branch ${branch} changed too often meanwhile; try again.`);
  }
}
