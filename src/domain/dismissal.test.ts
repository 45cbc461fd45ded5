import { describe, expect, it } from 'vitest';
import { readDismissals } from './dismissal.ts';

const a = '3f9a0c11d2';
const b = 'aaaaaaaaaa';

describe('readDismissals', () => {
  it.each<[string, [string, string][]]>([
    [`@claude dismiss ${a}`, [[a, '']]],
    [`@Claude, please dismiss ${a.toUpperCase()}.`, [[a, '']]],
    [`@claude dismiss ${a} because the list is never empty.`, [[a, 'the list is never empty.']]],
    [
      `@claude dismiss ${a}, ${b} and ${a} because of both`,
      [
        [a, 'of both'],
        [b, 'of both'],
      ],
    ],
    [
      `@claude dismiss ${a}, ${b} because both are meant`,
      [
        [a, 'both are meant'],
        [b, 'both are meant'],
      ],
    ],
    [
      `Two things.\n\n- @claude dismiss ${a}\n- @claude dismiss ${b} as it is tested`,
      [
        [a, ''],
        [b, 'it is tested'],
      ],
    ],
    [
      `@claude dismiss ${a}. @claude dismiss ${b}.`,
      [
        [a, ''],
        [b, ''],
      ],
    ],
  ])('reads %j', (text, expected) => {
    expect(readDismissals(text, 'claude').map(({ finding, why }) => [finding, why])).toEqual(expected);
  });

  it.each([
    ['nobody is called', `dismiss ${a}`],
    ['somebody else is called', `@claudette dismiss ${a}`],
    ['it is denied', `@claude do not dismiss ${a}`],
    ['it is denied before the call', `I would not @claude dismiss ${a}`],
    ['it is a condition', `@claude dismiss ${a} if you like`],
    ['it is a question', `@claude dismiss ${a}?`],
    ['it is quoted', `> @claude dismiss ${a}`],
    ['it is code', `\`@claude dismiss ${a}\``],
    ['it is a block of code', `\`\`\`\n@claude dismiss ${a}\n\`\`\``],
    ['it is hidden', `<!-- @claude dismiss ${a} -->`],
    ['there is no identity', '@claude dismiss everything'],
    ['the identity is too short', '@claude dismiss 3f9a'],
    ['the identity goes on', `@claude dismiss ${a}ff`],
    ['the reason names another', `@claude fix ${a} because nobody wrote @claude dismiss ${b}`],
  ])('dismisses nothing when %s', (_, text) => {
    expect(readDismissals(text, 'claude')).toEqual([]);
  });

  it.each([
    'it is fine?',
    'it is fine, unless Bob objects',
    'it is fine, only if it is tested',
    'it is fine, only when it is tested',
    'it is fine, only after a test',
    'it is fine, only once it is tested',
    'it is fine, but if it is not',
    'it is fine if you like',
    'it is fine if we like',
    'it is fine if they agree',
    'it is fine if he agrees',
    'it is fine if she agrees',
    'it is fine if everybody agrees',
    'it is fine if everyone agrees',
    'it is fine if somebody looks',
    'it is fine if nobody objects',
    'it is fine if bob agrees',
    'it is fine if they agree',
    'it is fine, but only there',
    'it is fine, but not there',
    'it is fine, but wait',
    'it is fine, but first test it',
    'it is fine, but please test it',
    "it is fine, but don't do it",
    'it is fine, but do not do it',
    'it is fine, but I doubt it',
    'it is fine, but let it be',
    'it is fine, not yet',
    'it is fine, just kidding',
    'it is fine /s',
    '/s',
    '`code`',
    '~~it is fine~~',
    '<del>it is fine</del>',
  ])('dismisses nothing because %s', (why) =>
    expect(readDismissals(`@claude dismiss ${a} because ${why}`, 'claude')).toEqual([]),
  );

  it.each([
    ['it is ugly but works', 'it is ugly but works'],
    ['`x` is only reached if it is set', '… is only reached if it is set'],
    ['we know', 'we know'],
    ['it said "no" before', 'it said "no" before'],
    ['Bob &amp; I looked', 'Bob & I looked'],
  ])('keeps the reason %s', (why, kept) =>
    expect(readDismissals(`@claude dismiss ${a} since ${why}`, 'claude')).toEqual([
      { finding: a, why: kept },
    ]),
  );

  it.each(['please', 'thanks', 'thank you'])('may end with %s', (words) =>
    expect(readDismissals(`@claude dismiss ${a}, ${words}!`, 'claude')).toEqual([{ finding: a, why: '' }]),
  );

  it('is in plain letters', () => {
    expect(readDismissals(`@claude di\u017Fmiss ${a}`, 'claude')).toEqual([]);
    expect(readDismissals(`@claude dismiss ${a} because it is \u017Fine`, 'claude')).toHaveLength(1);
  });

  it('keeps a long reason short', () => {
    const [one] = readDismissals(`@claude dismiss ${a} because ${'x'.repeat(9000)}`, 'claude');
    expect(one?.why).toHaveLength(500);
  });
});
