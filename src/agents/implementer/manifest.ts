/** The manifest of the implementer: its purpose, the events that start it, and the limits of what it may do. */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import type { EventOf } from '../../domain/fleet/event.ts';
import type { WakingFacts } from '../../domain/fleet/trigger.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { Manifest } from '../manifest.ts';
import { isCalledIn, isCalledInIssue } from './rules/called-in-event.ts';

/** Labels that say what kind of work an issue is. On an issue that mentions the agent, such a label is the order. */
const workLabels: ReadonlySet<string> = new Set<string>([
  ...[labelNames.bug, labelNames.feature, labelNames.enhancement, labelNames.chore],
  ...[labelNames.documentation, labelNames.security, labelNames.readyToImplement],
]);

function isWorkLabel({ isPullRequest, label }: EventOf<'labeled'>): boolean {
  return !isPullRequest && workLabels.has(label.toLowerCase());
}

/** Whether the text of the issue already counted as an order: opening an issue and assigning it is one order, not two. */
function isOrderedByText({ history }: WakingFacts): boolean {
  const kinds = history.wokenBy.implementer ?? [];
  return ['issue-opened', 'issue-assigned', 'labeled'].some((kind) => kinds.some((one) => one === kind));
}

/** Agents label issues too. Under a person's account it cannot be told which of the two set a label, so it orders nothing. */
function isSetByOwn({ actor }: EventOf<'labeled'>, own: string): boolean {
  return actor.toLowerCase() === own.toLowerCase();
}

export const implementerManifest: Manifest<'implementer'> = {
  name: 'implementer',
  purpose: 'Plans and implements issues, and fixes what reviews find.',
  triggers: [
    {
      on: 'issue-opened',
      as: 'order',
      when: 'its text mentions the agent',
      asks: () => ['history'],
      decides: (event, facts) => isCalledIn(event, facts.handle) && !isOrderedByText(facts),
    },
    {
      on: 'issue-assigned',
      as: 'order',
      when: 'it is assigned to the agent, or its text mentions the agent and was no order yet',
      asks: () => ['history'],
      // An assignment to a person is an order too if the issue mentions the agent, as opening it would have been; once.
      decides: (event, facts) =>
        event.assignee.toLowerCase() === facts.own.toLowerCase() ||
        (isCalledIn(event, facts.handle) && !isOrderedByText(facts)),
    },
    {
      on: 'labeled',
      as: 'order',
      when: 'the label is "planning"',
      decides: ({ isPullRequest, label }) => !isPullRequest && label.toLowerCase() === labelNames.planning,
    },
    {
      on: 'labeled',
      as: 'order',
      when: `the label is one of ${[...workLabels].map((name) => `"${name}"`).join(', ')}, and the text of the issue mentions the agent and was no order yet`,
      asks: (event, { own }) => (isWorkLabel(event) && !isSetByOwn(event, own) ? ['history', 'words'] : []),
      decides: (event, facts) =>
        isWorkLabel(event) &&
        !isSetByOwn(event, facts.own) &&
        isCalledInIssue(facts.words, facts.handle) &&
        !isOrderedByText(facts),
    },
    {
      on: 'comment-created',
      as: 'order',
      when: 'it mentions the agent, or answers its plan',
      asks: () => ['history'],
      decides: (event, { handle, history }) =>
        isCalledIn(event, handle) || (!event.isPullRequest && history.hasOpenPlan),
    },
    {
      on: 'review-submitted',
      as: 'order',
      when: 'it mentions the agent, or a comment on a line does',
      asks: (event, { handle }) => (isCalledIn(event, handle) ? [] : ['remarks']),
      decides: (event, { handle, remarks }) =>
        isCalledIn(event, handle) ||
        remarks.some((remark) => !carriesMarker(remark) && mentions(remark, handle)),
    },
    {
      on: 'pull-request-closed',
      as: 'observation',
      when: 'it was merged: pull requests of ours may conflict with their base now',
      decides: ({ isMerged }) => isMerged,
    },
    {
      on: 'base-pushed',
      as: 'observation',
      when: 'always',
    },
  ],
  explains: ['issues', 'pull-requests'],
  model: 'coder',
  turns: 50,
  planTurns: 25,
  // Each stop of a run takes its working label off and each resumption sets it again; unfinished work is pushed early.
  may: {
    'create-comment': 10,
    'edit-labels': 24,
    'ensure-label': 5,
    'push-branch': 24,
    'create-pull-request': 1,
    'create-issue': 1,
    'close-issue': 1,
  },
  handsOnPullRequests: true,
  help: {
    does: 'Reads the issue and the code. With the label "planning" it changes nothing and posts a plan that says how to approve it; a reply that asks for changes gets a new plan. Without that label, or after a person with write permission approved that plan, it works in its own working copy, runs the command that verifies the work, and opens a pull request that closes the issue and carries exactly one risk label. It fixes the findings of a review on the same branch. After a merge and after a push to the default branch it looks at the pull requests of ours that are open, 50 at most. When one conflicts with its base, it merges the base into the branch and settles the conflicts; the result is checked and reviewed like any other work.',
    stops:
      'When its turns are used up it continues by itself, twice at most. Then it comments on the issue how far it came and tags a person; its work is on a branch, finished or not. After two rounds of fixing findings it lists what is left and tags the author. It brings a pull request up to date twice at most; then, and for conflicts that only a person can settle, it lists the files and tags a person. It also stops when the issue is closed or the budget is spent.',
    holdBack:
      'It starts only on an order: a mention, an assignment, the label "planning", or a label for a kind of work on an issue that mentions it, from a person with write permission or a listed program. Set "planning" to get a plan first. Close the issue to end its work.',
    never:
      'Gets a credential of the forge, pushes, merges, or follows quotes, code, edited comments or people without write permission. Gatewright itself checks, commits and pushes what the coding agent left in the working copy.',
  },
};
