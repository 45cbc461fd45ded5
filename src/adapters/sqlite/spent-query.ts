/**
 * Everything that was spent, as rows to sum up: what calls have cost, and the most that those can have cost by now whose
 * end is not on the ledger, because they go on or were cut off. A grant ends with the last entry that names it.
 */
const amounts = (path: string): string =>
  ['inputTokens', 'outputTokens', 'costUsd', 'turns']
    .map((name) => `json_extract(l.data, '$.${path}.${name}') AS ${name}`)
    .join(', ');

/** @param only narrows the rows `l`, where the planner would not do so by itself: within a query about each run */
export const selectSpent = (only = 'true'): string => `(
  SELECT l.run, l.subject, l.at, ${amounts('usage')}, coalesce(json_extract(l.data, '$.isAtMost'), 0) AS isAtMost
  FROM ledger l WHERE l.kind IN ('model-answered', 'model-failed') AND ${only}
  UNION ALL
  SELECT l.run, l.subject, l.at, ${amounts('grant.atMost')}, 1 AS isAtMost
  FROM ledger l WHERE l.kind IN ('prompt-sent', 'work-metered') AND ${only}
    AND json_extract(l.data, '$.grant.id') IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ledger n
      WHERE n.run = l.run AND n.kind IN ('work-metered', 'model-answered', 'model-failed') AND n.id > l.id
        AND json_extract(n.data, '$.grant.id') = json_extract(l.data, '$.grant.id'))
)`;
