/** The edges of what is taken for an approval of a plan: whom a plea is said to, what is quoted, how little is too little. */
import { describe, expect, it } from 'vitest';
import { isPlainOrder, isPolite, readPlanAnswer } from './plan-approval.ts';

const answer = (text: string) => readPlanAnswer(text, 'gatewright');

describe('"approve" that is said to others', () => {
  it.each([
    ...[
      'Please approve',
      'pls approve',
      'plz approve',
      'Kindly approve',
      'approve now pls',
      'approve, kindly',
    ],
    ...['LGTM. Please, approve.', 'Please! Approve this plan.', 'approve. Please!'],
    ...['Team approve', 'All approve', 'Everyone approve', 'Folks approve', 'hi team approve'],
    ...['hey everyone, approve', 'Hello all. Approve.', 'good morning team, approve'],
    ...['please team approve', 'now team approve', 'so folks approve', 'and all approve', 'then all approve'],
    ...[
      'team please approve',
      'team now approve',
      'team then approve',
      'team kindly approve',
      'team pls approve',
    ],
    ...['team plz approve', 'hi hey team approve', 'team now then approve'],
  ])('%s', (text) => expect(answer(text)).toBe('unclear'));
  it.each([
    ...['Approve', 'approve all of it'.slice(0, 7), 'Please go ahead and implement', 'please implement it'],
    ...['I approve, please implement it', 'I hereby approve, please', '/approve please', 'approve now'],
    ...['LGTM team', 'Great work team, approved', 'Approved, everyone', 'approve. Great plan, all good'],
    ...['@gatewright please approve', '@gatewright team approve', 'nice team approve'.slice(10)],
  ])('but not: %s', (text) => expect(answer(text)).toBe('approves'));
});

describe('an answer to what is quoted', () => {
  it.each([
    ['> Shall this be carried out?\n\nyes', 'assents'],
    ['> Shall this\n> be carried\n> out?\n\nyes', 'assents'],
    ['> a **Shall this be carried out?** b\n\nyes', 'assents'],
    ['> Shall this be carried\n\nyes', 'unclear'],
    ['> one\n\n> two\n\nok', 'unclear'],
    ['> \n\nyes', 'assents'],
    ['> Should it be dropped?\n\nApprove', 'unclear'],
    ['Approve\n\n> Should it be dropped?', 'unclear'],
    ['> Shall this be carried out?\n\nApprove', 'approves'],
    ['> \n\nApprove', 'approves'],
    ['> &nbsp;\n\nyes', 'assents'],
    ['> Shall this be\n>\n> carried out?\n\nyes', 'assents'],
    ['> **Shall** this be carried out?\n\nyes', 'assents'],
    // A mail that is quoted as a whole: a yes may answer it, and what names the approval does not.
    ['yes\n\nOn 16.11.2026 Bob wrote:\n\n> Should it be dropped?', 'unclear'],
    ['Approve\n\nOn 16.11.2026 Bob wrote:\n\n> Should it be dropped?', 'approves'],
  ])('%j is %s', (text, expected) => expect(answer(text)).toBe(expected));
});

describe('more may be said than is read', () => {
  it.each(['approve', 'yes', '👍'])('%s is a question then', (text) => {
    expect(answer(`${text}\n\n> [!NOTE]\n> only step one`)).toBe('unclear');
    expect(answer(`---\nonly: one\n---\n${text}`)).toBe('unclear');
  });
  it('and what agrees to nothing stays what it is', () =>
    expect(answer('hm\n\n> [!NOTE]\n> only step one')).toBe('other'));
});

describe('what says too little', () => {
  it.each([
    ['~~approve~~', 'unclear'],
    ['~~APPROVE~~', 'unclear'],
    ['- [ ] approve', 'unclear'],
    ['<del>approve</del>', 'unclear'],
    ['~~approve~~ hm', 'unclear'],
    ['~~approve~~ hm hm', 'other'],
    ['~~approve~~ hm. hm', 'other'],
    ['~~approve~~ … hm', 'unclear'],
    ['~~approve~~ abcdefghijk', 'unclear'],
    ['~~approve~~ abcdefghijkl', 'other'],
    ['~~approve~~ 123456789012', 'other'],
    ['~~hm~~', 'other'],
    [`~~${'x '.repeat(110)}approve~~`, 'other'],
    [`~~${'x '.repeat(60)}approve~~`, 'unclear'],
    ['@gatewright', 'unclear'],
    ['@gatewright thanks', 'unclear'],
    ['@gatewright nice work team', 'unclear'],
    ['@gatewright hm', 'unclear'],
    ['@gatewright hm hm', 'other'],
    ['@gatewright abcdefghijk', 'unclear'],
    ['@gatewright abcdefghijkl', 'other'],
    ['@gatewright 🤷', 'unclear'],
    ['hm', 'other'],
    ['nice work', 'other'],
    ['🤷', 'other'],
  ])('%s: %s', (text, expected) => expect(answer(text)).toBe(expected));
});

describe('a yes that goes on', () => {
  it.each([
    ['ok, thanks', 'unclear'],
    ['okay thanks', 'unclear'],
    ['ok', 'assents'],
    ['ok great', 'assents'],
    ['yes thanks', 'assents'],
    ['ok yes thanks', 'assents'],
    ['👍 thanks', 'other'],
    ['👍 🎉', 'other'],
    ['🎉', 'other'],
    ['no', 'unclear'],
    ['sure thing, later', 'unclear'],
    ['of course not', 'other'],
    ['yes but later', 'unclear'],
    ['ok but later', 'unclear'],
    ['okay but later', 'unclear'],
    ['of course but later', 'unclear'],
    ['works for me but later', 'unclear'],
    ['we look at it later', 'other'],
    ['thanks but later', 'other'],
  ])('%s: %s', (text, expected) => expect(answer(text)).toBe(expected));
});

it.each([
  ['Thanks!', true],
  ['nice work', true],
  ['Thank you, nice work', true],
  ['nice work, but not yet', false],
  ['approve', false],
  ['ok', false],
])('%s is polite and nothing else: %s', (text, expected) =>
  expect(isPolite(text, 'gatewright')).toBe(expected),
);

describe('an order', () => {
  it.each(['@gatewright start', '@gatewright do it on this'.slice(0, 17), '@gatewright continue please'])(
    '%s is one, and no change to the plan',
    (text) => {
      expect(isPlainOrder(text, 'gatewright')).toBe(true);
      expect(answer(text)).not.toBe('approves');
    },
  );
  it.each(['@gatewright start now', '@gatewright go on', '@gatewright carry on, thanks'])(
    '%s is "other"',
    (text) => expect(answer(text)).toBe('other'),
  );
  it('has up to forty words and twenty sentences', () => {
    const times = (count: number, word: string): string => Array<string>(count).fill(word).join(' ');
    expect(isPlainOrder(`@gatewright ${times(40, 'start')}`, 'gatewright')).toBe(true);
    expect(isPlainOrder(`@gatewright ${times(41, 'start')}`, 'gatewright')).toBe(false);
    expect(isPlainOrder(`@gatewright ${times(20, 'Start.')}`, 'gatewright')).toBe(true);
    expect(isPlainOrder(`@gatewright ${times(21, 'Start.')}`, 'gatewright')).toBe(false);
  });
});
