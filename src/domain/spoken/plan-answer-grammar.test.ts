/** An approval of a plan beside words that hold it back, in all encodings and constructs of Markdown: it is none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/property-runs.ts';
import { constructs, encodings, makePick, reservations } from '../../../test/support/reservation-grammar.ts';
import { isPlainOrder, readPlanAnswer } from './plan-approval.ts';

const approvals = [
  ...['@claude approve', 'LGTM', '/approve', 'approved', '@claude yes', 'Ship it', 'looks good to me'],
  ...['@claude implement', 'Approved, thanks!'],
];
const agrees = (text: string): boolean => ['approves', 'assents'].includes(readPlanAnswer(text, 'claude'));

const drawn = fc.record({
  approval: fc.constantFrom(...approvals),
  // Each letter by itself, this one is a list with a number.
  words: fc.constantFrom(...reservations.filter((words) => words !== '-1')),
  encoding: fc.constantFrom(...Object.keys(encodings)),
  other: fc.option(fc.constantFrom(...Object.keys(encodings)), { freq: 3 }),
  // No reader of a comment sees a comment of HTML: forges put their hints for writers there.
  construct: fc.constantFrom(...Object.keys(constructs).filter((name) => name !== 'a comment of HTML')),
  between: fc.constantFrom('\n\n', '\n', ' ', ', ', '. '),
  isFirst: fc.boolean(),
  seed: fc.nat(),
});

describe('an approval of a plan', () => {
  it('is one by itself', () => {
    for (const text of approvals) expect(agrees(text), text).toBe(true);
  });

  it('is none beside words that hold it back', () => {
    fc.assert(
      fc.property(drawn, ({ approval, words, encoding, other, construct, between, isFirst, seed }) => {
        const pick = makePick(seed);
        const encode = (name: string | null, text: string): string =>
          encodings[name ?? 'as it is']?.(text, pick) ?? text;
        const beside = constructs[construct]?.(encode(other, encode(encoding, words))) ?? '';
        const text = isFirst ? `${approval}${between}${beside}` : `${beside}${between}${approval}`;
        expect(agrees(text), text).toBe(false);
      }),
      { numRuns: isLong ? 60_000 : 600 },
    );
  });

  it.each([
    '!approve',
    '!approved',
    '@claude !approve',
    'Ship it !approved',
    '@claude !implement',
    '!!LGTM',
    '(!approved)',
  ])('is none with a sign for "not": %s', (text) => {
    expect(agrees(text)).toBe(false);
    expect(isPlainOrder(text, 'claude')).toBe(false);
  });
  it.each(['Approved!', 'Great! Approved!!', 'LGTM ! Thanks', 'Thanks!LGTM'])(
    'may be said loudly: %s',
    (text) => expect(agrees(text)).toBe(true),
  );

  it.each([
    '> `not yet`',
    '> ```\n> not yet\n> ```',
    '>     not yet',
    '> ![not yet](https://example.com/a.png)',
    '- > `no`',
  ])('is an answer to what it quotes, whatever that is: %j', (quote) => {
    for (const approval of ['LGTM', '@claude approve', 'yes'])
      expect(readPlanAnswer(`${quote}\n\n${approval}`, 'claude')).toBe('unclear');
  });
});
