/** Which events of GitHub start the workflow of an agent, and under which condition its first job begins. */
import type { AgentName, WorkerName } from '../../../../domain/fleet/agent-names.ts';
import type { EventKind } from '../../../../domain/fleet/event.ts';
import { cronOf } from '../../../../domain/fleet/schedule.ts';
import { type ActionsAgent, slotsOf } from './actions-agent.ts';
import * as when from './conditions.ts';
import { namesWatchedBy, workflowNameOf } from './workflow-names.ts';

export interface Waker {
  /** As GitHub calls it. */
  readonly event: string;
  readonly types: readonly string[];
  /** Empty where every such event counts. */
  readonly condition: string;
}

export interface WakingOptions {
  /** Those that have a workflow in this repository. */
  readonly agents: readonly AgentName[];
  /** What people call the agents by. */
  readonly handle: string;
  /** Names of the workflows that build and test the repository. */
  readonly builds: readonly string[];
}

type Source = (agent: WorkerName, options: WakingOptions) => readonly Waker[];

const on =
  (event: string) =>
  (type: string, condition = ''): Waker => ({ event, types: [type], condition });
const [onIssue, onPull, onReview] = [on('issues'), on('pull_request'), on('pull_request_review')];

/** The implementer works on issues; every other agent with labels or comments on pull requests. */
const isOfIssues = (agent: WorkerName): boolean => agent === 'implementer';

function onLabel(type: string, agent: WorkerName, { handle }: WakingOptions): Waker {
  return isOfIssues(agent) ? onIssue(type, when.isIssueLabelRead(handle)) : onPull(type, when.isGuardedLabel);
}

const sources: Readonly<Record<EventKind, Source>> = {
  'issue-opened': (_, { handle }) => [onIssue('opened', when.isMentionedInIssue(handle))],
  'issue-assigned': (_, { handle }) => [onIssue('assigned', when.isMentionedInIssue(handle))],
  labeled: (agent, options) => [onLabel('labeled', agent, options)],
  unlabeled: (agent, options) => [onLabel('unlabeled', agent, options)],
  'comment-created': (agent, { handle }) => [
    {
      ...{ event: 'issue_comment', types: ['created'] },
      condition: isOfIssues(agent) ? when.isCommentRead(handle) : when.isPullCommentRead(handle),
    },
  ],
  'review-submitted': (agent, { handle }) => [
    onReview('submitted', isOfIssues(agent) ? when.isReviewRead(handle) : ''),
  ],
  'review-dismissed': () => [onReview('dismissed')],
  'pull-request-opened': () => [onPull('opened')],
  'pull-request-synchronized': () => [onPull('synchronize')],
  'pull-request-reopened': () => [onPull('reopened')],
  'pull-request-ready': () => [onPull('ready_for_review')],
  'pull-request-retargeted': () => [onPull('edited', when.isRetargeted)],
  'pull-request-dequeued': () => [onPull('dequeued')],
  'pull-request-closed': () => [onPull('closed', when.isMerged)],
  'workflow-completed': (agent) => [
    {
      ...{ event: 'workflow_run', types: ['completed'] },
      condition: agent === 'ci-doctor' ? when.hasFailed : when.hasPassed(workflowNameOf('reviewer')),
    },
  ],
  'check-completed': () => [
    { event: 'check_suite', types: ['completed'], condition: when.hasSuitePassed },
    { event: 'status', types: [], condition: when.hasStatusPassed },
  ],
  // A job for each push would cost more than it finds: after a merge of a pull request its closing tells the same.
  'base-pushed': () => [],
  'schedule-due': () => [],
  'handed-on': () => [],
};

/** Together where they are the same event under the same condition. */
function merge(wakers: readonly Waker[]): Waker[] {
  const merged: Waker[] = [];
  for (const one of wakers) {
    const same = merged.findIndex((other) => other.event === one.event && other.condition === one.condition);
    const there = merged[same];
    if (there === undefined) merged.push(one);
    else merged[same] = { ...there, types: [...new Set([...there.types, ...one.types])] };
  }
  return merged;
}

export function wakersOf(agent: ActionsAgent<AgentName>, options: WakingOptions): Waker[] {
  const kinds = agent.triggers.flatMap((one) => ('on' in one ? [one.on] : []));
  // Labels of issues are kept by the workflow of the implementer, those of pull requests by the one of auto-merge.
  const kept: EventKind[] = agent.name === 'implementer' ? ['unlabeled'] : [];
  const watchesNothing = namesWatchedBy(agent.name, options.agents, options.builds).length === 0;
  return merge(
    [...new Set([...kinds, ...kept])]
      .filter((kind) => kind !== 'workflow-completed' || !watchesNothing)
      .flatMap((kind) => sources[kind](agent.name, options)),
  );
}

/** Under which condition a job starts for them, event by event. */
export function conditionsOf(wakers: readonly Waker[]): string[] {
  return [...new Set(wakers.map(({ event }) => event))].map((event) => {
    const ofEvent = wakers.filter((one) => one.event === event);
    const parts = ofEvent.map(({ types, condition }) =>
      ofEvent.length === 1 ? condition : when.all(when.isAction(types), condition),
    );
    const some = parts.includes('') ? '' : when.any(...parts);
    return when.all(`github.event_name == '${event}'`, when.alwaysFor[event] ?? '', some);
  });
}

export function cronsOf(agent: ActionsAgent): string[] {
  return slotsOf(agent).map(cronOf);
}
