/**
 * Merges changes into their base, and bases into branches, with git's own merge. A branch is moved only from the commit
 * that was looked at, so that two processes that merge at the same time do not undo each other's work.
 */
import type { MergeMethod } from '../../domain/forge/forge-rules.ts';
import { checkBody, checkTitle } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { JointMerge } from '../../ports/forge/forge.ts';
import type { BareGit, Identity } from '../git/bare-git.ts';
import { moveBranch } from '../git/move-branch.ts';
import { SqliteLeases } from '../sqlite/sqlite-leases.ts';
import type { ForgeRecords } from './forge-records.ts';
import type { LocalRepositories } from './local-repositories.ts';
import type { Landing, PullRow, PullRows } from './pull-rows.ts';
import { authorOf, conflictOf, rebaseCommits } from './rebase-commits.ts';

const mostAttempts = 10;
const longestWait = 30_000;

interface MergeRequest {
  readonly head: string;
  readonly title: string;
  readonly body: string;
  readonly base?: string;
  readonly methods?: readonly MergeMethod[];
}

interface Change extends Pick<MergeRequest, 'head' | 'title' | 'body'> {
  readonly number: number;
  readonly tree?: string;
  /** Squash if left out. */
  readonly method?: MergeMethod;
}

interface CheckedChange extends Change {
  /** Of its commit. */
  readonly message: string;
}

function checkChange(change: Change): CheckedChange {
  const body = checkBody(change.body).trimEnd();
  const message = `${checkTitle(change.title)}\n${body === '' ? '' : `\n${body}\n`}`;
  return { ...change, head: checkCommitName(change.head), message };
}

export class LocalMerges {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #rows: PullRows;
  readonly #leases: SqliteLeases;

  constructor(records: ForgeRecords, repositories: LocalRepositories, rows: PullRows) {
    this.#records = records;
    this.#repositories = repositories;
    this.#rows = rows;
    // Real time: the other processes have no other.
    this.#leases = new SqliteLeases(records.database, { now: () => new Date() }, records.actor);
  }

  /**
   * One process at a time moves a branch: another would take its half-moved work tree for uncommitted work. What keeps
   * commits from being lost is not this but that branches are moved from a known commit only.
   */
  async #alone<T>(repository: string, branch: string, work: () => Promise<T>): Promise<T> {
    for (let waited = 0; ; waited += 20) {
      const taken = await this.#leases.acquire(`${repository}@${branch}`);
      if ('lease' in taken) {
        try {
          return await work();
        } finally {
          await taken.lease.release();
        }
      }
      if (waited > longestWait)
        throw new GatewrightError('git-busy', `${taken.heldBy.actor} is moving the branch ${branch}.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The person, when git does not know who they are. */
  #fallback(): Identity {
    return { name: this.#records.actor, email: `${this.#records.actor.replace(/[^\w.-]+/gu, '')}@localhost` };
  }

  async #requireMergeable(repository: string, number: number, head: string): Promise<PullRow> {
    const row = await this.#rows.look(repository, number);
    const refuse = (why: string, hint?: string): never => {
      throw new GatewrightError(
        'merge-refused',
        `Pull request #${number} ${why}.`,
        hint === undefined ? {} : { hint },
      );
    };
    if (row.merged_at !== null) refuse('is merged already', 'There is nothing left to do.');
    if (row.state === 'closed')
      refuse('is closed', `Open it again with: gatewright forge pr reopen ${number}`);
    if (row.head_sha !== head)
      throw new GatewrightError(
        'head-moved',
        `Pull request #${number} is at ${row.head_sha.slice(0, 12)}, not at ${head.slice(0, 12)}.`,
      );
    return row;
  }

  async #readBase(git: BareGit, row: PullRow): Promise<string> {
    const base = await git.readBranch(row.base_branch);
    if (base !== null) return base;
    throw new GatewrightError('merge-refused', `The base branch ${row.base_branch} is gone.`, {
      hint: `Make it again, or choose another: gatewright forge pr edit ${row.number} --base BRANCH`,
    });
  }

  async merge(repository: string, number: number, request: MergeRequest): Promise<{ commit: string }> {
    const { base, methods: [method = 'squash'] = [], ...change } = request;
    const [commit = ''] = await this.#mergeAll(repository, [{ number, method, ...change }], base);
    return { commit };
  }

  async mergeTogether(repository: string, { base, pulls }: JointMerge): Promise<{ commits: string[] }> {
    if (pulls.length === 0 || new Set(pulls.map(({ number }) => number)).size < pulls.length)
      throw new GatewrightError('merge-refused', 'These are not several pull requests.');
    return { commits: await this.#mergeAll(repository, pulls, checkCommitName(base)) };
  }

  /** The base is moved once, with all pull requests: no reader sees it with only some of them. */
  async #mergeAll(
    repository: string,
    wanted: readonly Change[],
    expected: string | undefined,
  ): Promise<string[]> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    const changes = wanted.map((change) => checkChange(change));
    const { base_branch: branch } = await this.#rows.look(repository, changes[0]?.number ?? 0);
    const git = this.#repositories.gitOf(repository);
    return this.#alone(repository, branch, async () => {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const rows: PullRow[] = [];
        for (const change of changes) rows.push(await this.#requireReady(repository, branch, change));
        const base = await this.#readBase(git, rows[0] as PullRow);
        if (expected !== undefined && expected !== base)
          throw new GatewrightError(
            'head-moved',
            `The branch ${branch} is at ${base.slice(0, 12)}, not at ${expected.slice(0, 12)}.`,
          );
        const landings: Landing[] = [];
        for (const change of changes) {
          const parent = landings.at(-1)?.commit ?? base;
          const commit = await this.#land(git, parent, change);
          landings.push({ commit, head: change.head, base: parent });
        }
        const merges = rows.map((row, index) => ({ row, landing: landings[index] as Landing }));
        this.#rows.intendMerges(merges);
        const tip = landings.at(-1)?.commit ?? base;
        const reason = `merge ${changes.map(({ number }) => `#${number}`).join(', ')}`;
        if (await moveBranch(git, branch, base, tip, reason)) {
          for (const { row, landing } of merges)
            await this.#rows.finishMerge(row, landing, this.#records.actor);
          return landings.map(({ commit }) => commit);
        }
        // Another process moved the base meanwhile: the merge is tried again on the new base.
      }
      throw new GatewrightError('git-busy', `The branch ${branch} changed too often meanwhile; try again.`);
    });
  }

  async #requireReady(repository: string, branch: string, { number, head }: Change): Promise<PullRow> {
    const row = await this.#requireMergeable(repository, number, head);
    if (row.is_draft === 1)
      throw new GatewrightError('merge-refused', `Pull request #${number} is a draft.`, {
        hint: `When it is done: gatewright forge pr ready ${number}`,
      });
    if (row.base_branch !== branch)
      throw new GatewrightError(
        'head-moved',
        `Pull request #${number} is for ${row.base_branch}, not for ${branch}.`,
      );
    return row;
  }

  /** The commit that the base is moved to. */
  async #land(git: BareGit, base: string, change: CheckedChange): Promise<string> {
    const { number, head, message, method = 'squash' } = change;
    const fallback = this.#fallback();
    if (method === 'rebase') return rebaseCommits(git, base, { number, head, fallback });
    const tree = await git.mergeTrees(base, head);
    if (tree === null) throw conflictOf(number);
    if (change.tree !== undefined && change.tree !== tree)
      throw new GatewrightError('head-moved', `With #${number}, the base would not be what is expected.`);
    if (method === 'merge')
      return git.commitTree({ tree, parents: [base, head], message, author: null, fallback });
    const [tip] = await git.listCommits(head, { limit: 1 });
    return git.commitTree({ tree, parents: [base], message, author: authorOf(tip), fallback });
  }

  async updateBranch(repository: string, number: number, wanted: string): Promise<{ head: string }> {
    this.#records.look(() => this.#records.require(repository, 'write'));
    const head = checkCommitName(wanted);
    const { head_branch: branch } = await this.#rows.look(repository, number);
    const git = this.#repositories.gitOf(repository);
    return this.#alone(repository, branch, async () => {
      const row = await this.#requireMergeable(repository, number, head);
      const base = await this.#readBase(git, row);
      if (await git.isAncestor(base, head)) return { head };
      const tree = await git.mergeTrees(head, base);
      if (tree === null)
        throw new GatewrightError(
          'merge-conflict',
          `${branch} of pull request #${number} conflicts with ${row.base_branch}.`,
        );
      const merged = await git.commitTree({
        tree,
        parents: [head, base],
        message: `Merge branch '${row.base_branch}' into ${branch}\n`,
        author: null,
        fallback: this.#fallback(),
      });
      if (!(await moveBranch(git, branch, head, merged, `update #${number}`)))
        throw new GatewrightError('head-moved', `The branch ${branch} moved on meanwhile.`);
      await this.#rows.look(repository, number);
      return { head: merged };
    });
  }
}
