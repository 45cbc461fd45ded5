/** The state document of an issue on which no stage has worked yet. */
import { currentVersion } from './migrate-state.ts';
import type { StateDocument } from './state-document.ts';
import { type issueTypes, longestLabel, longestProse, longestTitle, mostLabels } from './state-schema.ts';

export interface NewState {
  readonly issue: {
    readonly number: number;
    readonly title: string;
    readonly url: string;
    readonly body: string;
    readonly labels: readonly string[];
  };
  /** Null while it is not decided. */
  readonly type: (typeof issueTypes)[number] | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly maxAttempts: number;
  readonly branch: string;
  readonly sessionId: string;
}

/** The author of an issue may be a stranger: whatever the text is, the document is a valid one. */
function cutText(text: string, longest: number): string {
  const cut =
    text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
  return cut.toWellFormed();
}

function cutTitle(title: string, number: number): string {
  const line = title.replace(/[\s\u0000-\u001F\u007F-\u009F]+/gu, ' ').trim();
  return line === '' ? `Issue ${number}` : cutText(line, longestTitle);
}

export function initialState({ issue, type, ...run }: NewState): StateDocument {
  return {
    version: currentVersion,
    issue: {
      number: issue.number,
      title: cutTitle(issue.title, issue.number),
      url: issue.url,
      type,
      original_body: cutText(issue.body, longestProse),
      labels: issue.labels.slice(0, mostLabels).map((label) => cutText(label, longestLabel)),
    },
    pipeline: {
      started_at: run.startedAt,
      current_agent: 'triage',
      attempt: 1,
      max_attempts: run.maxAttempts,
      status: 'in_progress',
    },
    triage: {
      completed: false,
      scope: null,
      complexity: null,
      // Neither yes nor no: a run whose triage was cut off may not go on as if it had been let through.
      should_proceed: null,
      rejection_reason: null,
    },
    analysis: {
      completed: false,
      files: [],
      patterns: [],
      test_requirement: null,
      must_do: [],
      must_not_do: [],
      brief: null,
    },
    writer: {
      completed: false,
      attempt: 1,
      changes: [],
      test_written: false,
      test_file: null,
      summary: null,
      previous_feedback: null,
    },
    build: {
      completed: false,
      tests_passed: false,
      lint_passed: false,
      type_check_passed: false,
      errors: [],
      commands_run: [],
    },
    review: {
      completed: false,
      verdict: null,
      findings: { good: [], issues: [] },
      feedback_for_writer: null,
    },
    commit: {
      completed: false,
      hash: null,
      message: null,
      branch: run.branch,
      pushed: false,
      pr_created: false,
      pr_url: null,
      issue_closed: false,
    },
    communication: { questions: [], escalations: [] },
    learnings: { session_id: run.sessionId, observations: [], outcome: null },
  };
}
