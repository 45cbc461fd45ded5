/** Putting changes onto their base on GitHub, bound to the commit that was looked at. */

import type { MergeMethod } from '../../domain/forge/forge-rules.ts';
import { checkBody, checkTitle } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { CodeForge } from '../../ports/forge/forge.ts';
import { hasStatus, refusalWords } from './client/explain-github-error.ts';
import { type GithubCalls, repositoryRoute } from './client/github-calls.ts';
import { pullOf, pullRoute, readPull } from './github-pulls.ts';
import { comparisonPayload, mergePayload, type PullDetailPayload } from './payloads/pull-payloads.ts';

type PullAddress = ReturnType<typeof pullOf>;

/** What GitHub says while it is still working out what the last push or merge means. It did nothing by then. */
const lateMerge = /^(?:base branch was modified|head branch was modified|merge already in progress)\b/iu;
const notAllowed = /\b(?:squash merges|merge commits|rebase merges) are not allowed\b/iu;
const notMergeable = /^pull request is not mergeable\b/iu;
/** States in which GitHub itself sees nothing in the way, or has not looked yet. */
const openStates: readonly string[] = ['unknown', 'clean', 'unstable', 'has_hooks'];

/** A refusal that passes by itself: what it says of the pull request is not so when one looks. */
class LateRefusal extends Error {
  constructor(cause: unknown) {
    super('late', { cause });
  }
}

const isLate = (error: unknown): boolean => error instanceof LateRefusal;

export class GithubMerges implements Pick<CodeForge, 'mergePullRequest' | 'mergeTogether' | 'updateBranch'> {
  readonly #calls: GithubCalls;
  readonly #branches: Pick<CodeForge, 'getBranch'>;
  /** Merges without an answer: it is not known yet whether they happened. */
  readonly #lost = new Set<string>();

  constructor(calls: GithubCalls, branches: Pick<CodeForge, 'getBranch'>) {
    this.#calls = calls;
    this.#branches = branches;
  }

  /**
   * GitHub merges onto whatever the base is by then, so it is looked at as late as can be. Right after another merge it
   * refuses until it has worked out anew whether this one fits, so that is waited for.
   */
  async #requireBase(repository: string, parameters: PullAddress, expected: string): Promise<void> {
    const branch = (await this.#readSettled(parameters)).base.ref;
    const found = await this.#branches.getBranch(repository, branch);
    if (found?.sha !== expected)
      throw new GatewrightError(
        'head-moved',
        `The branch ${branch} is at ${found?.sha.slice(0, 12) ?? 'nothing'}, not at ${expected.slice(0, 12)}.`,
      );
  }

  /** When GitHub has worked out whether it can be merged, or has taken too long over it. */
  async #readSettled(parameters: PullAddress): Promise<PullDetailPayload> {
    return this.#calls.client.poll(
      () => readPull(this.#calls, parameters),
      (pull) => pull.state === 'closed' || pull.mergeable != null,
    );
  }

  /** The commit of a merge of ours whose answer we never saw. */
  async #findLost(key: string, parameters: PullAddress, head: string): Promise<string | null> {
    if (!this.#lost.has(key)) return null;
    const pull = await readPull(this.#calls, parameters);
    const isDone = pull.merged_at != null && pull.head.sha === head;
    return isDone ? (pull.merge_commit_sha ?? null) : null;
  }

  async mergePullRequest(
    repository: string,
    number: number,
    merge: Parameters<CodeForge['mergePullRequest']>[2],
  ): Promise<{ readonly commit: string }> {
    const parameters = pullOf(repository, number);
    const head = checkCommitName(merge.head);
    const words = { commit_title: checkTitle(merge.title), commit_message: checkBody(merge.body) };
    const { methods = ['squash'] } = merge;
    const key = `${repository}#${number}@${head}`;
    const read = () => readPull(this.#calls, parameters);
    const attempt = async (): Promise<{ readonly commit: string }> => {
      const found = await this.#findLost(key, parameters, head);
      if (found !== null) return { commit: found };
      if (merge.base !== undefined)
        await this.#requireBase(repository, parameters, checkCommitName(merge.base));
      try {
        const sha = await this.#putMerge({ ...parameters, sha: head }, words, methods);
        this.#lost.delete(key);
        return { commit: sha };
      } catch (error) {
        if (!hasStatus(error, 401, 403, 404, 405, 409, 422, 429)) this.#lost.add(key);
        if (!hasStatus(error, 405, 409, 422)) throw error;
        throw await this.#explainRefusal(repository, number, head, error);
      }
    };
    const what = `merging ${repository}#${number}`;
    return this.#calls.written(what, read, () => this.#patiently(what, attempt));
  }

  /** The first way that is allowed: that one is not is a refusal, and nothing was done. */
  async #putMerge(
    target: PullAddress & { readonly sha: string },
    words: { readonly commit_title: string; readonly commit_message: string },
    [method, ...others]: readonly MergeMethod[],
  ): Promise<string> {
    // Rebased commits keep their own words.
    const wanted = { ...target, merge_method: method, ...(method === 'rebase' ? {} : words) };
    try {
      const { client } = this.#calls;
      return (await client.writeAndRead(`PUT ${pullRoute}/merge`, wanted, mergePayload)).sha;
    } catch (error) {
      const isNext = others.length > 0 && hasStatus(error, 405) && notAllowed.test(refusalWords(error));
      if (!isNext) throw error;
      return this.#putMerge(target, words, others);
    }
  }

  /** Tries again what was refused for a moment; what is still refused then makes the run pause. */
  async #patiently<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    const { client } = this.#calls;
    try {
      return await client.catchUp.retry(attempt, isLate);
    } catch (error) {
      if (!(error instanceof LateRefusal)) throw error;
      throw client.catchUp.explain(what, client.explain(error.cause, what).message);
    }
  }

  /**
   * GitHub squashes one pull request at a time. Commits that are pushed to the base directly do not count as merges of
   * their pull requests, and a protected base refuses them.
   */
  async mergeTogether(repository: string): Promise<never> {
    throw new GatewrightError(
      'merge-refused',
      `GitHub does not merge several pull requests of ${repository} in one move.`,
      { hint: 'Merge them one after the other.' },
    );
  }

  /** 405, 409 and 422 each stand for several reasons; which one it was is seen on the pull request. */
  async #explainRefusal(repository: string, number: number, head: string, error: unknown): Promise<Error> {
    const pull = await this.#readSettled(pullOf(repository, number));
    const name = `${repository}#${number}`;
    if (pull.merged_at != null) return new GatewrightError('merge-refused', `${name} is merged already.`);
    if (pull.state === 'closed') return new GatewrightError('merge-refused', `${name} is closed.`);
    if (pull.head.sha !== head)
      return new GatewrightError('head-moved', `${name} is at ${pull.head.sha}, not at ${head}.`);
    if (pull.draft === true) return new GatewrightError('merge-refused', `${name} is a draft.`);
    if (pull.mergeable === false)
      return new GatewrightError('merge-conflict', `${name} conflicts with ${pull.base.ref}.`);
    const words = refusalWords(error);
    const isOpen = openStates.includes(pull.mergeable_state ?? 'unknown');
    if (lateMerge.test(words) || (isOpen && notMergeable.test(words))) return new LateRefusal(error);
    const { message } = this.#calls.client.explain(error, `merging ${name}`);
    return new GatewrightError('merge-refused', message);
  }

  async updateBranch(repository: string, number: number, head: string): Promise<{ readonly head: string }> {
    const parameters = pullOf(repository, number);
    checkCommitName(head);
    const name = `${repository}#${number}`;
    const read = () => readPull(this.#calls, parameters);
    const what = `bringing ${name} up to date`;
    const ask = async (): Promise<'asked' | 'up-to-date'> => {
      const before = await read();
      this.#requireOpen(before, name, head);
      if ((await this.#countBehind(parameters, before)) === 0) return 'up-to-date';
      try {
        const wanted = { ...parameters, expected_head_sha: head };
        await this.#calls.client.write(`PUT ${pullRoute}/update-branch`, wanted);
        return 'asked';
      } catch (error) {
        if (!hasStatus(error, 409, 422)) throw error;
        const pull = await this.#readSettled(parameters);
        this.#requireOpen(pull, name, head);
        if (pull.mergeable === false)
          throw new GatewrightError('merge-conflict', `${name} conflicts with ${pull.base.ref}.`);
        // The pull request shows no cause for the refusal, and the request names the head: sending it again does no
        // harm.
        throw new LateRefusal(error);
      }
    };
    return this.#calls.written(what, read, async () => {
      if ((await this.#patiently(what, ask)) === 'up-to-date') return { head };
      // GitHub answers before it has done it.
      const after = await this.#calls.client.poll(read, (pull) => pull.head.sha !== head, 30);
      if (after.head.sha !== head) return { head: after.head.sha };
      throw this.#calls.client.catchUp.explain(what, '');
    });
  }

  #requireOpen(pull: PullDetailPayload, name: string, head: string): void {
    if (pull.state === 'closed') throw new GatewrightError('merge-refused', `${name} is closed.`);
    if (pull.head.sha !== head)
      throw new GatewrightError('head-moved', `${name} is at ${pull.head.sha}, not at ${head}.`);
  }

  /** How many commits of the base the branch does not have. */
  async #countBehind({ owner, repo }: PullAddress, pull: PullDetailPayload): Promise<number> {
    const { behind_by: behind } = await this.#calls.client.get(
      `GET ${repositoryRoute}/compare/{basehead}`,
      { owner, repo, basehead: `${pull.base.ref}...${pull.head.sha}`, per_page: 1 },
      comparisonPayload,
    );
    return behind;
  }
}
