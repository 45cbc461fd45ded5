/** The list of open events: its table, and what the ledger says that is in it. */

/** What the ledger says, as rows of the table. Part of a migration: another form of it is another migration. */
export const openEventsOfLedger = `
SELECT r.key AS delivery, r.id AS id, r.subject AS subject, json_extract(r.data, '$.event') AS event, r.at AS received_at
FROM ledger r
WHERE r.kind = 'event-received'
  AND NOT EXISTS (SELECT 1 FROM ledger s WHERE s.kind = 'event-settled' AND s.key = r.key)`;

export const openEventsSchema = `
CREATE TABLE open_events (
  delivery TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  event TEXT NOT NULL,
  received_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO open_events (delivery, id, subject, event, received_at) ${openEventsOfLedger};
`;
