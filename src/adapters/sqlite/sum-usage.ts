/** What models have used, added up from the ledger for each span that has a budget. */

import type { Subject } from '../../domain/ledger/subject.ts';
import type { BudgetScope, Usage } from '../../domain/models/budget.ts';
import { prepareOnce, type SqliteDatabase } from './database.ts';
import { selectSpent } from './spent-query.ts';

function sum(database: SqliteDatabase, where: string, ...values: readonly (string | number)[]): Usage {
  return prepareOnce(
    database,
    `SELECT coalesce(sum(inputTokens), 0) AS inputTokens, coalesce(sum(outputTokens), 0) AS outputTokens,
            coalesce(sum(costUsd), 0) AS costUsd, coalesce(sum(turns), 0) AS turns
     FROM ${selectSpent()} WHERE ${where}`,
  ).get(...values) as Usage;
}

/** The issue that a pull request of ours was made for; anything else stands for itself. */
function issueBehind(database: SqliteDatabase, subject: Subject): string {
  const issue = prepareOnce(
    database,
    `SELECT json_extract(data, '$.issue') FROM ledger WHERE kind = 'pull-request-made' AND key = ?`,
  )
    .pluck()
    .get(subject);
  return typeof issue === 'number' ? subject.replace(/\d+$/u, String(issue)) : subject;
}

export function sumUsage(
  database: SqliteDatabase,
  run: string,
  subject: Subject,
  since: string,
): Record<BudgetScope, Usage> {
  const issue = issueBehind(database, subject);
  const [, repository = '', number = '0'] = /^(.+)#(\d+)$/u.exec(issue) ?? [];
  return {
    run: sum(database, 'run = ?', run),
    // An issue bears what the brief cost that it came of, and what its pull requests cost.
    issue: sum(
      database,
      `(subject = ? OR subject IN (
         SELECT subject FROM ledger WHERE kind = 'run-ended' AND substr(subject, 1, ?) = ?
           AND json_extract(data, '$.result.number') = ?
         UNION ALL
         SELECT key FROM ledger WHERE kind = 'pull-request-made' AND substr(key, 1, ?) = ?
           AND json_extract(data, '$.issue') = ?))`,
      issue,
      ...[repository.length + 1, `${repository}:`, Number(number)],
      ...[repository.length + 1, `${repository}#`, Number(number)],
    ),
    day: sum(database, 'at >= ?', since),
  };
}
