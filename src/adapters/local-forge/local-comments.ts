/** Comments and reactions on the local forge: on issues, pull requests, commits and lines of a review. */
import { checkComment } from '../../domain/forge/forge-texts.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  CommitComment,
  ForgeComment,
  ForgeReaction,
  ReactionContent,
  ReactionTarget,
} from '../../ports/forge/forge.ts';
import { type ForgeRecords, kindOfActor } from './forge-records.ts';
import type { LocalIssues } from './local-issues.ts';

interface CommentRow {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface CommitCommentRow {
  readonly id: number;
  readonly sha: string;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
}

export class LocalComments {
  readonly #records: ForgeRecords;
  readonly #issues: LocalIssues;

  constructor(records: ForgeRecords, issues: LocalIssues) {
    this.#records = records;
    this.#issues = issues;
  }

  create(repository: string, number: number, body: string): ForgeComment {
    return this.#records.transact(() => {
      this.#records.require(repository, 'none');
      this.#issues.read(repository, number);
      const now = this.#records.now();
      const { id } = this.#records.run(
        `INSERT INTO forge_comments (repository, number, author, body, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        repository,
        number,
        this.#records.actor,
        checkComment(body),
        now,
        now,
      );
      this.#issues.touch(repository, number);
      return this.#read(repository, id);
    });
  }

  /** Authors may change their own comments; changing the comments of others needs write permission. */
  update(repository: string, id: number, body: string): ForgeComment {
    return this.#records.transact(() => {
      this.#records.require(repository, 'none');
      const comment = this.#read(repository, id);
      if (comment.author !== this.#records.actor) this.#records.require(repository, 'write');
      this.#records.run(
        'UPDATE forge_comments SET body = ?, updated_at = ? WHERE id = ?',
        checkComment(body),
        this.#records.now(),
        id,
      );
      return this.#read(repository, id);
    });
  }

  #read(repository: string, id: number): ForgeComment {
    const row = this.#records.one<CommentRow>(
      'SELECT * FROM forge_comments WHERE repository = ? AND id = ?',
      repository,
      id,
    );
    if (row === undefined)
      throw new GatewrightError('forge-not-found', `${repository} has no comment ${id}.`);
    return this.#toComment(row);
  }

  #toComment(row: CommentRow): ForgeComment {
    return {
      id: row.id,
      ...this.#records.describePerson(row.repository, row.author),
      body: row.body,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      url: `${this.#issues.read(row.repository, row.number).url}#comment-${row.id}`,
    };
  }

  list(repository: string, number: number): ForgeComment[] {
    return this.#records.look(() => {
      this.#issues.get(repository, number);
      return this.#records
        .all<CommentRow>(
          'SELECT * FROM forge_comments WHERE repository = ? AND number = ? ORDER BY id',
          repository,
          number,
        )
        .map((row) => this.#toComment(row));
    });
  }

  createOnCommit(repository: string, sha: string, body: string): CommitComment {
    return this.#records.transact(() => {
      this.#records.require(repository, 'none');
      const { id } = this.#records.run(
        'INSERT INTO forge_commit_comments (repository, sha, author, body, created_at) VALUES (?, ?, ?, ?, ?)',
        repository,
        sha,
        this.#records.actor,
        checkComment(body),
        this.#records.now(),
      );
      return this.listOnCommit(repository, sha).find((comment) => comment.id === id) as CommitComment;
    });
  }

  listOnCommit(repository: string, sha: string): CommitComment[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records
        .all<CommitCommentRow>(
          'SELECT * FROM forge_commit_comments WHERE repository = ? AND sha = ? ORDER BY id',
          repository,
          sha,
        )
        .map((row) => ({
          id: row.id,
          author: row.author,
          authorKind: kindOfActor(row.author),
          body: row.body,
          commit: row.sha,
          createdAt: row.created_at,
          url: `local://${repository}/commit/${row.sha}#comment-${row.id}`,
        }));
    });
  }

  addReaction(repository: string, target: ReactionTarget, content: ReactionContent): void {
    this.#records.transact(() => {
      this.#records.require(repository, 'none');
      this.#records.run(
        `INSERT OR IGNORE INTO forge_reactions (repository, target_kind, target, content, actor)
         VALUES (?, ?, ?, ?, ?)`,
        repository,
        target.kind,
        this.#findTarget(repository, target),
        content,
        this.#records.actor,
      );
    });
  }

  listReactions(repository: string, target: ReactionTarget): ForgeReaction[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records.all<ForgeReaction>(
        `SELECT content, actor FROM forge_reactions
         WHERE repository = ? AND target_kind = ? AND target = ? ORDER BY id`,
        repository,
        target.kind,
        this.#findTarget(repository, target),
      );
    });
  }

  #findTarget(repository: string, target: ReactionTarget): number {
    if (target.kind === 'issue') return this.#issues.read(repository, target.number).number;
    if (target.kind === 'comment') return this.#read(repository, target.id).id;
    const found = this.#records.one(
      `SELECT 1 FROM forge_review_comments c JOIN forge_reviews r ON r.id = c.review
       WHERE c.id = ? AND r.repository = ?`,
      target.id,
      repository,
    );
    if (found === undefined)
      throw new GatewrightError('forge-not-found', `${repository} has no review comment ${target.id}.`);
    return target.id;
  }
}
