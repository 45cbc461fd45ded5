/** The lists of runs and of what waits for a person on the forge: their tables, and what the ledger says that is in them. */
import { selectSpent } from './spent-query.ts';
import { waitingOfLedger } from './waiting-query.ts';

/** What a run has cost, and how much of that is only the most that it can have been. Of row `s`, which is its beginning. */
export const costOfRun = (run: string): string =>
  `(SELECT sum(costUsd) FROM ${selectSpent(`l.run = ${run}`)})`;
export const costAtMostOfRun = (run: string): string =>
  `(SELECT sum(costUsd) FROM ${selectSpent(`l.run = ${run}`)} WHERE isAtMost = 1)`;

/** What the ledger says, as rows of the table. Part of a migration: another form of it is another migration. */
export const runsOfLedger = `
SELECT s.run AS run, s.id AS id, s.subject AS subject, json_extract(s.data, '$.request.repository') AS repository,
       coalesce((SELECT json_extract(m.data, '$.root') FROM ledger m WHERE m.run = s.run AND m.kind = 'run-resumed'
         AND json_extract(m.data, '$.root') IS NOT NULL ORDER BY m.id DESC LIMIT 1),
         json_extract(s.data, '$.request.root')) AS root, json_extract(s.data, '$.request.workflow') AS workflow,
       json_extract(s.data, '$.request.dryRun') AS dry_run, l.id AS last_id, l.at AS changed_at,
       CASE l.kind WHEN 'run-ended' THEN 'done' WHEN 'run-dropped' THEN 'dropped' ELSE
         CASE WHEN EXISTS (SELECT 1 FROM ledger d WHERE d.run = s.run AND d.kind = 'run-dismissed' AND d.id > l.id)
           THEN 'dismissed' ELSE 'open' END END AS state,
       (SELECT json_extract(data, '$.node') FROM ledger WHERE run = s.run AND kind = 'node-begun'
          ORDER BY id DESC LIMIT 1) AS node,
       ${costOfRun('s.run')} AS cost, ${costAtMostOfRun('s.run')} AS cost_at_most
FROM ledger s
JOIN ledger l ON l.id = (
  SELECT max(id) FROM ledger WHERE run = s.run
  AND kind IN ('run-started', 'run-resumed', 'run-stopped', 'run-ended', 'run-dropped'))
WHERE s.kind = 'run-started'
  AND s.id = (SELECT min(id) FROM ledger WHERE run = s.run AND kind = 'run-started')`;

export const runColumns =
  'run, id, subject, repository, root, workflow, dry_run, last_id, changed_at, state, node, cost, cost_at_most';

export const waitingColumns = 'id, subject, at, what, handle';

export const runsSchema = `
CREATE TABLE runs (
  run TEXT PRIMARY KEY,
  -- Of its first entry, and of the newest that says how it stands.
  id INTEGER NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  repository TEXT,
  root TEXT,
  workflow TEXT,
  dry_run INTEGER,
  last_id INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  state TEXT NOT NULL,
  node TEXT,
  cost REAL,
  cost_at_most REAL
) WITHOUT ROWID;
CREATE INDEX runs_by_subject ON runs (subject, id);
CREATE INDEX runs_by_state ON runs (state, changed_at);
INSERT INTO runs (${runColumns}) ${runsOfLedger};

CREATE TABLE waiting (
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  at TEXT NOT NULL,
  what TEXT NOT NULL,
  handle TEXT
);
CREATE INDEX waiting_by_subject ON waiting (subject);
INSERT INTO waiting (${waitingColumns}) ${waitingOfLedger};
`;

/** Work that people cancelled before it was listed. */
export const waitingAnew = `
DELETE FROM waiting;
INSERT INTO waiting (${waitingColumns}) ${waitingOfLedger};
`;
