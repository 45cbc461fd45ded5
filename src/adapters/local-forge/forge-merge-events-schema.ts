/**
 * More of what happens on the local forge, told by triggers like the rest (forge-events-schema.ts): what may be the last
 * thing that a pull request waited for before it is merged.
 */

const columns = 'INSERT INTO forge_events (repository, kind, at, actor, number, text, data)';

export const forgeMergeEventsSchema = `
ALTER TABLE forge_pull_requests ADD COLUMN edited_by TEXT;
ALTER TABLE forge_checks ADD COLUMN actor TEXT;

CREATE TRIGGER forge_events_pull_ready AFTER UPDATE OF is_draft ON forge_pull_requests
WHEN OLD.is_draft = 1 AND NEW.is_draft = 0 AND NEW.merged_at IS NULL BEGIN
  ${columns}
  SELECT NEW.repository, 'pull-request-ready', i.updated_at, coalesce(NEW.edited_by, ''), NEW.number, NULL,
    json_object('head', NEW.head_sha)
  FROM forge_issues i WHERE i.repository = NEW.repository AND i.number = NEW.number AND i.state = 'open';
END;

CREATE TRIGGER forge_events_pull_retargeted AFTER UPDATE OF base_branch ON forge_pull_requests
WHEN NEW.base_branch <> OLD.base_branch AND NEW.merged_at IS NULL BEGIN
  ${columns}
  SELECT NEW.repository, 'pull-request-retargeted', i.updated_at, coalesce(NEW.edited_by, ''), NEW.number, NULL,
    json_object('head', NEW.head_sha, 'base', NEW.base_branch)
  FROM forge_issues i WHERE i.repository = NEW.repository AND i.number = NEW.number AND i.state = 'open';
END;

-- Before, because what it replaces is gone afterwards: the same result reported again is no news.
CREATE TRIGGER forge_events_check_completed BEFORE INSERT ON forge_checks
WHEN NEW.state <> 'pending' AND NOT EXISTS (SELECT 1 FROM forge_checks c WHERE c.repository = NEW.repository
  AND c.sha = NEW.sha AND c.name = NEW.name AND c.kind = NEW.kind AND c.state = NEW.state) BEGIN
  ${columns}
  VALUES (NEW.repository, 'check-completed', NEW.at, coalesce(NEW.actor, ''), NULL, NULL, json_object(
    'name', NEW.name, 'head', NEW.sha,
    'conclusion', CASE WHEN NEW.state IN ('success', 'failure') THEN NEW.state ELSE 'other' END));
END;
`;

/**
 * Where the branches were last seen that open pull requests go onto. Git tells of no push, so looks at the pull requests
 * write it down; a move by a merge of the forge itself is told as that merge.
 */
export const forgeBaseEventsSchema = `
CREATE TABLE forge_bases (
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  branch TEXT NOT NULL,
  sha TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (repository, branch)
) WITHOUT ROWID;

CREATE TRIGGER forge_events_base_pushed AFTER INSERT ON forge_bases BEGIN
  ${columns}
  VALUES (NEW.repository, 'base-pushed', NEW.at, NEW.actor, NULL, NULL,
    json_object('branch', NEW.branch, 'head', NEW.sha));
END;

CREATE TRIGGER forge_events_base_pushed_again AFTER UPDATE OF sha ON forge_bases WHEN NEW.sha <> OLD.sha BEGIN
  ${columns}
  VALUES (NEW.repository, 'base-pushed', NEW.at, NEW.actor, NULL, NULL,
    json_object('branch', NEW.branch, 'head', NEW.sha));
END;
`;
