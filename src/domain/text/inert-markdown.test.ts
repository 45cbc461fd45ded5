import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { listClosingReferences } from '../forge/closing-references.ts';
import { mentions } from '../spoken/spoken-text.ts';
import { inertCode, inertLine, inertProse } from './inert-markdown.ts';
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

const hostile = [
  ...[
    '@claude ',
    '@octo-team/all',
    '#12',
    'Closes #3',
    'fixes #4 ',
    'GH-5',
    'o/r#6',
    '&#64;claude',
    '&commat;x',
  ],
  ...[
    '# Heading',
    '\n\n## Heading\n\n',
    '```',
    '`',
    '``',
    '~~~\n',
    '<img src=x>',
    '<!--',
    '-->',
    '[a](http://x)',
  ],
  ...[
    '![i](http://x)',
    'https://evil.example/x',
    'www.evil.example',
    '| a | b |\n|---|---|\n',
    '> q\n',
    '\n- [ ] ',
  ],
  ...['\n===\n', '\n---\n', '\\', '\u202e', '\u0000', '\t', ' ', 'word', '\r\n', '$x$', '*b*', '_i_'],
];

/** Node types that a text of others must never make. */
const forbidden = [
  'heading',
  'link',
  'image',
  'linkReference',
  'imageReference',
  'definition',
  'table',
  'code',
  'blockquote',
];

function expectInert(markdown: string): void {
  const root = parseMarkdown(markdown);
  for (const type of forbidden) expect(collectNodes([root], type as Nodes['type'])).toEqual([]);
  expect(collectNodes([root], 'html')).toEqual([]);
  for (const node of collectNodes([root], 'text'))
    expect(node.value).not.toMatch(/[@#]\w|\bGH-\d|https?:\/\//iu);
  expect(mentions(markdown, 'claude')).toBe(false);
  expect(listClosingReferences(markdown)).toEqual([]);
}

describe('words of others', () => {
  it.each([
    ['inertProse', inertProse],
    ['inertCode', inertCode],
  ])('%s makes nothing of them', (_, make) => {
    fc.assert(
      fc.property(hostileText(hostile), (text) => expectInert(`Before ${make(text)} after`)),
      { numRuns: 300 },
    );
  });

  it('keeps what is meant', () => {
    expect(inertProse('use `npm ci` here, not *there*')).toBe('use `npm ci` here, not \\*there\\*');
    expect(inertCode('a`b')).toBe('``a`b``');
    expect(inertCode('a\nb')).toBe('`a b`');
    expect(inertProse('one\ntwo')).toBe('one\n\ntwo');
  });
});
