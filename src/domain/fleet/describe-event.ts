/** An event in a few words: for lists, what a run was for; for the live output of `watch` and `serve`, who did what. */
import type { EventKind, FleetEvent } from './event.ts';

type Words = {
  readonly [K in EventKind]: (event: Extract<FleetEvent, { kind: K }>, about: string) => string;
};

const handedOn = {
  start: 'the next step of',
  continue: 'unfinished work on',
  fix: 'findings on',
  update: 'a conflict of',
} as const;

const occasions: Words = {
  'issue-opened': (_, about) => `the new issue ${about}`,
  'issue-assigned': (_, about) => `the assignment of ${about}`,
  labeled: ({ label }, about) => `the label "${label}" on ${about}`,
  unlabeled: ({ label }, about) => `the label "${label}" taken off ${about}`,
  'comment-created': (_, about) => `a comment on ${about}`,
  'review-submitted': (_, about) => `a review of ${about}`,
  'review-dismissed': (_, about) => `a review of ${about} that does not count any more`,
  'pull-request-opened': (_, about) => `the new pull request ${about}`,
  'pull-request-synchronized': (_, about) => `a push to ${about}`,
  'pull-request-reopened': (_, about) => `the reopened pull request ${about}`,
  'pull-request-ready': (_, about) => `the draft ${about} that is ready now`,
  'pull-request-retargeted': (_, about) => `the new base of ${about}`,
  'pull-request-dequeued': (_, about) => `${about} leaving the merge queue`,
  'pull-request-closed': (_, about) => `the closed pull request ${about}`,
  'workflow-completed': ({ conclusion, head }, about) =>
    `a ${conclusion === 'success' ? 'green' : conclusion === 'failure' ? 'failed' : 'finished'} build of ${about || head.slice(0, 12)}`,
  'check-completed': ({ name, head }, about) => `the check "${name}" of ${about || head.slice(0, 12)}`,
  'base-pushed': ({ branch }) => `a push to ${branch}`,
  'schedule-due': () => 'its schedule',
  'handed-on': ({ task }, about) => `${handedOn[task]} ${about}`,
};

const deeds: Words = {
  'issue-opened': (_, about) => `opened issue ${about}`,
  'issue-assigned': ({ assignee }, about) => `assigned ${about} to ${assignee}`,
  labeled: ({ label }, about) => `set "${label}" on ${about}`,
  unlabeled: ({ label }, about) => `took "${label}" off ${about}`,
  'comment-created': (_, about) => `commented on ${about}`,
  'review-submitted': (_, about) => `reviewed ${about}`,
  'review-dismissed': (_, about) => `dismissed a review of ${about}`,
  'pull-request-opened': (_, about) => `opened pull request ${about}`,
  'pull-request-synchronized': ({ head }, about) => `pushed ${head.slice(0, 12)} to ${about}`,
  'pull-request-reopened': (_, about) => `reopened pull request ${about}`,
  'pull-request-ready': (_, about) => `called ${about} ready`,
  'pull-request-retargeted': ({ base }, about) => `moved ${about} to the base ${base}`,
  'pull-request-dequeued': (_, about) => `took ${about} out of the merge queue`,
  'pull-request-closed': ({ isMerged }, about) => `${isMerged ? 'merged' : 'closed'} pull request ${about}`,
  'workflow-completed': ({ name, conclusion }) => `build ${name}: ${conclusion}`,
  'check-completed': ({ name, conclusion }) => `check ${name}: ${conclusion}`,
  'base-pushed': ({ branch, head }) => `pushed ${head.slice(0, 12)} to ${branch}`,
  'schedule-due': ({ schedule }) => `${schedule} is due`,
  'handed-on': ({ to, task }, about) => `handed ${handedOn[task]} ${about} to ${to}`,
};

function say(words: Words, event: FleetEvent, about: string): string {
  // Each kind has its own words; the compiler cannot follow that the two belong together.
  const tell = words[event.kind] as (event: FleetEvent, about: string) => string;
  return tell(event, about);
}

function numberOf(event: FleetEvent): number | null {
  return 'number' in event ? event.number : null;
}

/** What a run is for. The number is the one that the run is about: a build speaks of a commit, merging of a pull request. */
export function describeOccasion(event: FleetEvent, number = numberOf(event)): string {
  return say(occasions, event, number === null ? '' : `#${number}`);
}

/**
 * Events of clocks and machines: the actor of such an event only set the machine going, so the text does not name them.
 */
function isMechanical({ kind }: FleetEvent): boolean {
  return kind === 'schedule-due' || kind === 'workflow-completed' || kind === 'check-completed';
}

/** Who did what. Names and labels are as they came: escape them on screen. */
export function describeDeed(event: FleetEvent): string {
  const number = numberOf(event);
  const deed = say(deeds, event, number === null ? '' : `#${number}`);
  return isMechanical(event) ? deed : `${event.actor} ${deed}`;
}
