/** What auto-merge is for, what wakes it and how far it may go. */
import { isOwnEvent } from '../../domain/fleet/effect-marker.ts';
import type { Manifest } from '../manifest.ts';

export const autoMergeManifest: Manifest<'auto-merge'> = {
  name: 'auto-merge',
  purpose: 'Merges what is reviewed, green, labelled for it by somebody who may, and held by nobody.',
  triggers: [
    {
      on: 'review-submitted',
      as: 'observation',
      when: 'it is not one of ours',
      // A review of our own was handed on to this agent by the run that wrote it.
      decides: (event, { own }) => !isOwnEvent(event, own),
    },
    { on: 'review-dismissed', as: 'observation', when: 'always' },
    { on: 'pull-request-ready', as: 'observation', when: 'always' },
    { on: 'pull-request-retargeted', as: 'observation', when: 'always' },
    { on: 'pull-request-dequeued', as: 'observation', when: 'always' },
    {
      on: 'pull-request-closed',
      as: 'observation',
      when: 'the merge queue of the forge merged what this agent handed over',
      asks: ({ isMerged }) => (isMerged ? ['history'] : []),
      decides: ({ isMerged, head }, { history }) => isMerged && history.handedHeads.includes(head),
    },
    {
      on: 'labeled',
      as: 'observation',
      when: 'it is a pull request',
      decides: ({ isPullRequest }) => isPullRequest,
    },
    {
      on: 'unlabeled',
      as: 'observation',
      when: 'it is a pull request',
      decides: ({ isPullRequest }) => isPullRequest,
    },
    // What was skipped or is neither good nor bad stands in nobody's way: it may have been the last that was waited for.
    {
      on: 'workflow-completed',
      as: 'observation',
      when: 'it did not fail',
      decides: ({ conclusion }) => conclusion !== 'failure',
      forEach: 'pull-request-at-head',
    },
    {
      on: 'check-completed',
      as: 'observation',
      when: 'it did not fail',
      decides: ({ conclusion }) => conclusion !== 'failure',
      forEach: 'pull-request-at-head',
    },
  ],
  explains: ['pull-requests'],
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
  help: {
    does: 'Merges a pull request, squashed, when all of this holds, and deletes its branch if it is one of ours: "auto-merge" was set by somebody who may at exactly this head commit, our review of exactly this head commit is clean, the checks are green, nobody asked for changes, and nothing holds it. Several at once are tested together on the latest base, in batches of up to five; one that spoils a batch is found by halving and left out.',
    stops:
      'While anything of that is missing it waits: gatewright explain NUMBER names every unmet condition and who can change it.',
    holdBack: 'Set "hold", "needs-review" or "blocked" on the pull request, or make it a draft.',
    never:
      'Merges a pull request from a fork, what steers agents or builds, anything that was not reviewed as it is, or something that makes the base red.',
  },
};
