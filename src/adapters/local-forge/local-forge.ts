/**
 * The local forge: issues, comments, labels and permissions in SQLite, acting for one actor, with GitHub's rules where
 * they matter (who may do what, limits on titles and labels, numbers that are never used twice).
 */
import { checkBody, checkColour, checkComment, checkTitle } from '../../domain/forge-texts.ts';
import { checkLabelName, labelColour } from '../../domain/labels.ts';
import { isAtLeast, type Permission } from '../../domain/permission.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Forge, ForgeComment, ForgeIssue, ForgeLabel, IssueFilter } from '../../ports/forge.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';

interface IssueRow {
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly author: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export class LocalForge implements Forge {
  readonly kind = 'local';
  readonly #database: SqliteDatabase;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #actor: string;

  constructor(database: SqliteDatabase, clock: Pick<Clock, 'now'>, actor: string) {
    this.#database = database;
    this.#clock = clock;
    this.#actor = actor;
  }

  #transact<T>(work: () => T): T {
    return this.#guard(() => this.#database.transaction(work).immediate());
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof GatewrightError) throw error;
      return explainDatabaseError(error, this.#database.name);
    }
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }

  async whoAmI(): Promise<string> {
    if (this.#actor === '')
      throw new GatewrightError('forge-not-authenticated', 'No login is known for you.');
    return this.#actor;
  }

  #permission(repository: string, actor: string): Permission {
    const found = prepareOnce(
      this.#database,
      'SELECT permission FROM forge_permissions WHERE repository = ? AND actor = ?',
    )
      .pluck()
      .get(repository, actor) as Permission | undefined;
    return found ?? 'none';
  }

  async permissionOf(repository: string, actor: string): Promise<Permission> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      return this.#permission(repository, actor);
    });
  }

  #requireRepository(repository: string): void {
    if (
      prepareOnce(this.#database, 'SELECT 1 FROM forge_repositories WHERE name = ?').get(repository) ===
      undefined
    ) {
      throw new GatewrightError('forge-not-found', `The local forge has no repository ${repository}.`);
    }
  }

  /** Everybody who knows the repository may read and open issues, as on a public GitHub repository. */
  #require(repository: string, needed: Permission): void {
    this.#requireRepository(repository);
    if (this.#actor === '')
      throw new GatewrightError('forge-not-authenticated', 'No login is known for you.');
    if (!isAtLeast(this.#permission(repository, this.#actor), needed)) {
      throw new GatewrightError(
        'forge-forbidden',
        `${this.#actor} needs "${needed}" permission on ${repository}.`,
      );
    }
  }

  /**
   * The forge repository of a folder; made when the folder is new, with whoever asks as its administrator. A name that
   * another folder took already gets a number.
   */
  async registerRepository(folder: string, wantedName: string): Promise<string> {
    return this.#transact(() => {
      const known = prepareOnce(this.#database, 'SELECT name FROM forge_repositories WHERE folder = ?')
        .pluck()
        .get(folder);
      if (typeof known === 'string') {
        this.#adoptOrphan(known);
        return known;
      }
      const taken = prepareOnce(this.#database, 'SELECT 1 FROM forge_repositories WHERE name = ?');
      let name = wantedName;
      for (let number = 2; taken.get(name) !== undefined; number += 1) name = `${wantedName}-${number}`;
      prepareOnce(
        this.#database,
        'INSERT INTO forge_repositories (name, folder, created_at) VALUES (?, ?, ?)',
      ).run(name, folder, this.#now());
      if (this.#actor !== '') this.#setPermission(name, this.#actor, 'admin');
      return name;
    });
  }

  /** The next number that is given; never a lower one than would be given anyway. */
  async startNumbersAt(repository: string, number: number): Promise<void> {
    this.#transact(() => {
      this.#require(repository, 'admin');
      prepareOnce(
        this.#database,
        'UPDATE forge_repositories SET next_number = max(next_number, ?) WHERE name = ?',
      ).run(number, repository);
    });
  }

  /** A repository that was first used without a login has nobody to administer it: the first who has one does. */
  #adoptOrphan(repository: string): void {
    if (this.#actor === '') return;
    const anybody = prepareOnce(this.#database, 'SELECT 1 FROM forge_permissions WHERE repository = ?').get(
      repository,
    );
    if (anybody === undefined) this.#setPermission(repository, this.#actor, 'admin');
  }

  async listPermissions(repository: string): Promise<{ actor: string; permission: Permission }[]> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      return prepareOnce(
        this.#database,
        'SELECT actor, permission FROM forge_permissions WHERE repository = ? ORDER BY actor',
      ).all(repository) as { actor: string; permission: Permission }[];
    });
  }

  async setPermission(repository: string, actor: string, permission: Permission): Promise<void> {
    this.#transact(() => {
      this.#require(repository, 'admin');
      this.#setPermission(repository, actor, permission);
    });
  }

  #setPermission(repository: string, actor: string, permission: Permission): void {
    prepareOnce(
      this.#database,
      'INSERT OR REPLACE INTO forge_permissions (repository, actor, permission) VALUES (?, ?, ?)',
    ).run(repository, actor, permission);
  }

  async listLabels(repository: string): Promise<ForgeLabel[]> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      return prepareOnce(
        this.#database,
        'SELECT name, colour, description FROM forge_labels WHERE repository = ? ORDER BY name',
      ).all(repository) as ForgeLabel[];
    });
  }

  async ensureLabel(repository: string, label: ForgeLabel): Promise<{ created: boolean }> {
    return this.#transact(() => {
      this.#require(repository, 'write');
      return { created: this.#insertLabel(repository, label) };
    });
  }

  #insertLabel(repository: string, label: ForgeLabel): boolean {
    const colour = checkColour(label.colour);
    return (
      prepareOnce(
        this.#database,
        'INSERT OR IGNORE INTO forge_labels (repository, name, colour, description) VALUES (?, ?, ?, ?)',
      ).run(repository, checkLabelName(label.name), colour, label.description).changes === 1
    );
  }

  async createIssue(
    repository: string,
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ): Promise<ForgeIssue> {
    return this.#transact(() => {
      this.#require(repository, 'none');
      if (issue.labels.length > 0) this.#require(repository, 'triage');
      const title = checkTitle(issue.title);
      const body = checkBody(issue.body);
      const number = prepareOnce(
        this.#database,
        'UPDATE forge_repositories SET next_number = next_number + 1 WHERE name = ? RETURNING next_number - 1',
      )
        .pluck()
        .get(repository) as number;
      const now = this.#now();
      prepareOnce(
        this.#database,
        `INSERT INTO forge_issues (repository, number, title, body, state, author, created_at, updated_at)
           VALUES (?, ?, ?, ?, 'open', ?, ?, ?)`,
      ).run(repository, number, title, body, this.#actor, now, now);
      this.#addLabels(repository, number, issue.labels);
      return this.#readIssue(repository, number);
    });
  }

  #addLabels(repository: string, number: number, names: readonly string[]): void {
    const add = prepareOnce(
      this.#database,
      `INSERT OR IGNORE INTO forge_issue_labels (repository, number, label, position)
       VALUES (@repository, @number, @label,
         (SELECT coalesce(max(position), 0) + 1 FROM forge_issue_labels WHERE repository = @repository AND number = @number))`,
    );
    // An existing label keeps its spelling, however an issue asks for it.
    const spelling = prepareOnce(
      this.#database,
      'SELECT name FROM forge_labels WHERE repository = ? AND name = ?',
    ).pluck();
    for (const name of names) {
      // As on GitHub: a label that does not exist yet comes into being with the first issue that carries it.
      const label = checkLabelName(name);
      this.#insertLabel(repository, { name: label, colour: labelColour(label), description: '' });
      const known = spelling.get(repository, label);
      add.run({ repository, number, label: known });
    }
  }

  #readIssue(repository: string, number: number): ForgeIssue {
    const row = prepareOnce(
      this.#database,
      'SELECT * FROM forge_issues WHERE repository = ? AND number = ?',
    ).get(repository, number) as IssueRow | undefined;
    if (row === undefined)
      throw new GatewrightError('forge-not-found', `${repository} has no issue #${number}.`);
    return this.#toIssue(row);
  }

  #toIssue(row: IssueRow): ForgeIssue {
    const labels = prepareOnce(
      this.#database,
      'SELECT label FROM forge_issue_labels WHERE repository = ? AND number = ? ORDER BY position',
    )
      .pluck()
      .all(row.repository, row.number) as string[];
    return {
      number: row.number,
      title: row.title,
      body: row.body,
      state: row.state,
      author: row.author,
      labels,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      url: `local://${row.repository}/issues/${row.number}`,
    };
  }

  async getIssue(repository: string, number: number): Promise<ForgeIssue> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      return this.#readIssue(repository, number);
    });
  }

  async listIssues(repository: string, filter: IssueFilter = {}): Promise<ForgeIssue[]> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      const state = filter.state ?? 'open';
      const rows = prepareOnce(
        this.#database,
        `SELECT i.* FROM forge_issues i
         WHERE repository = @repository AND (@state = 'all' OR state = @state)
           AND (@author IS NULL OR author = @author) AND (@since IS NULL OR created_at >= @since)
           AND (@label IS NULL OR EXISTS (SELECT 1 FROM forge_issue_labels l
             WHERE l.repository = i.repository AND l.number = i.number AND l.label = @label))
         ORDER BY number DESC`,
      ).all({
        repository,
        state,
        author: filter.author ?? null,
        since: filter.since === undefined ? null : new Date(filter.since).toISOString(),
        label: filter.label ?? null,
      }) as IssueRow[];
      return rows.map((row) => this.#toIssue(row));
    });
  }

  async editIssue(
    repository: string,
    number: number,
    change: Parameters<Forge['editIssue']>[2],
  ): Promise<ForgeIssue> {
    return this.#transact(() => {
      this.#require(repository, 'none');
      const issue = this.#readIssue(repository, number);
      const touchesLabels = (change.addLabels ?? []).length + (change.removeLabels ?? []).length > 0;
      // Authors may edit and close what they opened; labels and states of others are for those who triage, their words
      // for those who write.
      const rewrites = change.title !== undefined || change.body !== undefined;
      if (issue.author !== this.#actor || touchesLabels) this.#require(repository, 'triage');
      if (issue.author !== this.#actor && rewrites) this.#require(repository, 'write');
      prepareOnce(
        this.#database,
        'UPDATE forge_issues SET title = ?, body = ?, state = ?, updated_at = ? WHERE repository = ? AND number = ?',
      ).run(
        change.title === undefined ? issue.title : checkTitle(change.title),
        change.body === undefined ? issue.body : checkBody(change.body),
        change.state ?? issue.state,
        this.#now(),
        repository,
        number,
      );
      this.#addLabels(repository, number, change.addLabels ?? []);
      const remove = prepareOnce(
        this.#database,
        'DELETE FROM forge_issue_labels WHERE repository = ? AND number = ? AND label = ?',
      );
      for (const name of change.removeLabels ?? []) remove.run(repository, number, name);
      return this.#readIssue(repository, number);
    });
  }

  async createComment(repository: string, number: number, body: string): Promise<ForgeComment> {
    return this.#transact(() => {
      this.#require(repository, 'none');
      this.#readIssue(repository, number);
      checkComment(body);
      const now = this.#now();
      const id = prepareOnce(
        this.#database,
        'INSERT INTO forge_comments (repository, number, author, body, created_at) VALUES (?, ?, ?, ?, ?)',
      ).run(repository, number, this.#actor, body, now).lastInsertRowid;
      prepareOnce(
        this.#database,
        'UPDATE forge_issues SET updated_at = ? WHERE repository = ? AND number = ?',
      ).run(now, repository, number);
      return { id: Number(id), author: this.#actor, body, createdAt: now };
    });
  }

  async listComments(repository: string, number: number): Promise<ForgeComment[]> {
    return this.#guard(() => {
      this.#requireRepository(repository);
      this.#readIssue(repository, number);
      return prepareOnce(
        this.#database,
        `SELECT id, author, body, created_at AS createdAt FROM forge_comments
         WHERE repository = ? AND number = ? ORDER BY id`,
      ).all(repository, number) as ForgeComment[];
    });
  }
}
