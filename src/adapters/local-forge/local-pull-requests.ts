/** Pull requests of the local forge: what people wrote is in the rows, the commits are in the repository. */
import { checkBody, checkTitle } from '../../domain/forge/forge-texts.ts';
import { checkBranchName } from '../../domain/forge/git-names.ts';
import { quoteForShell } from '../../domain/text/quote-for-shell.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  ChangedFile,
  Forge,
  Mergeable,
  PullRequest,
  PullRequestDetail,
  PullRequestFilter,
} from '../../ports/forge/forge.ts';
import type { BareGit } from '../git/bare-git.ts';
import { keepCommit } from '../git/kept-commits.ts';
import { countChanges, readChanges } from '../git/reading/read-changes.ts';
import { type ForgeRecords, reject, toMoment } from './forge-records.ts';
import type { IssueChange, LocalIssues } from './local-issues.ts';
import type { LocalRepositories } from './local-repositories.ts';
import { type PullRow, type PullRows, selectPulls } from './pull-rows.ts';

type NewPullRequest = Parameters<Forge['createPullRequest']>[1];
type PullRequestChange = IssueChange & Parameters<Forge['editPullRequest']>[2];

export class LocalPullRequests {
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #issues: LocalIssues;
  readonly #rows: PullRows;

  constructor(records: ForgeRecords, repositories: LocalRepositories, issues: LocalIssues, rows: PullRows) {
    this.#records = records;
    this.#repositories = repositories;
    this.#issues = issues;
    this.#rows = rows;
  }

  #show(row: PullRow): PullRequest {
    const issue = this.#issues.read(row.repository, row.number);
    return {
      number: row.number,
      title: issue.title,
      body: issue.body,
      state: row.merged_at === null ? issue.state : 'merged',
      isDraft: row.is_draft === 1,
      author: issue.author,
      authorKind: issue.authorKind,
      association: issue.association,
      labels: issue.labels,
      head: { branch: row.head_branch, sha: row.head_sha, repository: row.repository },
      base: { branch: row.base_branch, sha: row.base_sha },
      createdAt: issue.createdAt,
      updatedAt: issue.updatedAt,
      closedAt: issue.closedAt,
      mergedAt: row.merged_at,
      mergeCommit: row.merge_commit,
      url: issue.url,
    };
  }

  /** Two branches that a pull request can be made of, and where they part. */
  async #pair(
    git: BareGit,
    headBranch: string,
    baseBranch: string,
  ): Promise<{ head: string; base: string; mergeBase: string }> {
    if (headBranch === baseBranch) throw reject('A branch cannot be merged into itself.');
    const [head, base] = [await git.readBranch(headBranch), await git.readBranch(baseBranch)];
    if (head === null || base === null)
      throw reject(`There is no branch ${head === null ? headBranch : baseBranch}.`);
    const mergeBase = await git.findMergeBase(base, head);
    if (mergeBase === null) throw reject(`${headBranch} and ${baseBranch} have no history in common.`);
    if (mergeBase === head) throw reject(`${headBranch} has no commits that ${baseBranch} lacks.`);
    return { head, base, mergeBase };
  }

  #refuseSecond(repository: string, head: string, base: string, except: number): void {
    const open = this.#records.one<{ number: number }>(
      `${selectPulls} WHERE p.repository = ? AND head_branch = ? AND base_branch = ? AND i.state = 'open'
         AND p.number <> ?`,
      repository,
      head,
      base,
      except,
    );
    if (open !== undefined)
      throw new GatewrightError(
        'pull-request-exists',
        `Pull request #${open.number} from ${head} to ${base} is open already.`,
      );
  }

  async create(repository: string, pull: NewPullRequest): Promise<PullRequest> {
    this.#records.look(() => this.#records.require(repository, 'none'));
    const title = checkTitle(pull.title);
    const body = checkBody(pull.body);
    const [headBranch, baseBranch] = [checkBranchName(pull.head), checkBranchName(pull.base)];
    const git = this.#repositories.gitOf(repository);
    const { head, base, mergeBase } = await this.#pair(git, headBranch, baseBranch);
    await this.#rows.followAll(repository);
    await keepCommit(git, head);
    return this.#records.transact(() => {
      this.#refuseSecond(repository, headBranch, baseBranch, 0);
      const number = this.#issues.insert(repository, title, body);
      this.#records.run(
        `INSERT INTO forge_pull_requests
           (repository, number, head_branch, base_branch, head_sha, base_sha, merge_base, is_draft)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        repository,
        number,
        headBranch,
        baseBranch,
        head,
        base,
        mergeBase,
        pull.isDraft === true ? 1 : 0,
      );
      return this.#show(this.#rows.find(repository, number) as PullRow);
    });
  }

  async get(repository: string, number: number): Promise<PullRequestDetail> {
    const row = await this.#rows.look(repository, number);
    const git = this.#repositories.gitOf(repository);
    const files = await countChanges(git, row.merge_base, row.head_sha);
    const mergeable = await this.#tryMerge(git, row);
    return this.#records.look(() => ({
      ...this.#show(row),
      mergeable,
      diffStat: {
        files: files.length,
        additions: files.reduce((sum, file) => sum + file.additions, 0),
        deletions: files.reduce((sum, file) => sum + file.deletions, 0),
      },
    }));
  }

  async #tryMerge(git: BareGit, row: PullRow): Promise<Mergeable> {
    if (row.state === 'closed') return 'unknown';
    return (await git.mergeTrees(row.base_sha, row.head_sha)) === null ? 'conflicting' : 'clean';
  }

  async list(repository: string, filter: PullRequestFilter = {}): Promise<PullRequest[]> {
    await this.#rows.followAll(repository);
    return this.#records.look(() => {
      const rows = this.#records.all<PullRow>(
        `${selectPulls}
         WHERE p.repository = @repository AND (@state = 'all' OR i.state = @state)
           AND (@head IS NULL OR head_branch = @head) AND (@base IS NULL OR base_branch = @base)
           AND (@author IS NULL OR author = @author) AND (@updatedSince IS NULL OR updated_at >= @updatedSince)
           AND (@label IS NULL OR EXISTS (SELECT 1 FROM forge_issue_labels l
             WHERE l.repository = p.repository AND l.number = p.number AND l.label = @label))
         ORDER BY p.number DESC`,
        {
          repository,
          state: filter.state ?? 'open',
          head: filter.head ?? null,
          base: filter.base ?? null,
          author: filter.author ?? null,
          label: filter.label ?? null,
          updatedSince: toMoment(filter.updatedSince),
        },
      );
      return rows.map((row) => this.#show(row));
    });
  }

  async edit(repository: string, number: number, change: PullRequestChange): Promise<PullRequest> {
    const row = await this.#rows.look(repository, number);
    const git = this.#repositories.gitOf(repository);
    const isReopened = change.state === 'open' && row.state === 'closed';
    if (isReopened && row.merged_at !== null)
      throw reject(`#${number} is merged and cannot be reopened.`, 'Open a new pull request.');
    if (isReopened && (await git.readBranch(row.head_branch)) === null)
      throw reject(
        `The branch ${row.head_branch} of #${number} is gone.`,
        `Make it again and try again: git branch ${quoteForShell(row.head_branch)} ${row.head_sha}`,
      );
    const baseBranch = change.base === undefined ? row.base_branch : checkBranchName(change.base);
    const pair = change.base === undefined ? null : await this.#pair(git, row.head_branch, baseBranch);
    this.#records.transact(() => {
      const isOwn = row.author === this.#records.actor;
      if (!isOwn && (change.base !== undefined || change.isDraft !== undefined))
        this.#records.require(repository, 'write');
      this.#issues.apply(repository, number, change);
      if (isReopened || (pair !== null && row.state === 'open'))
        this.#refuseSecond(repository, row.head_branch, baseBranch, number);
      this.#records.run(
        `UPDATE forge_pull_requests SET base_branch = ?, base_sha = ?, merge_base = ?, is_draft = ?, edited_by = ?
         WHERE repository = ? AND number = ?`,
        baseBranch,
        pair?.base ?? row.base_sha,
        pair?.mergeBase ?? row.merge_base,
        (change.isDraft ?? row.is_draft === 1) ? 1 : 0,
        this.#records.actor,
        repository,
        number,
      );
    });
    const after = await this.#rows.look(repository, number);
    return this.#records.look(() => this.#show(after));
  }

  async listFiles(repository: string, number: number): Promise<ChangedFile[]> {
    const row = await this.#rows.look(repository, number);
    return readChanges(this.#repositories.gitOf(repository), row.merge_base, row.head_sha);
  }
}
