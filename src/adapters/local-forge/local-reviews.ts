/** Reviews on the local forge: each bound to the commit that was looked at. */
import { checkBody, checkComment } from '../../domain/forge/forge-texts.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { readPatchLines } from '../../domain/forge/patch-lines.ts';
import { GatewrightError } from '../../errors.ts';
import type { ForgeReview, NewReview, ReviewComment } from '../../ports/forge/forge.ts';
import { followLineBetween, readChanges } from '../git/reading/read-changes.ts';
import { type ForgeRecords, reject } from './forge-records.ts';
import type { LocalIssues } from './local-issues.ts';
import type { LocalRepositories } from './local-repositories.ts';
import type { PullRow, PullRows } from './pull-rows.ts';

const states = {
  comment: 'commented',
  approve: 'approved',
  'request-changes': 'changes-requested',
} as const;

interface ReviewRow {
  readonly id: number;
  readonly author: string;
  readonly state: ForgeReview['state'];
  readonly sha: string;
  readonly body: string;
  readonly at: string;
}

interface ReviewCommentRow extends ReviewRow {
  readonly review: number;
  readonly path: string;
  readonly line: number;
}

export class LocalReviews {
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

  async create(repository: string, number: number, review: NewReview): Promise<ForgeReview> {
    this.#records.look(() => this.#records.require(repository, 'none'));
    checkCommitName(review.commit);
    checkBody(review.body);
    for (const comment of review.comments) checkComment(comment.body);
    if (review.decision !== 'approve' && review.body.trim() === '' && review.comments.length === 0)
      throw reject('A review that does not approve needs a text.');
    const row = await this.#rows.look(repository, number);
    if (row.head_sha !== review.commit)
      throw new GatewrightError(
        'head-moved',
        `Pull request #${number} is at ${row.head_sha.slice(0, 12)}, not at ${review.commit.slice(0, 12)}.`,
      );
    if (review.decision !== 'comment' && row.author === this.#records.actor)
      throw reject('You cannot approve your own pull request or request changes on it.');
    if (review.comments.length > 0) await this.#checkLines(row, review.comments);
    return this.#records.transact(() => {
      const { id } = this.#records.run(
        'INSERT INTO forge_reviews (repository, number, author, state, sha, body, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        repository,
        number,
        this.#records.actor,
        states[review.decision],
        review.commit,
        review.body,
        this.#records.now(),
      );
      for (const { path, line, body } of review.comments)
        this.#records.run(
          'INSERT INTO forge_review_comments (review, path, line, body) VALUES (?, ?, ?, ?)',
          id,
          path,
          line,
          body,
        );
      this.#issues.touch(repository, number);
      return this.#read(repository, number).find((one) => one.id === id) as ForgeReview;
    });
  }

  /** What the diff shows of each file's new side. */
  async #readShown(row: PullRow): Promise<Map<string, Set<number>>> {
    const files = await readChanges(this.#repositories.gitOf(row.repository), row.merge_base, row.head_sha);
    return new Map(files.map((file) => [file.path, new Set(readPatchLines(file.patch ?? '').keys())]));
  }

  async #checkLines(row: PullRow, comments: NewReview['comments']): Promise<void> {
    const shown = await this.#readShown(row);
    for (const { path, line } of comments)
      if (shown.get(path)?.has(line) !== true)
        throw new GatewrightError(
          'remark-outside-diff',
          `Line ${line} of ${path} is not in the diff of #${row.number}.`,
        );
  }

  #read(repository: string, number: number): ForgeReview[] {
    const { url } = this.#issues.read(repository, number);
    return this.#records
      .all<ReviewRow>(
        'SELECT id, author, state, sha, body, at FROM forge_reviews WHERE repository = ? AND number = ? ORDER BY id',
        repository,
        number,
      )
      .map((row) => ({
        id: row.id,
        ...this.#records.describePerson(repository, row.author),
        state: row.state,
        commit: row.sha,
        body: row.body,
        submittedAt: row.at,
        url: `${url}#review-${row.id}`,
      }));
  }

  async list(repository: string, number: number): Promise<ForgeReview[]> {
    await this.#rows.look(repository, number);
    return this.#records.look(() => this.#read(repository, number));
  }

  async listComments(repository: string, number: number): Promise<ReviewComment[]> {
    const pull = await this.#rows.look(repository, number);
    const rows = this.#records.look(() =>
      this.#records.all<ReviewCommentRow>(
        `SELECT c.id, c.review, c.path, c.line, c.body, r.author, r.state, r.sha, r.at
         FROM forge_review_comments c JOIN forge_reviews r ON r.id = c.review
         WHERE r.repository = ? AND r.number = ? ORDER BY c.id`,
        repository,
        number,
      ),
    );
    if (rows.length === 0) return [];
    const shown = await this.#readShown(pull);
    const { url } = this.#issues.get(repository, number);
    const comments: ReviewComment[] = [];
    for (const row of rows) {
      comments.push({
        id: row.id,
        review: row.review,
        ...this.#records.look(() => this.#records.describePerson(repository, row.author)),
        path: row.path,
        line: await this.#findLine(pull, row, shown.get(row.path)),
        commit: row.sha,
        body: row.body,
        inReplyTo: null,
        createdAt: row.at,
        url: `${url}#review-comment-${row.id}`,
      });
    }
    return comments;
  }

  async #findLine(
    pull: PullRow,
    row: ReviewCommentRow,
    shown: Set<number> | undefined,
  ): Promise<number | null> {
    const git = this.#repositories.gitOf(pull.repository);
    const line = await followLineBetween(git, row.sha, pull.head_sha, row.path, row.line);
    return line !== null && shown?.has(line) === true ? line : null;
  }
}
