/**
 * What the fleet waits for a person for: plans without an answer, loops at their limit, merges, work that
 * a person cancelled. Read off the ledger.
 */

import { awaitedAgents } from '../../domain/fleet/restart-words.ts';

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

/** Work of an agent that an issue or pull request does not move without, in the row of its beginning. */
const isAwaited = (row: string): string =>
  `json_extract(${row}.data, '$.request.workflow') = 'agent' AND json_extract(${row}.data, '$.request.dryRun') = 0
  AND json_extract(${row}.data, '$.request.number') IS NOT NULL
  AND json_extract(${row}.data, '$.request.agent') IN (${awaitedAgents.map((name) => `'${name}'`).join(', ')})`;

const isSameAgent = `n.kind = 'run-started' AND json_extract(n.data, '$.request.dryRun') = 0
  AND json_extract(n.data, '$.request.agent') = json_extract(s.data, '$.request.agent')`;

/** The beginning of the run that an entry is of. */
const beginningOf = (row: string): string =>
  `(SELECT min(b.id) FROM ledger b WHERE b.run = ${row}.run AND b.kind = 'run-started')`;

/** Which agent a row of cancelled work is about. */
export const agentOfCancelled = (id: string): string =>
  `(SELECT json_extract(s.data, '$.request.agent') FROM ledger c JOIN ledger s ON s.id = ${beginningOf('c')}
    WHERE c.id = ${id})`;

/** Whether a run is one whose cancelled work waits for a person. */
export const isAwaitedRun = `SELECT 1 FROM ledger s WHERE s.run = ? AND s.kind = 'run-started' AND ${isAwaited('s')}`;

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
WHERE m.kind = 'merge-waits' AND ${noLater('m', `n.kind = 'merge-waits' OR (${isClosing}) OR (${isMerging})`)}
UNION ALL
SELECT c.id, c.subject, c.at, 'cancelled', json_extract(c.data, '$.handle')
FROM ledger c JOIN ledger s ON s.id = ${beginningOf('c')}
WHERE c.kind = 'run-ended' AND json_extract(c.data, '$.reason.code') = 'cancelled' AND ${isAwaited('s')}
  AND NOT EXISTS (SELECT 1 FROM ledger d WHERE d.run = c.run AND d.kind = 'run-dismissed' AND d.id > c.id)
  AND ${noLater(
    'c',
    `(${isClosing}) OR (${isSameAgent})
       OR (n.kind = 'code-reviewed' AND json_extract(n.data, '$.isClean') = 1)`,
  )}`;
