/**
 * The database schema, as a list of steps. A step that was released is never changed; a new one is added at the end.
 * The number of steps done is SQLite's `user_version`.
 */
import {
  forgeEventsSchema,
  labelBaseSchema,
  labelHeadSchema,
  seenTextSchema,
} from '../local-forge/forge-events-schema.ts';
import { forgeBaseEventsSchema, forgeMergeEventsSchema } from '../local-forge/forge-merge-events-schema.ts';
import { openEventsSchema } from './open-events-schema.ts';
import { runsSchema, waitingAnew } from './runs-schema.ts';
import { subjectStatesSchema } from './subject-states-schema.ts';

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

const forgeCode = `
ALTER TABLE forge_repositories ADD COLUMN default_branch TEXT;
-- Which folder it is, wherever it was moved to: the number and birth of its .git on the disk.
ALTER TABLE forge_repositories ADD COLUMN identity TEXT;

ALTER TABLE forge_issues ADD COLUMN closed_at TEXT;
UPDATE forge_issues SET closed_at = updated_at WHERE state = 'closed';

ALTER TABLE forge_comments ADD COLUMN updated_at TEXT;
UPDATE forge_comments SET updated_at = created_at;

CREATE TABLE forge_label_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  label TEXT NOT NULL,
  change TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  FOREIGN KEY (repository, number) REFERENCES forge_issues (repository, number)
);
CREATE INDEX forge_label_events_by_issue ON forge_label_events (repository, number, id);

CREATE TABLE forge_assignees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  actor TEXT NOT NULL,
  UNIQUE (repository, number, actor),
  FOREIGN KEY (repository, number) REFERENCES forge_issues (repository, number)
);

CREATE TABLE forge_reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  target_kind TEXT NOT NULL,
  target INTEGER NOT NULL,
  content TEXT NOT NULL,
  actor TEXT NOT NULL,
  UNIQUE (repository, target_kind, target, content, actor)
);

-- A pull request is an issue with branches: what both have is in forge_issues.
CREATE TABLE forge_pull_requests (
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  head_branch TEXT NOT NULL,
  base_branch TEXT NOT NULL,
  -- As they were when they were last looked at while it was open.
  head_sha TEXT NOT NULL,
  base_sha TEXT NOT NULL,
  merge_base TEXT NOT NULL,
  is_draft INTEGER NOT NULL,
  merged_at TEXT,
  merge_commit TEXT,
  PRIMARY KEY (repository, number),
  FOREIGN KEY (repository, number) REFERENCES forge_issues (repository, number)
) WITHOUT ROWID;
CREATE INDEX forge_pull_requests_by_head ON forge_pull_requests (repository, head_branch);

-- Commits that were about to be put onto a base: one that is found there was, whoever was killed before saying so.
CREATE TABLE forge_merge_intents (
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  merge_commit TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  base_sha TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (repository, number, merge_commit),
  FOREIGN KEY (repository, number) REFERENCES forge_pull_requests (repository, number)
) WITHOUT ROWID;

CREATE TABLE forge_reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL,
  number INTEGER NOT NULL,
  author TEXT NOT NULL,
  state TEXT NOT NULL,
  sha TEXT NOT NULL,
  body TEXT NOT NULL,
  at TEXT NOT NULL,
  FOREIGN KEY (repository, number) REFERENCES forge_pull_requests (repository, number)
);
CREATE INDEX forge_reviews_by_number ON forge_reviews (repository, number, id);

CREATE TABLE forge_review_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  review INTEGER NOT NULL REFERENCES forge_reviews (id),
  path TEXT NOT NULL,
  line INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX forge_review_comments_by_review ON forge_review_comments (review, id);

-- Statuses and check runs: the newest of each name.
CREATE TABLE forge_checks (
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  sha TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  description TEXT NOT NULL,
  url TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (repository, sha, name, kind)
) WITHOUT ROWID;

CREATE TABLE forge_workflow_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  name TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  branch TEXT NOT NULL,
  event TEXT NOT NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  attempt INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX forge_workflow_runs_by_repository ON forge_workflow_runs (repository, id);

CREATE TABLE forge_failed_logs (
  run INTEGER NOT NULL REFERENCES forge_workflow_runs (id),
  position INTEGER NOT NULL,
  job TEXT NOT NULL,
  step TEXT NOT NULL,
  log TEXT NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE forge_commit_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  sha TEXT NOT NULL,
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX forge_commit_comments_by_commit ON forge_commit_comments (repository, sha, id);
`;

const credentialLimits = `
CREATE TABLE credential_limits (
  model TEXT NOT NULL,
  credential TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (model, credential)
) WITHOUT ROWID;
`;

const eventFeed = `
CREATE UNIQUE INDEX ledger_happenings ON ledger (json_extract(data, '$.happening'))
  WHERE kind = 'event-received' AND json_extract(data, '$.happening') IS NOT NULL;
`;

/** What runs wrote about a subject; entries of events are in no further index. */
const workOfSubjects = `
CREATE INDEX ledger_work ON ledger (subject, id) WHERE run <> '';
`;

/** Events that are looked up by their kind, and refusals: found without reading the others. */
const toldOfSubjects = `
CREATE INDEX ledger_told ON ledger (subject, json_extract(data, '$.kind'), id)
  WHERE kind = 'event-received' AND json_extract(data, '$.kind') IN ('labeled', 'pull-request-dequeued');
CREATE INDEX ledger_refusals ON ledger (subject, id) WHERE kind = 'event-refused';
`;

export const migrations: readonly string[] = [
  ledger,
  forge,
  forgeCode,
  credentialLimits,
  forgeEventsSchema,
  seenTextSchema,
  forgeMergeEventsSchema,
  labelHeadSchema,
  labelBaseSchema,
  eventFeed,
  openEventsSchema,
  subjectStatesSchema,
  runsSchema,
  workOfSubjects,
  toldOfSubjects,
  waitingAnew,
  forgeBaseEventsSchema,
];
