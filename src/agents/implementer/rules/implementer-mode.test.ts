/** What the implementer does, case by case. */
import { describe, expect, it } from 'vitest';
import { chooseMode, type ImplementerFacts, isKeptByHold } from './implementer-mode.ts';

const nothingKnown: ImplementerFacts = {
  task: null,
  isSpoken: false,
  isMentioned: false,
  isPlanWanted: false,
  answer: null,
  isAnswerOutdated: false,
  isByProgram: false,
  isPullRequest: false,
  isOpen: true,
  isMerged: false,
  isHeld: false,
  isPlanning: false,
  hasOpenPlan: false,
  hasApprovedPlan: false,
  hasPullRequest: false,
  hasOtherPull: false,
  isOurs: false,
  obstacle: null,
};
const mention = { isSpoken: true, isMentioned: true };
const onPlan = { hasOpenPlan: true, isPlanning: true, isSpoken: true };
const onPull = { isPullRequest: true, isOurs: true };

/** `carry-out`, `carry-out approved`, `settle person`, `answer closed`, `nothing` … */
function modeOf(facts: Partial<ImplementerFacts>): string {
  const chosen = chooseMode({ ...nothingKnown, ...facts });
  switch (chosen.mode) {
    case 'carry-out':
      return chosen.approves ? 'carry-out approved' : 'carry-out';
    case 'settle':
      return `settle ${chosen.by}`;
    case 'answer':
      return `answer ${chosen.answer}`;
    default:
      return chosen.mode;
  }
}

describe('chooseMode', () => {
  it.each<[string, Partial<ImplementerFacts>, string]>([
    ['an issue that mentions it', { isMentioned: true }, 'carry-out'],
    ['an issue that is assigned to it', {}, 'carry-out'],
    ['a comment that mentions it', mention, 'carry-out'],
    ['a comment that does not', { isSpoken: true }, 'nothing'],
    ['an issue for planning', { isMentioned: true, isPlanning: true }, 'plan'],
    ['the label for planning', { isPlanWanted: true, isPlanning: true }, 'plan'],
    ['the label, again after an approval', { isPlanWanted: true, hasApprovedPlan: true }, 'plan'],
    ['the label, while a plan is open', { isPlanWanted: true, hasOpenPlan: true }, 'nothing'],
    ['a mention after an approval', { ...mention, isPlanning: true, hasApprovedPlan: true }, 'carry-out'],
    [
      'a mention on a merged pull request',
      { ...onPull, ...mention, isOpen: false, isMerged: true },
      'answer merged',
    ],
    ['a task on a merged pull request', { ...onPull, task: 'fix', isOpen: false, isMerged: true }, 'nothing'],
    ['a mention on a closed pull request', { ...onPull, ...mention, isOpen: false }, 'answer closed'],
    ['an approval', { ...onPlan, answer: 'approves' }, 'carry-out approved'],
    ['an approval by a program', { ...onPlan, answer: 'approves', isByProgram: true }, 'nothing'],
    [
      'an approval of an earlier plan',
      { ...onPlan, answer: 'approves', isAnswerOutdated: true },
      'answer plan-changed',
    ],
    ['an approval with a condition', { ...onPlan, answer: 'unclear' }, 'answer unclear'],
    ['a change to the plan', { ...onPlan, ...mention, answer: 'other' }, 'plan'],
    ['talk under a plan', { ...onPlan, answer: 'other' }, 'nothing'],
    ['an assignment under a plan', { hasOpenPlan: true }, 'nothing'],
    [
      'an approval while a pull request is open',
      { ...onPlan, answer: 'approves', hasPullRequest: true },
      'answer in-pull-request',
    ],
    [
      'a mention while a pull request is open',
      { ...mention, hasPullRequest: true },
      'answer in-pull-request',
    ],
    ['an assignment while a pull request is open', { hasPullRequest: true }, 'nothing'],
    ['a mention on a closed issue', { ...mention, isOpen: false }, 'answer closed'],
    ['an approval on a closed issue', { ...onPlan, answer: 'approves', isOpen: false }, 'nothing'],
    ['work to go on with', { task: 'continue' }, 'carry-out'],
    ['work to go on with, on a closed issue', { task: 'continue', isOpen: false }, 'nothing'],
    [
      'work to go on with, while a pull request is open',
      { task: 'continue', hasPullRequest: true },
      'nothing',
    ],
    ['work that is handed over', { task: 'start' }, 'carry-out'],
    ['work that is handed over for planning', { task: 'start', isPlanning: true }, 'plan'],
    ['corrections of an issue', { task: 'fix' }, 'nothing'],
    ['corrections', { ...onPull, task: 'fix' }, 'settle review'],
    ['corrections of a closed one', { ...onPull, task: 'fix', isOpen: false }, 'nothing'],
    ['corrections of somebody else’s', { ...onPull, isOurs: false, task: 'fix' }, 'nothing'],
    ['a wish on our pull request', { ...onPull, ...mention }, 'settle person'],
    ['a wish on a closed one', { ...onPull, ...mention, isOpen: false }, 'answer closed'],
    ['a wish on somebody else’s', { ...onPull, ...mention, isOurs: false }, 'settle person'],
    [
      'a wish on a fork’s',
      { ...onPull, ...mention, isOurs: false, obstacle: 'from-fork' },
      'answer from-fork',
    ],
    ['talk on a fork’s', { ...onPull, isSpoken: true, isOurs: false, obstacle: 'from-fork' }, 'nothing'],
    ['an order while somebody else’s is open', { ...mention, hasOtherPull: true }, 'answer other-pull'],
    ['going on while somebody else’s is open', { task: 'continue', hasOtherPull: true }, 'answer other-pull'],
    [
      'an approval while somebody else’s is open',
      { ...onPlan, answer: 'approves', hasOtherPull: true },
      'answer other-pull',
    ],
    ['talk while somebody else’s is open', { isSpoken: true, hasOtherPull: true }, 'nothing'],
    ['other tasks on a pull request', { ...onPull, task: 'continue' }, 'nothing'],
  ])('%s', (_name, facts, mode) => {
    expect(modeOf(facts)).toBe(mode);
  });
});

describe('isKeptByHold', () => {
  it.each<[string, Partial<ImplementerFacts>, boolean]>([
    ['a mention', mention, true],
    ['the label for planning', { isPlanWanted: true, isPlanning: true }, true],
    ['work to go on with', { task: 'continue' }, true],
    ['corrections', { ...onPull, task: 'fix' }, true],
    ['an approval', { ...onPlan, answer: 'approves' }, true],
    ['what is only answered', { ...mention, isOpen: false }, false],
    ['what is about nothing', { isSpoken: true }, false],
  ])('%s', (_name, facts, isKept) => {
    expect(isKeptByHold({ ...nothingKnown, ...facts, isHeld: true })).toBe(isKept);
    expect(isKeptByHold({ ...nothingKnown, ...facts })).toBe(false);
  });
});
