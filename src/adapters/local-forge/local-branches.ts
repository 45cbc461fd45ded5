/** Branches and commits of the local forge: those of the repository's git. */
import { checkBranchName, checkCommitName, isCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { ForgeBranch, ForgeCommit } from '../../ports/forge/forge.ts';
import type { BareGit } from '../git/bare-git.ts';
import { listCheckouts } from '../git/move-branch.ts';
import type { ForgeRecords } from './forge-records.ts';
import type { LocalRepositories } from './local-repositories.ts';
import type { PullRows } from './pull-rows.ts';

export class LocalBranches {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #rows: PullRows;

  constructor(records: ForgeRecords, repositories: LocalRepositories, rows: PullRows) {
    this.#records = records;
    this.#repositories = repositories;
    this.#rows = rows;
  }

  async list(repository: string): Promise<ForgeBranch[]> {
    const branches = await this.#repositories.gitOf(repository).listBranches();
    return [...branches].map(([name, sha]) => ({ name, sha }));
  }

  async get(repository: string, name: string): Promise<ForgeBranch | null> {
    const sha = await this.#repositories.gitOf(repository).readBranch(checkBranchName(name));
    return sha === null ? null : { name, sha };
  }

  async create(repository: string, name: string, sha: string): Promise<ForgeBranch> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    checkBranchName(name);
    checkCommitName(sha);
    const git = this.#repositories.gitOf(repository);
    if (!(await git.hasCommit(sha)))
      throw new GatewrightError('forge-rejected', `${repository} has no commit ${sha}.`);
    await this.requireFree(git, name);
    if (!(await git.setBranch(name, null, sha, 'create')))
      throw new GatewrightError('branch-exists', `${repository} has a branch ${name} already.`);
    return { name, sha };
  }

  /** Git keeps branches as files: `a` and `a/b` cannot both be. */
  async requireFree(git: BareGit, name: string): Promise<void> {
    const inTheWay = [...(await git.listBranches()).keys()].find(
      (other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`),
    );
    if (inTheWay !== undefined)
      throw new GatewrightError(
        'forge-rejected',
        `The branch ${inTheWay} exists, so git cannot have a branch ${name}.`,
      );
  }

  async delete(repository: string, name: string, expected: string): Promise<boolean> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    checkBranchName(name);
    checkCommitName(expected);
    if ((await this.#repositories.findDefaultBranch(repository)) === name)
      throw new GatewrightError('forge-rejected', `${name} is the default branch and cannot be deleted.`);
    const git = this.#repositories.gitOf(repository);
    // So that pull requests from it know its last commit.
    await this.#rows.followAll(repository);
    const moved = new GatewrightError('head-moved', `The branch ${name} is not at ${expected.slice(0, 12)}.`);
    const current = await git.readBranch(name);
    if (current === null) return false;
    if (current !== expected) throw moved;
    const [checkout] = await listCheckouts(git, name);
    if (checkout !== undefined)
      throw new GatewrightError('forge-rejected', `The branch ${name} is checked out in ${checkout}.`, {
        hint: `Switch to another branch in ${checkout} and delete it again.`,
      });
    if (!(await git.setBranch(name, expected, null, 'delete'))) {
      if ((await git.readBranch(name)) === null) return false;
      throw moved;
    }
    await this.#rows.followAll(repository);
    return true;
  }

  async listCommits(
    repository: string,
    from: string,
    filter: { readonly since?: string; readonly limit?: number } = {},
  ): Promise<ForgeCommit[]> {
    const git = this.#repositories.gitOf(repository);
    const isCommit = isCommitName(from);
    const branch = await git.readBranch(isCommit ? from : checkBranchName(from));
    const start = branch ?? (isCommit && (await git.hasCommit(from)) ? from : null);
    if (start === null)
      throw new GatewrightError('forge-not-found', `${repository} has no branch or commit ${from}.`);
    const since = filter.since === undefined ? {} : { since: new Date(filter.since).toISOString() };
    const limit = filter.limit === undefined ? {} : { limit: filter.limit };
    const commits = await git.listCommits(start, { ...since, ...limit });
    return commits.map(({ sha, message, author, committedAt, parents }) => ({
      sha,
      message,
      authorName: author.name,
      committedAt,
      parents,
    }));
  }
}
