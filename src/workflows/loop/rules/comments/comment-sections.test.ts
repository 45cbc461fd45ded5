/** The quick way of reading sections finds what the parser finds. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startProcessorClock } from '../../../../../test/support/processor-time.ts';
import { parseMarkdown, sourceOf } from '../../../../domain/text/markdown.ts';
import { readCommentSections } from './comment-sections.ts';

const line = fc.constantFrom(
  ...[
    '# a',
    '## b',
    '### Event JSON',
    '### Event JSON ###',
    ' ### c',
    '    ### d',
    '###e',
    '#',
    '> ### f',
    '- ### g',
  ],
  ...[
    '```',
    '```json',
    '````',
    '~~~',
    '~~~ x `',
    '``` a`b',
    '  ```',
    '   ~~~',
    '    ```',
    '> ```',
    '- ```',
    '\t```',
  ],
  ...[
    '<!--',
    '-->',
    '<div>',
    ' <b>',
    '</div>',
    '<details>',
    'text',
    '- item',
    '  more',
    '1. one',
    '> quote',
    '---',
    '===',
    '',
  ],
  ...['[a]: b', '| a | b |', '{"v":1}', '\\```', '*', '```json {"v"}', ' \t', '\uFEFF', '&#96;&#96;&#96;'],
);

/** Headings and fenced code at the top of the tree, by the parser with all that it knows. */
function listByTree(text: string): string[] {
  return parseMarkdown(text).children.flatMap((node) => {
    const source = sourceOf(text, node);
    if (node.type === 'heading') return /^#{1,6}(?:\s|$)/u.test(source) ? [`${node.depth}`] : [];
    return node.type === 'code' && /^(?:```|~~~)/u.test(source)
      ? [`code ${node.lang ?? ''} ${node.value.replace(/\r\n?/gu, '\n').trimEnd()}`]
      : [];
  });
}

it('finds the same headings and blocks of code as the parser', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
      // Before the first heading nothing is in a section.
      const text = ['# first', ...lines].join(end);
      const found = readCommentSections(text).flatMap(({ depth, code }) => [
        `${depth}`,
        ...code.map(({ language, text: value }) => `code ${language} ${value.trimEnd()}`),
      ]);
      const wanted = listByTree(text);
      expect(found).toEqual(wanted);
    }),
    { numRuns: 600, examples: [[['  more', '===', ' <b>', '# a'], '\n']] },
  );
});

it('takes no time for texts that are made to take time', () => {
  const elapsed = startProcessorClock();
  for (const part of [
    '*a_[',
    '<',
    '> ',
    '- ',
    '`',
    '```\n',
    '~~~ ',
    '[a]: ',
    'a\n---\n',
    ' ```\n',
    '\n <a',
    '# ',
    '![[',
  ])
    readCommentSections(`# x\n <b>\n\n${part.repeat(Math.floor(16_000 / part.length))}`);
  expect(elapsed()).toBeLessThan(20_000);
});
