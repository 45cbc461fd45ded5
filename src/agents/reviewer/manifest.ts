/** The manifest of the reviewer: its purpose, the events that start it, and the limits of what it may do. */

import type { WakingFacts } from '../../domain/fleet/trigger.ts';
import type { Manifest } from '../manifest.ts';
import { readReviewCall } from './rules/review-call.ts';

/**
 * Whether a comment asks for a review that stopped, or for one of a pull request that none was begun of, such as one from
 * a fork on GitHub Actions. When the work has stopped as well, "continue" means the work.
 */
function asksForReview(text: string, { handle, history: { stopped, wokenBy } }: WakingFacts): boolean {
  const call = readReviewCall(text, handle);
  if (!stopped.includes('reviewer')) return call === 'review' && wokenBy.reviewer === undefined;
  return call === 'review' || (call === 'continue' && !stopped.includes('implementer'));
}

export const reviewerManifest: Manifest<'reviewer'> = {
  name: 'reviewer',
  purpose: 'Reviews every pull request.',
  triggers: [
    { on: 'pull-request-opened', as: 'observation', when: 'always' },
    { on: 'pull-request-synchronized', as: 'observation', when: 'always' },
    { on: 'pull-request-reopened', as: 'observation', when: 'always' },
    { on: 'pull-request-retargeted', as: 'observation', when: 'always' },
    {
      on: 'comment-created',
      as: 'order',
      isExact: true,
      when: 'it asks for "review" or "continue" after a review stopped, or for "review" where none was begun',
      asks: () => ['history'],
      decides: (event, facts) => event.isPullRequest && asksForReview(event.text, facts),
    },
  ],
  model: 'reviewer',
  turns: 5,
  may: { 'create-review': 1, 'create-comment': 5, 'edit-labels': 2, 'ensure-label': 2 },
  help: {
    does: 'Reads the whole change and posts one review of the head commit. Its first line is "## Issues Found" or "## No Issues"; minor points are listed apart as remarks. Each finding names file, line and severity, and keeps its id over later commits. On our own pull requests, a review with findings starts the implementer.',
    stops: 'It reviews each head commit once. A review of an older commit no longer counts.',
    holdBack: 'Dismiss a finding: it stays dismissed.',
    never: 'Approves in the name of a person, changes code, or merges.',
  },
};
