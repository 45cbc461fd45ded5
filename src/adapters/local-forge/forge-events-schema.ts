/**
 * Events of the local forge, recorded by triggers: in the same transaction as the change, independent of the program
 * that made it. SQLite lets one transaction write at a time, so ids are in the order in which readers see them.
 */

const isPull = (row: string): string =>
  `EXISTS (SELECT 1 FROM forge_pull_requests p WHERE p.repository = ${row}.repository AND p.number = ${row}.number)`;

/** A boolean for json_object, which would make a number of it. */
const flag = (condition: string): string => `json(CASE WHEN ${condition} THEN 'true' ELSE 'false' END)`;

const words = (issue: string): string => `${issue}.title || char(10) || char(10) || ${issue}.body`;

const columns = 'INSERT INTO forge_events (repository, kind, at, actor, number, text, data)';

const workflowCompleted = `${columns}
  VALUES (NEW.repository, 'workflow-completed', NEW.updated_at, coalesce(NEW.actor, ''), NULL, NULL, json_object(
    'run', NEW.id, 'name', NEW.name, 'head', NEW.head_sha,
    'conclusion', CASE WHEN NEW.conclusion IN ('success', 'failure') THEN NEW.conclusion ELSE 'other' END));`;

export const forgeEventsSchema = `
-- Who did what the row alone does not tell.
ALTER TABLE forge_issues ADD COLUMN state_by TEXT;
ALTER TABLE forge_assignees ADD COLUMN assigned_by TEXT;
ALTER TABLE forge_workflow_runs ADD COLUMN actor TEXT;

CREATE TABLE forge_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository TEXT NOT NULL REFERENCES forge_repositories (name),
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  number INTEGER,
  -- As it was said then: an edit afterwards says nothing new.
  text TEXT,
  data TEXT NOT NULL
);
CREATE INDEX forge_events_by_repository ON forge_events (repository, id);

CREATE TRIGGER forge_events_issue_opened AFTER INSERT ON forge_issues BEGIN
  ${columns}
  VALUES (NEW.repository, 'issue-opened', NEW.created_at, NEW.author, NEW.number, ${words('NEW')}, '{}');
END;

-- A pull request begins as an issue: that it was opened is told once.
CREATE TRIGGER forge_events_pull_opened AFTER INSERT ON forge_pull_requests BEGIN
  DELETE FROM forge_events WHERE id = (SELECT max(id) FROM forge_events)
    AND kind = 'issue-opened' AND repository = NEW.repository AND number = NEW.number;
  ${columns}
  SELECT NEW.repository, 'pull-request-opened', i.created_at, i.author, NEW.number, NULL,
    json_object('head', NEW.head_sha)
  FROM forge_issues i WHERE i.repository = NEW.repository AND i.number = NEW.number;
END;

CREATE TRIGGER forge_events_pull_moved AFTER UPDATE OF head_sha ON forge_pull_requests
WHEN NEW.head_sha <> OLD.head_sha AND NEW.merged_at IS NULL BEGIN
  ${columns}
  SELECT NEW.repository, 'pull-request-synchronized', i.updated_at, i.author, NEW.number, NULL,
    json_object('head', NEW.head_sha)
  FROM forge_issues i WHERE i.repository = NEW.repository AND i.number = NEW.number AND i.state = 'open';
END;

CREATE TRIGGER forge_events_pull_state AFTER UPDATE OF state ON forge_issues WHEN NEW.state <> OLD.state BEGIN
  ${columns}
  SELECT NEW.repository, 'pull-request-reopened', NEW.updated_at, coalesce(NEW.state_by, ''), NEW.number, NULL,
    json_object('head', p.head_sha)
  FROM forge_pull_requests p
  WHERE p.repository = NEW.repository AND p.number = NEW.number AND NEW.state = 'open';
  ${columns}
  SELECT NEW.repository, 'pull-request-closed', NEW.updated_at, coalesce(NEW.state_by, ''), NEW.number, NULL,
    json_object('head', p.head_sha, 'isMerged', ${flag('p.merged_at IS NOT NULL')})
  FROM forge_pull_requests p
  WHERE p.repository = NEW.repository AND p.number = NEW.number AND NEW.state = 'closed';
END;

CREATE TRIGGER forge_events_assigned AFTER INSERT ON forge_assignees WHEN NOT ${isPull('NEW')} BEGIN
  ${columns}
  SELECT NEW.repository, 'issue-assigned', i.updated_at, coalesce(NEW.assigned_by, ''), NEW.number, ${words('i')},
    json_object('assignee', NEW.actor)
  FROM forge_issues i WHERE i.repository = NEW.repository AND i.number = NEW.number;
END;

CREATE TRIGGER forge_events_labeled AFTER INSERT ON forge_label_events BEGIN
  ${columns}
  VALUES (NEW.repository, CASE NEW.change WHEN 'added' THEN 'labeled' ELSE 'unlabeled' END, NEW.at, NEW.actor,
    NEW.number, NULL, json_object('label', NEW.label, 'isPullRequest', ${flag(isPull('NEW'))}));
END;

CREATE TRIGGER forge_events_commented AFTER INSERT ON forge_comments BEGIN
  ${columns}
  VALUES (NEW.repository, 'comment-created', NEW.created_at, NEW.author, NEW.number, NEW.body,
    json_object('comment', NEW.id, 'isPullRequest', ${flag(isPull('NEW'))}));
END;

CREATE TRIGGER forge_events_reviewed AFTER INSERT ON forge_reviews BEGIN
  ${columns}
  VALUES (NEW.repository, 'review-submitted', NEW.at, NEW.author, NEW.number, NEW.body,
    json_object('review', NEW.id, 'head', NEW.sha));
END;

CREATE TRIGGER forge_events_workflow_recorded AFTER INSERT ON forge_workflow_runs
WHEN NEW.status = 'completed' BEGIN
  ${workflowCompleted}
END;

CREATE TRIGGER forge_events_workflow_completed AFTER UPDATE OF status ON forge_workflow_runs
WHEN NEW.status = 'completed' AND OLD.status <> 'completed' BEGIN
  ${workflowCompleted}
END;
`;

/** The text of an issue at the moment of an event, and the last editors of its title and its body. */
export const seenTextSchema = `
ALTER TABLE forge_issues ADD COLUMN title_by TEXT;
ALTER TABLE forge_issues ADD COLUMN body_by TEXT;
ALTER TABLE forge_events ADD COLUMN issue_title TEXT;
ALTER TABLE forge_events ADD COLUMN issue_body TEXT;

CREATE TRIGGER forge_events_seen AFTER INSERT ON forge_events
WHEN NEW.kind IN ('issue-opened', 'issue-assigned', 'labeled', 'comment-created') AND NOT ${isPull('NEW')} BEGIN
  UPDATE forge_events SET (issue_title, issue_body) =
    (SELECT title, body FROM forge_issues WHERE repository = NEW.repository AND number = NEW.number)
  WHERE id = NEW.id;
END;
`;

/** At which head of a pull request a label was set or taken off. */
export const labelHeadSchema = `
ALTER TABLE forge_label_events ADD COLUMN head TEXT;

DROP TRIGGER forge_events_labeled;
CREATE TRIGGER forge_events_labeled AFTER INSERT ON forge_label_events BEGIN
  ${columns}
  VALUES (NEW.repository, CASE NEW.change WHEN 'added' THEN 'labeled' ELSE 'unlabeled' END, NEW.at, NEW.actor,
    NEW.number, NULL, CASE WHEN NEW.head IS NULL
      THEN json_object('label', NEW.label, 'isPullRequest', ${flag(isPull('NEW'))})
      ELSE json_object('label', NEW.label, 'isPullRequest', ${flag(isPull('NEW'))}, 'head', NEW.head) END);
END;
`;

/** And for which base. Triggers tell of it from now on; what was set before has none. */
export const labelBaseSchema = `
ALTER TABLE forge_label_events ADD COLUMN base TEXT;

DROP TRIGGER forge_events_labeled;
CREATE TRIGGER forge_events_labeled AFTER INSERT ON forge_label_events BEGIN
  ${columns}
  VALUES (NEW.repository, CASE NEW.change WHEN 'added' THEN 'labeled' ELSE 'unlabeled' END, NEW.at, NEW.actor,
    NEW.number, NULL, CASE WHEN NEW.head IS NULL
      THEN json_object('label', NEW.label, 'isPullRequest', ${flag(isPull('NEW'))})
      ELSE json_object('label', NEW.label, 'isPullRequest', ${flag(isPull('NEW'))}, 'head', NEW.head,
        'base', NEW.base) END);
END;
`;
