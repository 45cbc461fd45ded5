/** What the implementer does when an event starts it. Pure: all facts are passed in. */
import type { HandoffTask } from '../../../domain/fleet/event.ts';

export interface ImplementerFacts {
  /** The task that an earlier run handed on; null when another event started the run. */
  readonly task: HandoffTask | null;
  /** The event is a comment or a review, so its author expects an answer. */
  readonly isSpoken: boolean;
  readonly isMentioned: boolean;
  /** The label for planning was set just now. */
  readonly isPlanWanted: boolean;
  /** What a comment says to a plan; null when there is no comment or no plan. */
  readonly answer: 'approves' | 'revises' | 'unclear' | 'other' | null;
  /** The comment was written before the newest plan was there, so it cannot be about it. */
  readonly isAnswerOutdated: boolean;
  /** It was written by a program, which may order and cannot approve. */
  readonly isByProgram: boolean;
  readonly isPullRequest: boolean;
  readonly isOpen: boolean;
  /** A pull request that is merged into its base: it cannot be opened again. */
  readonly isMerged: boolean;
  readonly isHeld: boolean;
  /** It carries the label for planning. */
  readonly isPlanning: boolean;
  readonly hasOpenPlan: boolean;
  readonly hasApprovedPlan: boolean;
  /** A pull request of ours for the issue is open. */
  readonly hasPullRequest: boolean;
  /** An open pull request by another author says that it closes the issue, and no comment has mentioned it yet. */
  readonly hasOtherPull: boolean;
  /** The pull request itself is one of ours. */
  readonly isOurs: boolean;
  /** Why nothing can be pushed to the pull request itself. */
  readonly obstacle: PullObstacle | null;
  /** The pull request conflicts with its base. Looked up only where it matters; missing in facts from before. */
  readonly isConflicting?: boolean;
  /** The event tells that a pull request was merged: others may conflict with their base now. */
  readonly isMergeTold?: boolean;
}

/** Branches that orders do not reach. */
export type PullObstacle = 'from-fork' | 'default-branch' | 'branch-name';

/** The answers to a request that is not fulfilled. */
export type ImplementerAnswer =
  | 'closed'
  | 'merged'
  | 'in-pull-request'
  | 'other-pull'
  | PullObstacle
  | 'unclear'
  | 'plan-changed';

export type ImplementerMode =
  | { readonly mode: 'plan' }
  | { readonly mode: 'carry-out'; readonly approves: boolean }
  | { readonly mode: 'settle'; readonly by: 'review' | 'person' }
  /** Merges the base into the branch and settles the conflicts. */
  | { readonly mode: 'update'; readonly by: 'base' | 'person' }
  /** Looks which pull requests of ours a merge has brought into conflict. */
  | { readonly mode: 'look-around' }
  | { readonly mode: 'answer'; readonly answer: ImplementerAnswer }
  | { readonly mode: 'nothing'; readonly why: string };

function nothing(why: string): ImplementerMode {
  return { mode: 'nothing', why };
}

/** An author who mentioned us is told why nothing is done; a label or a handed-on task gets no answer. */
function answerOr(facts: ImplementerFacts, answer: ImplementerAnswer, why: string): ImplementerMode {
  return facts.isSpoken && facts.isMentioned ? { mode: 'answer', answer } : nothing(why);
}

function chooseForPullRequest(facts: ImplementerFacts): ImplementerMode {
  // A pull request by another author is changed only on an order, never as a next step of ours.
  if (!facts.isOurs && facts.task !== null) return nothing('it is not a pull request of ours');
  if (facts.isMergeTold === true) return { mode: 'look-around' };
  if (facts.isMerged) return answerOr(facts, 'merged', 'it is merged');
  if (!facts.isOpen) return answerOr(facts, 'closed', 'it is closed');
  if (facts.obstacle !== null) return answerOr(facts, facts.obstacle, 'its branch is out of reach');
  if (facts.task === 'fix') return { mode: 'settle', by: 'review' };
  if (facts.task === 'update') return { mode: 'update', by: 'base' };
  if (facts.isSpoken && facts.isMentioned)
    // What is asked for is done on top of the newest base, so that the result can be merged.
    return { mode: facts.isConflicting === true ? 'update' : 'settle', by: 'person' };
  return nothing('it contains no order');
}

function chooseForPlan(facts: ImplementerFacts): ImplementerMode {
  switch (facts.answer) {
    case 'approves':
      if (facts.isByProgram) return nothing('only a person approves a plan');
      if (facts.hasPullRequest) return { mode: 'answer', answer: 'in-pull-request' };
      if (facts.isAnswerOutdated) return { mode: 'answer', answer: 'plan-changed' };
      return { mode: 'carry-out', approves: true };
    case 'unclear':
      return { mode: 'answer', answer: 'unclear' };
    case 'revises':
      return { mode: 'plan' };
    case 'other':
      return facts.isMentioned ? { mode: 'plan' } : nothing('it does not mention the agent');
    default:
      return nothing('a plan waits for an answer');
  }
}

function chooseForIssue(facts: ImplementerFacts): ImplementerMode {
  if (facts.task === 'fix' || facts.task === 'update') return nothing('only pull requests are corrected');
  if (!facts.isOpen) return answerOr(facts, 'closed', 'it is closed');
  if (facts.hasOpenPlan) return chooseForPlan(facts);
  if (facts.hasPullRequest) return answerOr(facts, 'in-pull-request', 'a pull request is open for it');
  if (facts.isSpoken && !facts.isMentioned) return nothing('it does not mention the agent');
  if (facts.isPlanWanted || (facts.isPlanning && !facts.hasApprovedPlan)) return { mode: 'plan' };
  return { mode: 'carry-out', approves: false };
}

export function chooseMode(facts: ImplementerFacts): ImplementerMode {
  if (facts.isPullRequest) return chooseForPullRequest(facts);
  const chosen = chooseForIssue(facts);
  const isWork = chosen.mode === 'plan' || chosen.mode === 'carry-out';
  // This answer is given once for each such pull request, whatever event started the run. A later order is fulfilled:
  // its author knows of the other pull request.
  return isWork && facts.hasOtherPull ? { mode: 'answer', answer: 'other-pull' } : chosen;
}

/** Whether a coding agent is set to work; everything else is said, handed on or written down. */
export function isWork(facts: ImplementerFacts): boolean {
  return ['plan', 'carry-out', 'settle', 'update'].includes(chooseMode(facts).mode);
}

/** Whether the label "hold" keeps the work from being done now. Answers that are only comments are still given. */
export function isKeptByHold(facts: ImplementerFacts): boolean {
  return facts.isHeld && isWork(facts);
}
