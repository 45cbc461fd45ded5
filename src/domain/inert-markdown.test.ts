import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inertLine } from './inert-markdown.ts';
import { collectNodes, parseMarkdown, plainText } from './markdown.ts';

describe('inertLine', () => {
  it.each([
    ['a name', 'ask @alice', 'ask @&#8203;alice'],
    ['a name in disguise', 'ask &#64;alice', 'ask &amp;\\#&#8203;64;alice'],
    ['a number', 'as in #12 and gh-7', 'as in \\#&#8203;12 and gh-&#8203;7'],
    ['an address', 'https://example.org', 'https:&#8203;//example.org'],
    ['a heading and a box', '# x\n- [ ] y', '\\# x - \\[ \\] y'],
    ['more than fits', 'abcdef', 'abc…'],
  ])('takes the meaning of %s', (name, text, shown) =>
    expect(inertLine(text, name === 'more than fits' ? 4 : 100)).toBe(shown),
  );

  it('leaves nothing that a forge would act on, and the same words', () => {
    const word = fc.constantFrom(
      '@a',
      '#1',
      'GH-2',
      '&',
      'http://x.y',
      '`',
      '[b](c)',
      '<d>',
      '\n# ',
      ' ',
      'e',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const root = parseMarkdown(`- x ${inertLine(words.join(' '))}`);
        const shown = plainText(root);
        expect(shown).not.toMatch(/@\w|#\d|GH-\d|:\/\//iu);
        for (const kind of ['link', 'html', 'inlineCode', 'heading'] as const)
          expect(collectNodes([root], kind)).toEqual([]);
        expect(shown.replaceAll('\u200B', '').replace(/\s+/gu, ' ').trim()).toBe(
          `x ${words.join(' ')}`.replace(/\s+/gu, ' ').trim(),
        );
      }),
    );
  });
});
