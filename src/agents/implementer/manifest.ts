/** What implementer is for, what wakes it and how far it may go. */

import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { Manifest, WakingFacts } from '../manifest.ts';
import { isCalledIn } from './rules/called-in-event.ts';

/** Whether the words of the issue were carried out as an order before: opening and assigning it is one order. */
function isOrderedByText({ history }: WakingFacts): boolean {
  const kinds = history.wokenBy.implementer ?? [];
  return kinds.includes('issue-opened') || kinds.includes('issue-assigned');
}

export const implementerManifest: Manifest<'implementer'> = {
  name: 'implementer',
  purpose: 'Plans work on an issue if asked to, carries it out, and settles what a review found.',
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
      when: 'it is assigned to the agent, or its text mentions it and was no order yet',
      asks: () => ['history'],
      // Assigning it to somebody is an order when the issue calls us, as opening it would have been; once.
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
      when: 'it mentions the agent, or a remark on a line does',
      asks: (event, { handle }) => (isCalledIn(event, handle) ? [] : ['remarks']),
      decides: (event, { handle, remarks }) =>
        isCalledIn(event, handle) ||
        remarks.some((remark) => !carriesMarker(remark) && mentions(remark, handle)),
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
    'ensure-label': 4,
    'push-branch': 24,
    'create-pull-request': 1,
  },
  handsOnPullRequests: true,
  help: {
    does: 'Reads the issue and the code. With the label "planning" it changes nothing and posts a plan that says how to approve it; answering with what should be different gets another plan. Without that label, or once somebody permitted has approved that very plan, it works in a worktree of its own, runs the verifying command, and opens a pull request that closes the issue and carries exactly one risk label. When a review finds something, it settles that on the same branch.',
    stops:
      'When its turns are used up it goes on by itself, twice at most; after that it says on the issue how far it came and tags a person. What it had is on a branch by then, finished or not. After two rounds of settling what reviews found it sums up what is left and tags the author. It also stops when the issue is closed or the budget is spent.',
    holdBack:
      'It works only when it is called: by a mention, an assignment or "planning", from a person with write permission or a listed program. Ask for a plan first with "planning". Closing the issue ends its work.',
    never:
      'Holds a credential of the forge, pushes, merges, or obeys quotes, code, edited comments and people without write permission. What it left in its worktree is looked through, committed and pushed by Gatewright.',
  },
};
