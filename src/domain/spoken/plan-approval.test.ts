/** Nothing but a plain yes starts work: doubts, conditions, quotes and look-alikes do not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainOrder, readPlanAnswer } from './plan-approval.ts';

const answer = (text: string) => readPlanAnswer(text, 'gatewright');

describe('readPlanAnswer', () => {
  it.each([
    'approve',
    'Approved!',
    '@gatewright approve',
    '@gatewright: approved, thanks!',
    'Go ahead and implement',
    'go ahead and implement it.',
    'LGTM — please implement the plan',
    'Yes, proceed with the plan.',
    'Great work 🎉 Approved.'.replace('Great work', 'Nice work!'),
    'I approve this plan',
    'The plan is approved.',
    '**Approve**',
    'Ship it! 🚢',
    'OK\n\n@gatewright please implement it',
  ])('takes "%s" as an approval', (text) => expect(answer(text)).toBe('approves'));

  it.each(['Looks good, go ahead.', 'yes', 'Yes please!', '@gatewright ok', '👍', ':+1:', '+1'])(
    'takes "%s" as a yes',
    (text) => expect(answer(text)).toBe('assents'),
  );

  it.each([
    'do not implement',
    "don't implement this",
    'disapprove',
    'I disapprove.',
    "I'd approve if the tests ran",
    'I would approve this if it were smaller',
    'approve?',
    'Should we approve this?',
    'Not approved',
    'Approved, but rename the table first',
    'Approve. Also add an index.',
    'go ahead and implement the other one',
    'Please do not go ahead',
    'never proceed without tests',
    'implementing this would be wrong',
    'I approve of the idea in general',
    'approved by nobody',
    'un-approve',
    'approve `step 1`',
    'approve ![only this](a.png)',
    'approve\n\n```\nonly step 1\n```',
    'approve\n\n    only step 1',
    'approve\n\n| step |\n|---|\n| 1 |',
  ])('does not take "%s" as one, and asks', (text) => expect(answer(text)).toBe('unclear'));

  it.each([
    '',
    '> approve',
    '`approve`',
    '```\napprove\n```',
    '    approve',
    '<!-- approve -->',
    'Please use a queue instead',
    'thanks',
    '| a |\n|---|\n| approve |',
    '![approve](x.png)',
    '@gatewright what about Windows?',
  ])('sees no approval at all in "%s"', (text) => expect(answer(text)).toBe('other'));

  it.each(['yes', '@gatewright yes', '👍', 'go ahead'])(
    'takes "%s" as an answer to what is quoted',
    (text) => {
      expect(answer(`> Should the table be dropped?\n\n${text}`)).toBe('unclear');
      expect(
        answer(`> Should the table be dropped?\n>\n> **Shall this be\n> carried out?**\n\n${text}`),
      ).toBe('assents');
      expect(answer(text)).toBe('assents');
    },
  );

  it('is not fooled by letters that only look alike', () => {
    expect(answer('аpprove')).not.toBe('approves');
    expect(answer('app\u200Brove')).not.toBe('approves');
  });

  it('approves nothing that has a negation in it', () => {
    const words = fc.constantFrom(
      'approve',
      'go ahead',
      'implement it',
      'proceed',
      'the plan',
      'thanks',
      'ok',
    );
    const negation = fc.constantFrom('not', "don't", 'never', 'no', 'if', 'unless', 'but', 'after', 'cannot');
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 4 }),
        negation,
        fc.array(words, { maxLength: 4 }),
        (a, no, b) => {
          expect(answer([...a, no, ...b].join(' '))).not.toBe('approves');
        },
      ),
    );
  });
});

describe('isPlainOrder', () => {
  it.each([
    '@claude',
    '@claude please do this now',
    '@claude do it',
    'Thanks! @claude, go on.',
    '@claude please start now',
    '@claude continue',
    '@claude get started, please',
    '@claude work on this now',
    '@claude approve. Start now.',
    // A quote is somebody else's words.
    '@claude now\n\n> do it not',
  ])('is one: %s', (text) => expect(isPlainOrder(text, 'claude')).toBe(true));
  it.each([
    'please do this now',
    '@claude do not do this now',
    "@claude don't start",
    '@claude do this now?',
    '@claude start when bob agrees',
    '@claude do this, but with tabs',
    '@claude do `this`',
    '> @claude do this now',
    '@claude never do this',
    '@claude stop',
    '@claude what about step 2',
    '@claude do this tomorrow',
  ])('is none, or says more: %s', (text) => expect(isPlainOrder(text, 'claude')).toBe(false));
});

describe('the ends of what is understood', () => {
  const times = (count: number, word: string): string => Array<string>(count).fill(word).join(' ');
  it.each([
    ['forty words', times(40, 'approve'), 'approves'],
    ['one word more', times(41, 'approve'), 'unclear'],
    ['twenty sentences', times(20, 'Approved.'), 'approves'],
    ['one sentence more', times(21, 'Approved.'), 'unclear'],
    ['forty times yes', times(40, 'yes'), 'assents'],
    ['once more', times(41, 'yes'), 'other'],
  ])('%s', (_, text, expected) => expect(answer(text)).toBe(expected));

  it.each([
    // Said to the person who is to approve.
    ['Please approve', 'unclear'],
    ['Approve please', 'unclear'],
    ['Approve this please', 'unclear'],
    ['approve the plan please', 'unclear'],
    ['LGTM. Please approve.', 'unclear'],
    // Said to us.
    ['@gatewright please approve', 'approves'],
  ])('"%s": %s, by whom it is said to', (text, expected) => expect(answer(text)).toBe(expected));

  it.each([
    ['👍 👍', 'assents'],
    ['👍 🚀', 'assents'],
    ['👍 🤷', 'other'],
    ['👍❓', 'other'],
    ['👍 ❌', 'unclear'],
  ])('signs count together: %s is %s', (text, expected) => expect(answer(text)).toBe(expected));

  it.each([
    ['~~approve~~', 'unclear'],
    ['~~Approve~~ hm', 'unclear'],
    // One word of up to eleven letters changes no plan; more may.
    ['@gatewright abcdefghijk', 'unclear'],
    ['@gatewright abcdefghijkl', 'other'],
    ['@gatewright …', 'unclear'],
  ])('what says too little to change a plan: %s is %s', (text, expected) =>
    expect(answer(text)).toBe(expected),
  );
});
