/** The ten agents, each with what it is for, what wakes it, who it works with and what it may do. One table, read by all. */
import { type AgentHelp, agentHelp } from './agent-help.ts';
import type { AgentName, WorkerName } from './agent-names.ts';
import type { EffectAllowance } from './effect.ts';
import type { EventKind } from './event.ts';
import type { ScheduleName } from './schedule.ts';

/** What wakes an agent. An order counts only from somebody who may give it; an observation is what everybody can see. */
type Trigger =
  | { readonly on: EventKind; readonly as: 'order' | 'observation'; readonly when: string }
  | { readonly schedule: ScheduleName };

export interface AgentEntry {
  readonly name: AgentName;
  readonly purpose: string;
  readonly triggers: readonly Trigger[];
  /** Who it asks; `none` decides by rules alone. */
  readonly model: 'none' | 'coder' | 'reviewer' | 'writer';
  /** Model turns at most. Also where rules alone decide: a model could only ever add words there. 0 where it could not. */
  readonly turns: number;
  /** Turns at most when it only plans, which it does read-only and with the planner, a stronger model. */
  readonly planTurns?: number;
  /** Effects in one run, with how many of each. */
  readonly may: EffectAllowance;
  readonly help: AgentHelp;
}

function observed(on: EventKind, when: string): Trigger {
  return { on, as: 'observation', when };
}

function ordered(on: EventKind, when: string): Trigger {
  return { on, as: 'order', when };
}

export const agentTable: Readonly<Record<AgentName, Omit<AgentEntry, 'name'>>> = {
  implementer: {
    purpose: 'Plans work on an issue if asked to, carries it out, and settles what a review found.',
    triggers: [
      ordered('issue-opened', 'its text mentions the agent'),
      ordered('issue-assigned', 'it is assigned to the agent, or its text mentions it and was no order yet'),
      ordered('labeled', 'the label is "planning"'),
      ordered('comment-created', 'it mentions the agent, or answers its plan'),
      ordered('review-submitted', 'it mentions the agent, or a remark on a line does'),
    ],
    model: 'coder',
    turns: 50,
    planTurns: 25,
    // Each stop of a run takes its working label off and each resumption sets it again; unfinished work is pushed early.
    may: {
      'create-comment': 10,
      'edit-labels': 24,
      'ensure-label': 4,
      'push-branch': 24,
      'create-pull-request': 1,
    },
    help: agentHelp.implementer,
  },
  reviewer: {
    purpose: 'Reads every change and says what would hurt if it were merged.',
    triggers: [
      observed('pull-request-opened', 'always'),
      observed('pull-request-synchronized', 'always'),
      observed('pull-request-reopened', 'always'),
      observed('pull-request-retargeted', 'always'),
      ordered('comment-created', 'somebody who may order says "review" or "continue" after it stopped'),
    ],
    model: 'reviewer',
    turns: 5,
    may: { 'create-review': 1, 'create-comment': 5, 'edit-labels': 2, 'ensure-label': 2 },
    help: agentHelp.reviewer,
  },
  'auto-merge': {
    purpose: 'Merges what is reviewed, green, labelled for it by somebody who may, and held by nobody.',
    triggers: [
      observed('review-submitted', 'always'),
      observed('review-dismissed', 'always'),
      observed('pull-request-ready', 'always'),
      observed('pull-request-retargeted', 'always'),
      observed('pull-request-dequeued', 'always'),
      observed('pull-request-closed', 'the merge queue of the forge merged what this agent handed over'),
      observed('labeled', 'it is a pull request'),
      observed('unlabeled', 'it is a pull request'),
      observed('workflow-completed', 'it did not fail'),
      observed('check-completed', 'it did not fail'),
    ],
    model: 'none',
    turns: 0,
    may: {
      // Between two that break things, and before and after them.
      'merge-together': 3,
      'merge-pull-request': 5,
      'enqueue-pull-request': 1,
      'update-branch': 1,
      'delete-branch': 5,
      'close-issue': 5,
      'edit-labels': 5,
      'create-comment': 5,
    },
    help: agentHelp['auto-merge'],
  },
  'ci-doctor': {
    purpose: 'Says of a failed build what failed, why, and what would fix it.',
    triggers: [observed('workflow-completed', 'it failed, and is not its own')],
    model: 'writer',
    turns: 10,
    may: { 'create-comment': 1, 'comment-commit': 1 },
    help: agentHelp['ci-doctor'],
  },
  'pr-size-guardian': {
    purpose: 'Warns when a change is too large to be reviewed well.',
    triggers: [observed('pull-request-opened', 'always'), observed('pull-request-synchronized', 'always')],
    model: 'none',
    turns: 3,
    may: { 'create-comment': 3 },
    help: agentHelp['pr-size-guardian'],
  },
  'daily-digest': {
    purpose: 'Tells once a day what was done, what waits and what is stuck; nothing on a silent day.',
    triggers: [{ schedule: 'daily-digest' }],
    model: 'none',
    turns: 10,
    may: { 'create-issue': 1, 'ensure-label': 1, 'close-issue': 10 },
    help: agentHelp['daily-digest'],
  },
  'health-report': {
    purpose: 'Tells once a week how much of what the agents began was merged, how fast, and what failed.',
    triggers: [{ schedule: 'health-report' }],
    model: 'none',
    turns: 10,
    may: { 'create-issue': 1, 'ensure-label': 1 },
    help: agentHelp['health-report'],
  },
  'stale-gardener': {
    purpose: 'Marks issues that nobody speaks of, closes abandoned ones, labels the unlabelled.',
    triggers: [{ schedule: 'stale-gardener' }],
    model: 'none',
    turns: 10,
    may: { 'create-comment': 50, 'edit-labels': 50, 'close-issue': 50, 'ensure-label': 6, 'create-issue': 1 },
    help: agentHelp['stale-gardener'],
  },
  'doc-drift': {
    purpose:
      'Finds documentation that speaks of what is not there, and opens a pull request that corrects it.',
    triggers: [{ schedule: 'doc-drift' }],
    model: 'coder',
    turns: 10,
    may: { 'push-branch': 1, 'create-pull-request': 1, 'edit-labels': 1, 'ensure-label': 2 },
    help: agentHelp['doc-drift'],
  },
  'template-sync': {
    purpose: 'Brings over what changed in the template that the repository was made from.',
    triggers: [{ schedule: 'template-sync' }],
    model: 'none',
    turns: 0,
    may: {
      'push-branch': 1,
      'create-pull-request': 1,
      'create-issue': 1,
      'create-comment': 1,
      'edit-labels': 1,
      'ensure-label': 3,
    },
    help: agentHelp['template-sync'],
  },
};

/** Puts back what was done to labels without the right to. */
const keeperAllowance: EffectAllowance = { 'edit-labels': 1, 'create-comment': 1 };

export function allowanceOf(worker: WorkerName): EffectAllowance {
  return worker === 'label-keeper' ? keeperAllowance : agentTable[worker].may;
}

/** Whether an event of that kind wakes the agent as an order, which has to come from somebody who may give one. */
export function isOrderTo(worker: WorkerName, kind: EventKind): boolean {
  if (worker === 'label-keeper') return false;
  return agentTable[worker].triggers.some((one) => 'on' in one && one.on === kind && one.as === 'order');
}
