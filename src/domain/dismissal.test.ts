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

  it('keeps a long reason short', () => {
    const [one] = readDismissals(`@claude dismiss ${a} because ${'x'.repeat(9000)}`, 'claude');
    expect(one?.why).toHaveLength(500);
  });
});
