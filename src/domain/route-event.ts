/** Who reacts to an event, and why nobody else does. Pure: whether somebody may give orders is asked before and passed in. */
import { type AgentName, agentNames } from './agent-names.ts';
import { agentTable } from './agent-table.ts';
import { isCalledIn } from './called-in-event.ts';
import type { FleetEvent } from './event.ts';
import { carriesMarker } from './own-words.ts';
import { readReviewCall } from './review-call.ts';

export interface RoutingFacts {
  /** What people call the agent by, without the @. */
  readonly handle: string;
  /** The login under which we act ourselves. */
  readonly own: string;
  /** Whether the actor may give orders here: a person with write permission, or a program that is listed. */
  readonly mayOrder: boolean;
  /** Whether a plan of ours on that issue waits for an answer. */
  readonly hasOpenPlan: boolean;
  /** Whether a remark of a review on a line calls the agent. */
  readonly isCalledInRemark: boolean;
  /** Whether the words of the issue were an order before, by whoever opened or assigned it. */
  readonly isOrderedBefore: boolean;
  /** Whether the last review of it, and the last work on it, has stopped and waits for somebody. */
  readonly isReviewStopped: boolean;
  readonly isWorkStopped: boolean;
  /** Whether it is about a pull request that an agent made, who hands it on by itself. */
  readonly isOwnPull: boolean;
  /** Whether an agent has handed this head of it to the merge queue of the forge. */
  readonly isHandedToQueue: boolean;
  /** Workflows of ours; the doctor does not treat itself. */
  readonly ownWorkflows: readonly string[];
}

export type Route =
  | { readonly agent: AgentName; readonly runs: true }
  | { readonly agent: AgentName; readonly runs: false; readonly because: 'own' | 'not-permitted' };

/** Where we act under a person's account, that person still gives orders: only what carries our mark is our own then. */
function isOwn(event: FleetEvent, facts: RoutingFacts): boolean {
  if (event.actor.toLowerCase() !== facts.own.toLowerCase()) return false;
  return event.actorKind === 'bot' || ('text' in event && carriesMarker(event.text));
}

/** Whether an event asks the implementer for something, whoever it comes from. */
function asksImplementer(event: FleetEvent, facts: RoutingFacts): boolean {
  switch (event.kind) {
    case 'issue-opened':
      return isCalledIn(event, facts.handle) && !facts.isOrderedBefore;
    case 'issue-assigned':
      // Assigning it to somebody is an order when the issue calls us, as opening it would have been; once.
      return (
        event.assignee.toLowerCase() === facts.own.toLowerCase() ||
        (isCalledIn(event, facts.handle) && !facts.isOrderedBefore)
      );
    case 'labeled':
      return !event.isPullRequest && event.label.toLowerCase() === 'planning';
    case 'comment-created':
      return isCalledIn(event, facts.handle) || (!event.isPullRequest && facts.hasOpenPlan);
    case 'review-submitted':
      return isCalledIn(event, facts.handle) || facts.isCalledInRemark;
    default:
      return false;
  }
}

/** Whether somebody wants a review to go on that stopped. When the work has stopped as well, "continue" means that. */
function asksReviewer(event: FleetEvent, facts: RoutingFacts): boolean {
  if (event.kind !== 'comment-created' || !event.isPullRequest || !facts.isReviewStopped) return false;
  const call = readReviewCall(event.text, facts.handle);
  return call === 'review' || (call === 'continue' && !facts.isWorkStopped);
}

/** Whether an event is one that an agent watches for. */
function isWatched(agent: AgentName, event: FleetEvent, facts: RoutingFacts): boolean {
  if (event.kind === 'schedule-due')
    return agentTable[agent].triggers.some((one) => 'schedule' in one && one.schedule === event.schedule);
  const isListed = agentTable[agent].triggers.some(
    (one) => 'on' in one && one.on === event.kind && one.as === 'observation',
  );
  if (!isListed) return false;
  // Whoever reviewed for us has handed it to the one who merges.
  if (event.kind === 'review-submitted' && isOwn(event, facts)) return false;
  if (event.kind === 'pull-request-closed') return event.isMerged && facts.isHandedToQueue;
  if (event.kind === 'labeled' || event.kind === 'unlabeled') return event.isPullRequest;
  if (event.kind !== 'workflow-completed' && event.kind !== 'check-completed') return true;
  if (agent === 'ci-doctor')
    return event.conclusion === 'failure' && !facts.ownWorkflows.includes(event.name);
  // What was skipped or is neither good nor bad stands in nobody's way, so it may have been the last that was waited for.
  return event.conclusion !== 'failure';
}

/** What an agent did itself was handed on with the end of its run: the forge's word of it would only come second. */
function isHandedOn(event: FleetEvent, facts: RoutingFacts): boolean {
  if (event.actor.toLowerCase() !== facts.own.toLowerCase()) return false;
  // A push is told in the name of whoever opened the pull request where nobody knows better, so it is looked at.
  if (!facts.isOwnPull) return false;
  if (event.kind === 'pull-request-opened') return true;
  // Where we act under a person's account, that person also sets labels by hand.
  return (event.kind === 'labeled' || event.kind === 'unlabeled') && event.actorKind === 'bot';
}

/** Every agent that the event is for; those that do not run for it come with the reason, which is written down. */
export function routeEvent(event: FleetEvent, facts: RoutingFacts): Route[] {
  if (event.kind === 'handed-on') return [{ agent: event.to, runs: true }];
  if (isHandedOn(event, facts)) return [];
  const ordered = asksReviewer(event, facts) ? 'reviewer' : 'implementer';
  return agentNames.flatMap((agent): Route[] => {
    if (agent !== ordered) return isWatched(agent, event, facts) ? [{ agent, runs: true }] : [];
    if (agent === 'implementer' && !asksImplementer(event, facts)) return [];
    // Two agents that mention each other, or one that reads its own words, would never end.
    if (isOwn(event, facts)) return [{ agent, runs: false, because: 'own' }];
    return [facts.mayOrder ? { agent, runs: true } : { agent, runs: false, because: 'not-permitted' }];
  });
}
