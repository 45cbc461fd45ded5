/** The manifest of auto-merge: its purpose, the events that start it, and the limits of what it may do. */
import { isOwnEvent } from '../../domain/fleet/effect-marker.ts';
import type { Manifest } from '../manifest.ts';

export const autoMergeManifest: Manifest<'auto-merge'> = {
  name: 'auto-merge',
  purpose: 'Merges pull requests that are reviewed, green, permitted by label and not held.',
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
    // A skipped or neutral check blocks nothing: it may have been the last one that a merge waited for. After a failed
    // one the pull request waits for a person, and lists show that.
    { on: 'workflow-completed', as: 'observation', when: 'always', forEach: 'pull-request-at-head' },
    { on: 'check-completed', as: 'observation', when: 'always', forEach: 'pull-request-at-head' },
  ],
  explains: ['pull-requests'],
  model: 'none',
  turns: 0,
  may: {
    // Two pull requests of a batch may break things; the others are merged before, between and after them.
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
    does: 'Merges a pull request, squashed, when all conditions hold: a person with write permission (or a listed program) set "auto-merge" at exactly this head commit, our review of exactly this head commit is clean, the checks are green, no review asks for changes, and no label holds it. It deletes the branch if the branch is one of ours. Several pull requests are tested together on the latest base, in batches of up to five; halving finds the one that breaks a batch, and it is left out.',
    stops:
      'It waits while a condition does not hold. The command gatewright explain NUMBER names every unmet condition and who can change it.',
    holdBack: 'Set "hold", "needs-review" or "blocked" on the pull request, or make it a draft.',
    never:
      'Merges a pull request from a fork, a change of files that steer agents or builds, a commit that was not reviewed, or a change that breaks the base.',
  },
};
