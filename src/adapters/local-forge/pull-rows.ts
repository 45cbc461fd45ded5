/**
 * The rows of pull requests, kept in step with the branches. While one is open it follows its branch; every look brings
 * the row up to date, and finds merges that were done without being recorded. Closed or merged it stays as it was.
 */
import { listClosingReferences } from '../../domain/forge/closing-references.ts';
import { GatewrightError } from '../../errors.ts';
import type { BareGit } from '../git/bare-git.ts';
import { keepCommit } from '../git/kept-commits.ts';
import type { ForgeRecords } from './forge-records.ts';
import type { LocalIssues } from './local-issues.ts';
import type { LocalRepositories } from './local-repositories.ts';

export interface PullRow {
  readonly repository: string;
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly author: string;
  readonly head_branch: string;
  readonly base_branch: string;
  readonly head_sha: string;
  readonly base_sha: string;
  readonly merge_base: string;
  readonly is_draft: 0 | 1;
  readonly merged_at: string | null;
  readonly merge_commit: string | null;
}

export interface Landing {
  readonly commit: string;
  readonly head: string;
  readonly base: string;
}

/** Rows with what they share with issues. */
export const selectPulls = `SELECT p.*, i.state, i.author FROM forge_pull_requests p
  JOIN forge_issues i USING (repository, number)`;

export class PullRows {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #issues: LocalIssues;

  constructor(records: ForgeRecords, repositories: LocalRepositories, issues: LocalIssues) {
    this.#records = records;
    this.#repositories = repositories;
    this.#issues = issues;
  }

  /** As it was last seen. */
  find(repository: string, number: number): PullRow | undefined {
    return this.#records.one<PullRow>(
      `${selectPulls} WHERE p.repository = ? AND p.number = ?`,
      repository,
      number,
    );
  }

  has(repository: string, number: number): boolean {
    return this.#records.look(() => this.find(repository, number) !== undefined);
  }

  /** The row, brought up to date with the branches. */
  async look(repository: string, number: number): Promise<PullRow> {
    const row = this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.find(repository, number);
    });
    if (row === undefined)
      throw new GatewrightError('forge-not-found', `${repository} has no pull request #${number}.`);
    if (row.state === 'closed') return row;
    const git = this.#repositories.gitOf(repository);
    await this.#follow(git, row, await git.listBranches());
    return this.#records.look(() => this.find(repository, number) ?? row);
  }

  /** Brings all open ones up to date. */
  async followAll(repository: string): Promise<void> {
    const rows = this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records.all<PullRow>(
        `${selectPulls} WHERE p.repository = ? AND i.state = 'open'`,
        repository,
      );
    });
    if (rows.length === 0) return;
    const git = this.#repositories.gitOf(repository);
    const branches = await git.listBranches();
    for (const row of rows) await this.#follow(git, row, branches);
  }

  /**
   * Tells once that a base has moved, however many pull requests go onto it. Git does not say who pushed, so the author of
   * the pull request at which it was noticed counts as the actor. A move by a merge is told as that merge.
   */
  #tellOfBase({ repository, base_branch, author }: PullRow, sha: string): void {
    const isMerge = this.#records.one(
      `SELECT 1 FROM forge_pull_requests WHERE repository = ? AND merge_commit = ?
       UNION ALL SELECT 1 FROM forge_merge_intents WHERE repository = ? AND merge_commit = ?`,
      ...[repository, sha, repository, sha],
    );
    if (isMerge !== undefined) return;
    this.#records.run(
      `INSERT INTO forge_bases (repository, branch, sha, actor, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (repository, branch) DO UPDATE SET sha = excluded.sha, actor = excluded.actor, at = excluded.at
       WHERE forge_bases.sha <> excluded.sha`,
      ...[repository, base_branch, sha, author, this.#records.now()],
    );
  }

  async #follow(git: BareGit, row: PullRow, branches: ReadonlyMap<string, string>): Promise<void> {
    const { repository, number } = row;
    const base = branches.get(row.base_branch) ?? row.base_sha;
    const head = branches.get(row.head_branch);
    const landed = (await this.#findLanded(git, row, base)) ?? (await this.#findByHand(git, row, head, base));
    // It is unknown who merged it, so the author of the pull request counts as the actor.
    if (landed !== null) return this.finishMerge(row, landed, row.author);
    if (head === row.head_sha && base === row.base_sha) return;
    if (head === undefined) {
      // As on GitHub: it is closed with its branch, and stays at its last commit.
      this.#records.transact(() => this.#issues.close(repository, number, this.#records.now(), row.author));
      return;
    }
    const mergeBase = (await git.findMergeBase(base, head)) ?? row.merge_base;
    if (head !== row.head_sha) await keepCommit(git, head, row.head_sha);
    this.#records.transact(() => {
      // The date is set before the head, so that the event about the move has the new date.
      if (head !== row.head_sha && this.find(repository, number)?.head_sha === row.head_sha)
        this.#issues.touch(repository, number);
      if (base !== row.base_sha) this.#tellOfBase(row, base);
      this.#records.run(
        `UPDATE forge_pull_requests SET head_sha = ?, base_sha = ?, merge_base = ?
         WHERE repository = ? AND number = ? AND head_sha = ? AND merged_at IS NULL`,
        head,
        base,
        mergeBase,
        repository,
        number,
        row.head_sha,
      );
    });
  }

  /** A merge that was done and never recorded, because its process was killed in between. */
  async #findLanded(git: BareGit, row: PullRow, base: string): Promise<Landing | null> {
    const intents = this.#records.look(() =>
      this.#records.all<Landing>(
        `SELECT merge_commit AS "commit", head_sha AS head, base_sha AS base FROM forge_merge_intents
         WHERE repository = ? AND number = ?`,
        row.repository,
        row.number,
      ),
    );
    for (const intent of intents) if (await git.isAncestor(intent.commit, base)) return intent;
    return null;
  }

  /** A merge that a person made with git alone: what was open is now part of the base. */
  async #findByHand(
    git: BareGit,
    row: PullRow,
    head: string | undefined,
    base: string,
  ): Promise<Landing | null> {
    if (base === row.base_sha || !(await git.isAncestor(row.head_sha, base))) return null;
    if (head !== undefined && !(await git.isAncestor(head, base))) return null;
    const last = head ?? row.head_sha;
    return { commit: await git.findFirstWith(last, base), head: last, base: row.base_sha };
  }

  /** Written before the base is moved, so that the merges are found again whatever happens in between. */
  intendMerges(merges: readonly { readonly row: PullRow; readonly landing: Landing }[]): void {
    this.#records.transact(() => {
      for (const { row, landing } of merges)
        this.#records.run(
          `INSERT OR IGNORE INTO forge_merge_intents (repository, number, merge_commit, head_sha, base_sha, at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          row.repository,
          row.number,
          landing.commit,
          landing.head,
          landing.base,
          this.#records.now(),
        );
    }, true);
  }

  /** Records what has been merged, and closes the issues that it says it closes. */
  async finishMerge(row: PullRow, landing: Landing, by: string): Promise<void> {
    const { repository, number } = row;
    const isDefault = (await this.#repositories.findDefaultBranch(repository)) === row.base_branch;
    const { body } = this.#issues.get(repository, number);
    // Read before the transaction begins: an author wrote this text and it may be long, so reading it must not hold the
    // lock.
    const closing = isDefault ? listClosingReferences(body) : [];
    this.#records.transact(() => {
      const now = this.#records.now();
      const { changes } = this.#records.run(
        `UPDATE forge_pull_requests SET merged_at = ?, merge_commit = ?, head_sha = ?, base_sha = ?
         WHERE repository = ? AND number = ? AND merged_at IS NULL`,
        now,
        landing.commit,
        landing.head,
        landing.base,
        repository,
        number,
      );
      if (changes === 0) return;
      this.#records.run(
        'DELETE FROM forge_merge_intents WHERE repository = ? AND number = ?',
        repository,
        number,
      );
      this.#issues.close(repository, number, now, by);
      for (const issue of closing)
        if (this.find(repository, issue) === undefined) this.#issues.close(repository, issue, now, by);
    });
  }
}
