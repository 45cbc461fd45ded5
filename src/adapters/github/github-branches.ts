/** Branches and commits on GitHub. */
import { checkBranchName, checkCommitName, isCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { CodeForge, ForgeBranch, ForgeCommit } from '../../ports/forge/forge.ts';
import { hasStatus, isMissing } from './client/explain-github-error.ts';
import { type GithubCalls, type Place, placeOf, repositoryRoute } from './client/github-calls.ts';
import { branchPayload, commitPayload, refPayload, toBranch, toCommit } from './payloads/code-payloads.ts';

const noCommit = '0'.repeat(40);

type BranchParts = Pick<
  CodeForge,
  'defaultBranch' | 'listBranches' | 'getBranch' | 'createBranch' | 'deleteBranch' | 'listCommits'
>;

export class GithubBranches implements BranchParts {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async defaultBranch(repository: string): Promise<string> {
    const place = placeOf(repository);
    return this.#calls.explained(
      repository,
      async () => (await this.#calls.readRepository(place)).default_branch,
    );
  }

  async listBranches(repository: string): Promise<ForgeBranch[]> {
    const place = placeOf(repository);
    const branches = await this.#calls.explained(`branches of ${repository}`, () =>
      this.#calls.client.list(`GET ${repositoryRoute}/branches`, { ...place }, branchPayload),
    );
    return branches.map(toBranch);
  }

  /** By its ref and not by `/branches/…`, which follows the new name of a branch that was renamed. */
  async #readBranch(place: Place, name: string): Promise<ForgeBranch | null> {
    try {
      const { ref, object } = await this.#calls.client.get(
        `GET ${repositoryRoute}/git/ref/{ref}`,
        { ...place, ref: `heads/${name}` },
        refPayload,
      );
      return ref === `refs/heads/${name}` ? { name, sha: object.sha } : null;
    } catch (error) {
      if (hasStatus(error, 409)) return null;
      if (!isMissing(error)) throw error;
      // Either there is no such repository, and this throws, or no such branch.
      await this.#calls.readRepository(place);
      return null;
    }
  }

  async getBranch(repository: string, name: string): Promise<ForgeBranch | null> {
    const place = placeOf(repository);
    checkBranchName(name);
    return this.#calls.explained(`the branch ${name} of ${repository}`, () => this.#readBranch(place, name));
  }

  async createBranch(repository: string, name: string, sha: string): Promise<ForgeBranch> {
    const place = placeOf(repository);
    const parameters = { ...place, ref: `refs/heads/${checkBranchName(name)}`, sha: checkCommitName(sha) };
    return this.#calls.written(
      `making the branch ${name} in ${repository}`,
      () => this.#calls.readRepository(place),
      async () => {
        try {
          const route = `POST ${repositoryRoute}/git/refs` as const;
          const { object } = await this.#calls.client.writeAndRead(route, parameters, refPayload);
          return { name, sha: object.sha };
        } catch (error) {
          // GitHub says 422 to everything that is wrong here, with words only.
          if (hasStatus(error, 422) && (await this.#readBranch(place, name)) !== null)
            throw new GatewrightError('branch-exists', `${repository} has a branch ${name} already.`);
          throw error;
        }
      },
    );
  }

  /** GraphQL, because REST deletes a branch wherever it stands: what was pushed a moment ago would be lost. */
  async deleteBranch(repository: string, name: string, expected: string): Promise<boolean> {
    const place = placeOf(repository);
    checkBranchName(name);
    checkCommitName(expected);
    return this.#calls.explained(`deleting the branch ${name} of ${repository}`, async () => {
      const { node_id: repositoryId, default_branch: main } = await this.#calls.readRepository(place);
      if (name === main)
        throw new GatewrightError('forge-rejected', `${name} is the default branch of ${repository}.`, {
          hint: 'Make another branch the default one first.',
        });
      const before = await this.#readBranch(place, name);
      if (before === null) return false;
      this.#requireAt(before, expected);
      const update = { name: `refs/heads/${name}`, beforeOid: expected, afterOid: noCommit, force: true };
      try {
        await this.#calls.client.mutate(
          'updateRefs',
          'UpdateRefsInput',
          { repositoryId, refUpdates: [update] },
          'clientMutationId',
        );
        return true;
      } catch (error) {
        // Only when GitHub itself refused: after a lost answer it is unknown which request deleted the branch.
        if (!hasStatus(error, 404, 409, 422)) throw error;
        const after = await this.#readBranch(place, name);
        if (after === null) return false;
        this.#requireAt(after, expected);
        throw error;
      }
    });
  }

  #requireAt(branch: ForgeBranch, expected: string): void {
    if (branch.sha === expected) return;
    throw new GatewrightError(
      'head-moved',
      `The branch ${branch.name} is at ${branch.sha}, not at ${expected}.`,
    );
  }

  async listCommits(
    repository: string,
    from: string,
    filter: { readonly since?: string; readonly limit?: number } = {},
  ): Promise<ForgeCommit[]> {
    const place = placeOf(repository);
    if (!isCommitName(from)) checkBranchName(from);
    const { since, limit = Number.POSITIVE_INFINITY } = filter;
    const what = `commits of ${repository}`;
    const commits = await this.#calls.explained(what, async () => {
      try {
        return await this.#calls.client.list(
          `GET ${repositoryRoute}/commits`,
          {
            ...place,
            sha: from,
            per_page: Math.max(1, Math.min(limit, 100)),
            ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
          },
          commitPayload,
          (_, count) => count >= limit,
        );
      } catch (error) {
        // 409 is an empty repository, 422 a hash that is no commit.
        if (!hasStatus(error, 409, 422)) throw error;
        throw new GatewrightError('forge-not-found', `${repository} has no commit or branch ${from}.`);
      }
    });
    return commits.slice(0, limit).map(toCommit);
  }
}
