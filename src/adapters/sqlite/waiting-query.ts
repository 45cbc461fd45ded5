/** What the fleet waits for a person for: plans without an answer, loops at their limit, merges. Read off the ledger. */

/** Whether nothing like this came later about the same subject. */
const noLater = (row: string, condition: string): string =>
  `NOT EXISTS (SELECT 1 FROM ledger n WHERE n.subject = ${row}.subject AND n.seq > ${row}.seq AND (${condition}))`;

const isClosing = `n.kind = 'event-received' AND json_extract(n.data, '$.kind') = 'pull-request-closed'`;

/** An order; a task that a run hands on to the next one is none. */
const isOrder = `n.kind = 'run-started' AND json_extract(n.data, '$.request.agent') = 'implementer'
  AND json_extract(n.data, '$.request.dryRun') = 0
  AND EXISTS (SELECT 1 FROM ledger e WHERE e.kind = 'event-received'
    AND e.key = json_extract(n.data, '$.request.delivery') AND json_extract(e.data, '$.kind') <> 'handed-on')`;

/** A new look at what keeps it from being merged. */
const isMerging = `n.kind = 'run-started' AND json_extract(n.data, '$.request.agent') = 'auto-merge'
  AND json_extract(n.data, '$.request.dryRun') = 0`;

/** As rows of the table. Part of a migration: another form of it is another migration. */
export const waitingOfLedger = `
SELECT p.id AS id, p.subject AS subject, p.at AS at, 'plan' AS what, json_extract(p.data, '$.handle') AS handle
FROM ledger p
WHERE p.kind = 'plan-proposed'
  AND ${noLater('p', `n.kind IN ('plan-proposed', 'plan-approved', 'pull-request-made')`)}
UNION ALL
SELECT l.id, l.subject, l.at, json_extract(l.data, '$.what'), json_extract(l.data, '$.handle')
FROM ledger l
WHERE l.kind = 'limit-reached' AND json_extract(l.data, '$.what') IN ('continue', 'fix', 'conflict')
  AND ${noLater(
    'l',
    `n.kind = 'limit-reached' OR (${isClosing}) OR (${isOrder})
       OR (n.kind = 'code-reviewed' AND json_extract(n.data, '$.isClean') = 1)`,
  )}
UNION ALL
SELECT m.id, m.subject, m.at, 'merge', NULL
FROM ledger m
WHERE m.kind = 'merge-waits' AND ${noLater('m', `n.kind = 'merge-waits' OR (${isClosing}) OR (${isMerging})`)}`;
