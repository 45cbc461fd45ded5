/**
 * When a generated job starts. Conditions only spare jobs that would find nothing to do: the program decides again, from
 * the whole event. What a stranger writes is looked at in `if:` alone.
 */
import { labelTable } from '../../../../domain/forge/label-table.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Both leave out what is empty. */
export const all = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part, _, { length }) => (length > 1 && part.includes(' || ') ? `(${part})` : part))
    .join(' && ');
export const any = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' || ');

function isOneOf(value: string, names: readonly string[]): string {
  return `contains(fromJSON(${quote(JSON.stringify(names))}), ${value})`;
}

function mentioned(handle: string, ...values: readonly string[]): string {
  return any(...values.map((value) => `contains(${value}, ${quote(`@${handle}`)})`));
}

const issue = 'github.event.issue';
const pull = 'github.event.pull_request';
const label = 'github.event.label.name';

/**
 * Events of pull requests from forks, and those that Dependabot causes, have no secrets and a token that cannot write: a job
 * could only fail.
 */
const isOwnPull = all(
  `${pull}.head.repo.full_name == github.repository`,
  "github.actor != 'dependabot[bot]'",
);

/** What holds for every event of that name that may start a job. */
export const alwaysFor: Readonly<Record<string, string>> = {
  pull_request: isOwnPull,
  pull_request_review: isOwnPull,
  workflow_run: 'github.event.workflow_run.head_repository.full_name == github.repository',
};

export const isAction = (types: readonly string[]): string =>
  types.length === 1
    ? `github.event.action == ${quote(types[0] ?? '')}`
    : isOneOf('github.event.action', types);

/** Labels that not everybody may set and remove: the keeper of labels looks at each change. */
const guarded = labelTable
  .filter(({ setBy, removedBy }) => setBy !== 'anybody' || removedBy !== 'anybody')
  .map(({ name }) => name);
/** Labels that say what kind of work an issue is: an order only where the issue mentions the agent. */
const work = labelTable
  .filter(({ kind, readBy }) => kind === 'content' && readBy.includes('implementer'))
  .map(({ name }) => name);
/** Where a comment can be an answer without a mention: on an issue with such a label, or at a stage of a loop. */
const answerable = [labelNames.planning, labelNames.agent];
const stages = `${labelNames.loop}: `;

export const isMentionedInIssue = (handle: string): string =>
  mentioned(handle, `${issue}.title`, `${issue}.body`);

export const isGuardedLabel = isOneOf(label, guarded);

export const isIssueLabelRead = (handle: string): string =>
  any(
    isGuardedLabel,
    all("github.event.action == 'labeled'", isOneOf(label, work), isMentionedInIssue(handle)),
  );

/** A comment counts where it mentions the agent, and as an answer on an issue that waits for one. */
export const isCommentRead = (handle: string): string =>
  any(
    mentioned(handle, 'github.event.comment.body'),
    all(
      `!${issue}.pull_request`,
      any(
        ...answerable.map((name) => `contains(${issue}.labels.*.name, ${quote(name)})`),
        `contains(join(${issue}.labels.*.name), ${quote(stages)})`,
      ),
    ),
  );

export const isPullCommentRead = (handle: string): string =>
  all(`${issue}.pull_request`, mentioned(handle, 'github.event.comment.body'));

/** What a review says on single lines is not in the event. */
export const isReviewRead = (handle: string): string =>
  any(mentioned(handle, 'github.event.review.body'), "github.event.review.state != 'approved'");

export const isMerged = `${pull}.merged`;
export const isRetargeted = 'github.event.changes.base';
export const hasFailed = "github.event.workflow_run.conclusion == 'failure'";
/** A build that was skipped blocks nothing, and may have been the last one that a merge waited for. */
export const hasPassed = (reviews: string): string =>
  any(
    "github.event.workflow_run.conclusion == 'success'",
    all(
      "github.event.workflow_run.conclusion == 'skipped'",
      `github.event.workflow_run.name != ${quote(reviews)}`,
    ),
  );
export const hasStatusPassed = "github.event.state == 'success'";
export const hasSuitePassed = "github.event.check_suite.conclusion == 'success'";
