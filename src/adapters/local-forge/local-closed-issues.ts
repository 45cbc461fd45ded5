/** Which subjects are closed or held issues or pull requests of the local forge. Loads nothing else of it: `status` asks. */
import { labelNames } from '../../domain/forge/labels.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import type { ClosedIssues } from '../../ports/closed-issues.ts';
import { explainDatabaseError, prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';

export class LocalClosedIssues implements ClosedIssues {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async listClosed(subjects: readonly Subject[]): Promise<Subject[]> {
    return this.#find(
      subjects,
      `SELECT 1 FROM forge_issues WHERE repository = ? AND number = ? AND state = 'closed'`,
    );
  }

  async listHeld(subjects: readonly Subject[]): Promise<Subject[]> {
    return this.#find(
      subjects,
      `SELECT 1 FROM forge_issue_labels WHERE repository = ? AND number = ? AND lower(label) = '${labelNames.hold}'`,
    );
  }

  #find(subjects: readonly Subject[], query: string): Subject[] {
    try {
      const find = prepareOnce(this.#database, query);
      return subjects.filter((subject) => {
        const [, repository, number] = /^(.+)#(\d+)$/u.exec(subject) ?? [];
        return repository !== undefined && find.get(repository, Number(number)) !== undefined;
      });
    } catch (error) {
      return explainDatabaseError(error, this.#database.name);
    }
  }
}
