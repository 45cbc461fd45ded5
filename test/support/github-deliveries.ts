/** What the small GitHub would tell a webhook or an Actions job, in the order in which it happened. */
import { showRun, showWorkflow } from './github-code-shapes.ts';
import { showToldPull } from './github-pull-routes.ts';
import { showRepositoryPart, showUser } from './github-repository-shape.ts';
import { showReview } from './github-review-routes.ts';
import { checkDelivery } from './github-schemas/webhook-book.ts';
import { showComment, showIssue, showNamedLabel } from './github-shapes.ts';
import type { StoredIssue, StoredPullRequest, StoredRepository } from './github-state.ts';

export interface Delivery {
  readonly id: string;
  /** As in the header `x-github-event`. */
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Told {
  readonly id: number;
  readonly name: string;
  readonly action: string;
  readonly sender: string;
  readonly more: () => Readonly<Record<string, unknown>>;
}

/** What webhooks call differently. */
const actions: Readonly<Record<string, string>> = {
  ...{ synchronized: 'synchronize', renamed: 'edited', removed_from_merge_queue: 'dequeued' },
};

function isPull(issue: StoredIssue): issue is StoredPullRequest {
  return issue.pull !== null;
}

/** Of a pull request `pull_request`, else `issues`. */
function tellOf(repository: StoredRepository, issue: StoredIssue): Pick<Told, 'name' | 'more'> {
  return isPull(issue)
    ? {
        name: 'pull_request',
        more: () => ({ number: issue.number, pull_request: showToldPull(repository, issue) }),
      }
    : { name: 'issues', more: () => ({ issue: showIssue(repository, issue) }) };
}

function tellEvents(repository: StoredRepository, issue: StoredIssue): Told[] {
  const { name, more } = tellOf(repository, issue);
  return issue.events.map(({ id, event, actor, at, label, assignee, sha, reason }) => ({
    id,
    name,
    action: actions[event] ?? event,
    sender: actor,
    more: () => ({
      ...more(),
      ...(label === undefined ? {} : { label: showNamedLabel(repository, label) }),
      ...(reason === undefined ? {} : { reason }),
      ...(assignee === undefined ? {} : { assignee: showUser(assignee) }),
      ...(event === 'renamed' ? { changes: { title: { from: 'another title' } } } : {}),
      ...(sha === undefined || !isPull(issue)
        ? {}
        : {
            ...(event === 'synchronized' ? { before: issue.pull.baseSha, after: sha } : {}),
            pull_request: showToldPull(repository, {
              ...{ ...issue, updatedAt: at },
              pull: { ...issue.pull, headSha: sha },
            }),
          }),
    }),
  }));
}

function tellIssue(repository: StoredRepository, issue: StoredIssue): Told[] {
  const { name, more } = tellOf(repository, issue);
  const comments = issue.comments.map((one) => ({
    ...{ id: one.id, name: 'issue_comment', action: 'created', sender: one.author },
    more: () => ({ issue: showIssue(repository, issue), comment: showComment(repository, issue, one) }),
  }));
  const reviews = isPull(issue)
    ? issue.pull.reviews.map((one) => ({
        ...{ id: one.id, name: 'pull_request_review', action: 'submitted', sender: one.author },
        more: () => ({
          pull_request: showToldPull(repository, issue),
          review: showReview(repository, issue, one),
        }),
      }))
    : [];
  return [
    { id: issue.id, name, action: 'opened', sender: issue.author, more },
    ...tellEvents(repository, issue),
    ...comments,
    ...reviews,
  ];
}

/** @param isWanted by its id: there may be hundreds */
export function listDeliveries(
  repository: StoredRepository,
  isWanted: (id: string) => boolean = () => true,
): Delivery[] {
  const builds = repository.runs
    .filter(({ status }) => status === 'completed')
    .map((run) => ({
      ...{ id: run.id, name: 'workflow_run', action: 'completed', sender: 'github-actions[bot]' },
      more: () => ({ workflow_run: showRun(repository, run), workflow: showWorkflow(repository, run) }),
    }));
  const told: Told[] = [...repository.issues.flatMap((issue) => tellIssue(repository, issue)), ...builds];
  return told
    .filter(({ id }) => isWanted(`delivery-${id}`))
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, name, action, sender, more }) => {
      const common = { repository: showRepositoryPart(repository), sender: showUser(sender) };
      const payload = { action, ...more(), ...common };
      checkDelivery(name, payload);
      return { id: `delivery-${id}`, name, payload };
    });
}
