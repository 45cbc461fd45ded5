/** Underlined headings are read as the parser reads them by itself, and a text that consists of them in linear time. */
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { linearHeadings } from './linear-headings.ts';
import { collectNodes, parseMarkdown } from './markdown.ts';

const lines = [
  '===',
  '---',
  '- ',
  '> ',
  'words',
  '[a]: b',
  '[a]: b\nwords',
  '',
  '# A',
  '    ',
  '```',
  '==',
  '<p>',
  '- - -',
  '1. a',
];
const text = fc
  .array(
    fc.tuple(
      fc.constantFrom(...lines, ...lines.map((line) => `> ${line}`)),
      fc.constantFrom('\n', '\r\n', ''),
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.flat().join(''));

it('gives the same tree', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(fromMarkdown(written, { extensions: [linearHeadings] })).toEqual(fromMarkdown(written));
    }),
    { numRuns: propertyRuns(10_000) },
  );
});

it('reads 60 KB of them, which the parser alone needs a minute for', () => {
  expect(collectNodes([parseMarkdown('ab\n==\n'.repeat(10_000))], 'heading')).toHaveLength(10_000);
});
