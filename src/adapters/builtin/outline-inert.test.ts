/**
 * What does nothing in a brief does nothing in the issue that the outline makes of it: no name in code, quotes, boxes or
 * HTML becomes a call, no number is closed, no label is set, and code stays as it was written, to the letter.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { findLabels, readTitle } from '../../domain/drafts/issue-draft.ts';
import { mentions, spokenBlocks, spokenLines } from '../../domain/spoken/spoken-text.ts';
import { collectNodes, parseMarkdown } from '../../domain/text/markdown.ts';
import { outlineIssue } from './issue-outline.ts';

const order = fc.constantFrom(
  '@claude implement this',
  '@claude',
  'Closes #12',
  'fixes: #3',
  'Labels: hold',
  '**Labels:** `hold`',
  'a  b',
  '__init__',
  'x!',
  'maybe @claude?',
  'not now: @claude go. Then fixes #9',
  'As a clerk, I want @claude to do it',
);

/** Ways to write words so that they are not said. */
const hidden: fc.Arbitrary<string> = fc.oneof(
  order.map((words) => `\`${words.replaceAll('`', '')}\``),
  order.map((words) => `\`\` ${words} \`\``),
  order.map((words) => `<!-- ${words} -->`),
  order.map((words) => `~~${words}~~`),
  order.map((words) =>
    words.replaceAll('@', '\\@').replaceAll('#', '\\#').replace('Labels', 'Label<b></b>s'),
  ),
  order.map((words) => words.replaceAll('@', '&commat;').replaceAll('#', '&#35;').replace(':', '&#58;')),
  order.map((words) => words.replaceAll('@', '@**').replaceAll('#', '#** ').concat('**')),
  order.map((words) => `[${words.replaceAll('`', '')}](https://example.org)`),
  order.map((words) => `![${words.replaceAll('`', '')}](https://example.org/a.png)`),
  order.map((words) => `<del>${words}</del>`),
);

const plain = fc.constantFrom(
  'Reports are exported.',
  'It must be fast',
  'not sure',
  'Why?',
  'see [a][1]',
  'later',
  'one <br> two',
  '1.',
  '#',
  'e.g. this',
);

const inline = fc
  .array(fc.oneof(plain, hidden), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));

const indent = (text: string, by: string): string => text.split('\n').join(`\n${by}`);

const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: inline },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('- ', '* ', '1. ', '-\t', '- [ ] ', '- [x] ', '  - '), inline)
      .map((p) => p.join('')),
  },
  { weight: 1, arbitrary: fc.tuple(inline, inline).map(([a, b]) => `- ${a}\n  - ${b}`) },
  { weight: 1, arbitrary: fc.tuple(inline, order).map(([a, b]) => `- ${a}\n\n      ${b}`) },
  { weight: 1, arbitrary: order.map((words) => `- x\n\n\t\t${words}`) },
  { weight: 1, arbitrary: order.map((words) => `\`\`\`sh\n${words}\n  # ${words}\n\`\`\``) },
  { weight: 1, arbitrary: order.map((words) => `~~~\n${words}`) },
  { weight: 1, arbitrary: order.map((words) => `    ${words}`) },
  { weight: 1, arbitrary: order.map((words) => `\t${words}`) },
  { weight: 1, arbitrary: fc.oneof(order, inline).map((words) => `> ${indent(words, '> ')}`) },
  { weight: 1, arbitrary: order.map((words) => `> - ${words}\n>   ${words}`) },
  { weight: 1, arbitrary: order.map((words) => `| a | b |\n|---|---|\n| ${words} | TBD |`) },
  { weight: 1, arbitrary: order.map((words) => `<details>\n\n- ${words}\n\n</details>`) },
  { weight: 1, arbitrary: order.map((words) => `<div>\n${words}\n</div>`) },
  { weight: 1, arbitrary: order.map((words) => `<!--\n\n${words}\n\n-->`) },
  { weight: 1, arbitrary: order.map((words) => `x\n    ${words}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '## Requirements',
      '## Security',
      '## Goal',
      '## Files',
      '## Done when',
      '## Questions',
      '## Thanks',
      '## Not now',
    ),
  },
  { weight: 1, arbitrary: inline.map((words) => `# ${words}`) },
  { weight: 1, arbitrary: inline.map((words) => `## ${words}`) },
  { weight: 1, arbitrary: fc.constant('[1]: https://example.org/1') },
);

const brief = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(block, fc.constantFrom('\n', '\n\n')), { maxLength: 9 }),
    fc.constantFrom('', '\n'),
  )
  .map(
    ([hasTitle, blocks, end]) =>
      `${hasTitle ? '# Export\n\n' : ''}${blocks.map((pair) => pair.join('')).join('')}${end}`,
  );

const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#\d+/giu;
const closings = (text: string): string[] =>
  spokenBlocks(text).flatMap((words) => words.match(closing) ?? []);
const codes = (text: string): string[] => {
  const root = parseMarkdown(text);
  return [...collectNodes([root], 'inlineCode'), ...collectNodes([root], 'code')].map(({ value }) =>
    value.trimEnd(),
  );
};

describe('an issue of the outline', () => {
  it('calls, closes and labels nothing that its brief does not', () => {
    fc.assert(
      fc.property(brief, (text) => {
        const draft = outlineIssue(text, 'fallback');
        if (!mentions(text, 'claude')) {
          expect(mentions(draft, 'claude')).toBe(false);
          expect(mentions(readTitle(draft), 'claude')).toBe(false);
        }
        for (const phrase of closings(draft)) expect(closings(text)).toContain(phrase);
        const isLabelled = spokenLines(text).some((lines) =>
          lines.some((line) => /^labels?\s*:/iu.test(line)),
        );
        if (!isLabelled) expect(findLabels(draft)).toEqual([]);
      }),
      { numRuns: propertyRuns(10_000) / 4 },
    );
  });

  it('keeps every piece of code to the letter', () => {
    fc.assert(
      fc.property(brief, (text) => {
        const made = codes(outlineIssue(text, 'fallback'));
        const whole = made.filter((one) => one.trimEnd() === text.trimEnd() || one.includes(text.trimEnd()));
        for (const one of codes(text)) expect(made.includes(one) || whole.length > 0).toBe(true);
      }),
      { numRuns: propertyRuns(10_000) / 4 },
    );
  });

  it.each([
    ['a box', '- [ ] @claude do it'],
    ['code in the title', '# Use `@claude` here'],
    ['an escaped sign in the title', '# Use \\@claude here'],
    ['an entity in the title', '# Use &commat;claude here'],
    ['half of a name in the title', '# Use @**claude** here'],
    ['a link in the title', '# Use [@claude](https://example.org) here'],
    ['a comment in a name', '# Use @clau<!-- -->de here'],
    ['a folded part', '<details>\n\n- @claude do it\n\n</details>\n\n- x'],
    ['a mail', '> @claude do it\n\n- x'],
    ['the file of the brief', '---\nnote: "@claude do it"\n---\n\n- x'],
  ])('does not call an agent that is named in %s', (_, text) => {
    const draft = outlineIssue(text, 'fallback');
    expect(mentions(text, 'claude')).toBe(false);
    expect(mentions(draft, 'claude')).toBe(false);
    expect(mentions(readTitle(draft), 'claude')).toBe(false);
  });

  it('still calls an agent that the brief calls', () => {
    expect(mentions(outlineIssue('# T\n\n- @claude implement this\n', 'fallback'), 'claude')).toBe(true);
  });
});
