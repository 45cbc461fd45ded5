/**
 * The database schema, as a list of steps. A step that was released is never changed; a new one is added at the end.
 * The number of steps done is SQLite's `user_version`.
 */

const ledger = `
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  run TEXT NOT NULL,
  actor TEXT NOT NULL,
  key TEXT,
  data TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (subject, seq)
);
CREATE UNIQUE INDEX ledger_once ON ledger (kind, key) WHERE key IS NOT NULL;
CREATE INDEX ledger_by_run ON ledger (run, kind, id);
CREATE INDEX ledger_by_time ON ledger (kind, at);

-- The end of each chain, signed, so that cutting entries off is noticed too.
CREATE TABLE ledger_heads (
  subject TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  signature TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE leases (
  subject TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  actor TEXT NOT NULL,
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  process_start TEXT NOT NULL,
  since TEXT NOT NULL,
  expires INTEGER NOT NULL
) WITHOUT ROWID;
`;

const forge = `
CREATE TABLE forge_repositories (
  name TEXT PRIMARY KEY,
  folder TEXT UNIQUE,
  next_number INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE forge_permissions (
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  actor TEXT NOT NULL,
  permission TEXT NOT NULL,
  PRIMARY KEY (repository, actor)
) WITHOUT ROWID;

CREATE TABLE forge_labels (
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  name TEXT NOT NULL COLLATE NOCASE,
  colour TEXT NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (repository, name)
) WITHOUT ROWID;

CREATE TABLE forge_issues (
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  author TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (repository, number)
) WITHOUT ROWID;

CREATE TABLE forge_issue_labels (
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  label TEXT NOT NULL COLLATE NOCASE,
  position INTEGER NOT NULL,
  PRIMARY KEY (repository, number, label),
  FOREIGN KEY (repository, number) REFERENCES forge_issues (repository, number)
) WITHOUT ROWID;

CREATE TABLE forge_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  FOREIGN KEY (repository, number) REFERENCES forge_issues (repository, number)
);
CREATE INDEX forge_comments_by_issue ON forge_comments (repository, number, id);
`;

const credentialLimits = `
CREATE TABLE credential_limits (
  model TEXT NOT NULL,
  credential TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (model, credential)
) WITHOUT ROWID;
`;

export const migrations: readonly string[] = [ledger, forge, credentialLimits];
