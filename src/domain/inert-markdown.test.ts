/** Whatever somebody wrote, in our comment it is only shown. */
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../test/support/hostile-text.ts';
import { listClosingReferences } from './closing-references.ts';
import { inertCode, inertLine, inertProse } from './inert-markdown.ts';
import { collectNodes, parseMarkdown } from './markdown.ts';
import { mentions } from './spoken-text.ts';

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
  for (const node of collectNodes([root], 'html')) expect(node.value).toBe('<!-- -->');
  for (const node of collectNodes([root], 'text'))
    expect(node.value).not.toMatch(/[@#]\w|\bGH-\d|https?:\/\//iu);
  expect(mentions(markdown, 'claude')).toBe(false);
  expect(listClosingReferences(markdown)).toEqual([]);
}

describe('words of others', () => {
  it.each([
    ['inertLine', inertLine],
    ['inertProse', inertProse],
    ['inertCode', inertCode],
  ])('%s makes nothing of them', (_, make) => {
    fc.assert(
      fc.property(hostileText(hostile), (text) => expectInert(`Before ${make(text)} after`)),
      { numRuns: 300 },
    );
  });

  it('keeps what is meant', () => {
    expect(inertLine('use `npm ci` in a/b, not *here*')).toBe('use `npm ci` in a/b, not \\*here\\*');
    expect(inertLine('see https://example.com/a')).toBe('see `https://example.com/a`');
    expect(inertCode('a`b')).toBe('``a`b``');
    expect(inertCode('a\nb')).toBe('`a b`');
    expect(inertProse('one\ntwo')).toBe('one\n\ntwo');
    expect(inertLine('@bob in #12')).toBe('@<!-- -->bob in #<!-- -->12');
  });
});
