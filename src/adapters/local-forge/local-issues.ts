/** Issues of the local forge. Pull requests are issues too: what both have in common is changed here. */
import { checkBody, checkTitle } from '../../domain/forge/forge-texts.ts';
import { GatewrightError } from '../../errors.ts';
import type {
  Editor,
  Forge,
  ForgeIssue,
  IssueFilter,
  IssueText,
  LabelEvent,
} from '../../ports/forge/forge.ts';
import { type ForgeRecords, kindOfActor, toMoment } from './forge-records.ts';
import type { LocalLabels } from './local-labels.ts';

export type IssueChange = Parameters<Forge['editIssue']>[2];
type NewIssue = Parameters<Forge['createIssue']>[1];

interface IssueRow {
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly author: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly is_pull_request: 0 | 1;
  readonly title_by: string | null;
  readonly body_by: string | null;
}

const selectIssues = `SELECT i.*, EXISTS (SELECT 1 FROM forge_pull_requests p
  WHERE p.repository = i.repository AND p.number = i.number) AS is_pull_request FROM forge_issues i`;

export class LocalIssues {
  readonly #records: ForgeRecords;
  readonly #labels: LocalLabels;

  constructor(records: ForgeRecords, labels: LocalLabels) {
    this.#records = records;
    this.#labels = labels;
  }

  create(repository: string, issue: NewIssue): ForgeIssue {
    return this.#records.transact(() => {
      this.#records.require(repository, issue.labels.length > 0 ? 'triage' : 'none');
      const number = this.insert(repository, issue.title, issue.body);
      this.#labels.add(repository, number, issue.labels);
      return this.read(repository, number);
    });
  }

  /** Takes the next number, which issues and pull requests share. Inside a transaction of the caller. */
  insert(repository: string, title: string, body: string): number {
    const row = this.#records.one<{ number: number }>(
      'UPDATE forge_repositories SET next_number = next_number + 1 WHERE name = ? RETURNING next_number - 1 AS number',
      repository,
    );
    const number = row?.number ?? 0;
    const now = this.#records.now();
    this.#records.run(
      `INSERT INTO forge_issues (repository, number, title, body, state, author, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'open', ?, ?, ?)`,
      repository,
      number,
      checkTitle(title),
      checkBody(body),
      this.#records.actor,
      now,
      now,
    );
    return number;
  }

  /** Of an issue or of a pull request. */
  read(repository: string, number: number): ForgeIssue {
    return this.#toIssue(this.#row(repository, number));
  }

  #row(repository: string, number: number): IssueRow {
    const row = this.#records.one<IssueRow>(
      `${selectIssues} WHERE repository = ? AND number = ?`,
      repository,
      number,
    );
    if (row === undefined)
      throw new GatewrightError('forge-not-found', `${repository} has no issue #${number}.`);
    return row;
  }

  get(repository: string, number: number): ForgeIssue {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.read(repository, number);
    });
  }

  getText(repository: string, number: number): IssueText {
    const toEditor = (login: string | null): Editor | null =>
      login === null ? null : { login, kind: kindOfActor(login) };
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      const row = this.#row(repository, number);
      if (row.is_pull_request === 1)
        throw new GatewrightError('forge-not-found', `${repository}#${number} is a pull request.`);
      const { title, body, title_by: titleBy, body_by: bodyBy } = row;
      return { title, body, titleBy: toEditor(titleBy), bodyBy: toEditor(bodyBy) };
    });
  }

  #toIssue(row: IssueRow): ForgeIssue {
    const assignees = this.#records.all<{ actor: string }>(
      'SELECT actor FROM forge_assignees WHERE repository = ? AND number = ? ORDER BY id',
      row.repository,
      row.number,
    );
    return {
      number: row.number,
      title: row.title,
      body: row.body,
      state: row.state,
      ...this.#records.describePerson(row.repository, row.author),
      labels: this.#labels.of(row.repository, row.number),
      assignees: assignees.map(({ actor }) => actor),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      closedAt: row.closed_at,
      url: `local://${row.repository}/${row.is_pull_request === 1 ? 'pull' : 'issues'}/${row.number}`,
    };
  }

  list(repository: string, filter: IssueFilter = {}): ForgeIssue[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      const rows = this.#records.all<IssueRow>(
        `${selectIssues}
         WHERE repository = @repository AND is_pull_request = 0 AND (@state = 'all' OR state = @state)
           AND (@author IS NULL OR author = @author) AND (@since IS NULL OR created_at >= @since)
           AND (@updatedSince IS NULL OR updated_at >= @updatedSince)
           AND (@label IS NULL OR EXISTS (SELECT 1 FROM forge_issue_labels l
             WHERE l.repository = i.repository AND l.number = i.number AND l.label = @label))
         ORDER BY number DESC`,
        {
          repository,
          state: filter.state ?? 'open',
          author: filter.author ?? null,
          since: toMoment(filter.since),
          updatedSince: toMoment(filter.updatedSince),
          label: filter.label ?? null,
        },
      );
      return rows.map((row) => this.#toIssue(row));
    });
  }

  edit(repository: string, number: number, change: IssueChange): ForgeIssue {
    return this.#records.transact(() => {
      this.apply(repository, number, change);
      return this.read(repository, number);
    });
  }

  /**
   * Authors may edit and close what they opened; labels, assignees and states of others are for those who triage, their
   * words for those who write. Inside a transaction of the caller.
   */
  apply(repository: string, number: number, change: IssueChange): void {
    this.#records.require(repository, 'none');
    const issue = this.read(repository, number);
    const { addLabels = [], removeLabels = [], addAssignees = [], removeAssignees = [] } = change;
    const isSorting =
      addLabels.length + removeLabels.length + addAssignees.length + removeAssignees.length > 0;
    const isRewrite = change.title !== undefined || change.body !== undefined;
    const isOwn = issue.author === this.#records.actor;
    if (!isOwn || isSorting) this.#records.require(repository, 'triage');
    if (!isOwn && isRewrite) this.#records.require(repository, 'write');
    const now = this.#records.now();
    const state = change.state ?? issue.state;
    this.#records.run(
      `UPDATE forge_issues SET title = @title, body = @body, state = @state, closed_at = @closedAt, updated_at = @now,
         title_by = CASE WHEN title = @title THEN title_by ELSE @actor END,
         body_by = CASE WHEN body = @body THEN body_by ELSE @actor END,
         state_by = CASE WHEN state = @state THEN state_by ELSE @actor END
       WHERE repository = @repository AND number = @number`,
      {
        ...{ repository, number, state, now, actor: this.#records.actor },
        title: change.title === undefined ? issue.title : checkTitle(change.title),
        body: change.body === undefined ? issue.body : checkBody(change.body),
        closedAt: state === 'open' ? null : (issue.closedAt ?? now),
      },
    );
    this.#labels.add(repository, number, addLabels);
    this.#labels.remove(repository, number, removeLabels);
    this.#assign(repository, number, addAssignees, removeAssignees);
  }

  /** A login without any permission in the repository that never wrote here cannot be assigned, and is left out. */
  #assign(repository: string, number: number, add: readonly string[], remove: readonly string[]): void {
    for (const actor of add) {
      const hasSpoken = this.#records.one(
        'SELECT 1 FROM forge_comments WHERE repository = ? AND number = ? AND author = ? LIMIT 1',
        repository,
        number,
        actor,
      );
      if (this.#records.permissionOf(repository, actor) === 'none' && hasSpoken === undefined) continue;
      this.#records.run(
        'INSERT OR IGNORE INTO forge_assignees (repository, number, actor, assigned_by) VALUES (?, ?, ?, ?)',
        repository,
        number,
        actor,
        this.#records.actor,
      );
    }
    for (const actor of remove)
      this.#records.run(
        'DELETE FROM forge_assignees WHERE repository = ? AND number = ? AND actor = ?',
        repository,
        number,
        actor,
      );
  }

  /** Dates a change that was made elsewhere. Inside a transaction of the caller. */
  touch(repository: string, number: number): void {
    this.#records.run(
      'UPDATE forge_issues SET updated_at = ? WHERE repository = ? AND number = ?',
      this.#records.now(),
      repository,
      number,
    );
  }

  /** Closes what the forge itself closes as a consequence of an actor's change. Inside a transaction of the caller. */
  close(repository: string, number: number, at: string, by: string): void {
    this.#records.run(
      `UPDATE forge_issues SET state = 'closed', state_by = ?, closed_at = ?, updated_at = ?
       WHERE repository = ? AND number = ? AND state = 'open'`,
      by,
      at,
      at,
      repository,
      number,
    );
  }

  listLabelEvents(repository: string, number: number): LabelEvent[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      this.read(repository, number);
      return this.#labels.listEvents(repository, number);
    });
  }
}
