/** What is filed is what the draft says: one title, its labels, nothing that the model chatted in front of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';
import { findTitle, readTitle, stripPreamble } from './issue-draft.ts';

const fragments = [
  '# ',
  '# Title\n',
  '\n## ',
  'Words\n===\n',
  'words ',
  '\n',
  '\n\n',
  '\r\n',
  '```markdown\n',
  '```md\n',
  '```\n',
  '~~~markdown\n',
  '    ',
  '> ',
  '- ',
  '<!--',
  '-->',
  '<b>',
  '**',
  '`',
  '\t',
  '\0',
  '\u202E',
  '\uFEFF',
  '[a]: /b\n',
  '[^1]: x\n',
  '$(x)',
  '../',
  '|a|\n|-|\n',
  '\\',
];

const anyText = hostileText(fragments, 80);

describe('stripPreamble', () => {
  it('is idempotent and always ends with one line break', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = stripPreamble(text);
        expect(once).toMatch(/(^|[^ \t\r\n])\n$/u);
        expect(stripPreamble(once)).toBe(once);
      }),
      {
        numRuns: propertyRuns(10_000),
        examples: [['Hi\n\n\u00A0Title\n===\n'], ['> x\n\uFEFFTitle\n===\n']],
      },
    );
  });

  it('keeps the title that the document has', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '9', '.'), maxLength: 60 }), (chat) => {
        expect(stripPreamble(`${chat.trim()}\n\n# The title\n\n## Part\n\ntext`)).toBe(
          '# The title\n\n## Part\n\ntext\n',
        );
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('does not follow fences in fences for ever', () => {
    const fences = '```md\n'.repeat(5_000);
    const strip = (): void => expect(stripPreamble(fences)).toBe(fences);
    expect(processorMilliseconds(strip)).toBeLessThan(20_000);
    const few = `${'```md\n'.repeat(5)}# T\n`;
    expect(stripPreamble(few)).toBe('# T\n');
  });

  it.each([
    ['nothing to strip', '# T\n\nx', '# T\n\nx\n'],
    ['a greeting', 'Sure, here it is:\n\n# T\n\nx', '# T\n\nx\n'],
    ['a fence around it all', '```markdown\n# T\n\nx\n```', '# T\n\nx\n'],
    ['a fence with md', '~~~md\nHello\n\n# T\n~~~', '# T\n'],
    ['a fence in a fence', '````markdown\n```md\n# T\n```\n````', '# T\n'],
    ['a fence of other code stays', '```sh\n# not a title\n```', '```sh\n# not a title\n```\n'],
    ['a byte order mark', '\uFEFF# T', '# T\n'],
    ['a second-level heading before the title', '## Thoughts\n\nx\n\n# T', '# T\n'],
    ['no title but a section', 'Hi\n\n## Part', '## Part\n'],
    ['no heading at all', 'Hi', 'Hi\n'],
    ['a heading in a quote is none', '> # Not\n\n# T', '# T\n'],
    ['a heading in code is none', '```\n# Not\n```\n\n# T', '# T\n'],
    ['an underlined title', 'Hi\n\nT\n===\n\nx', 'T\n===\n\nx\n'],
    ['empty', '', '\n'],
  ])('%s', (_, text, stripped) => {
    expect(stripPreamble(text)).toBe(stripped);
  });
});

describe('findTitle and readTitle', () => {
  it('give one line of 1 to 256 safe characters, or refuse', () => {
    let read = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const found = findTitle(text);
        if (found !== null) expect(found).toBe(found.replace(/\s+/gu, ' ').trim());
        const code = thrownCode(() => readTitle(text));
        expect(['nothing thrown', 'title-invalid']).toContain(code);
        if (code !== 'nothing thrown') return;
        read += 1;
        const title = readTitle(text);
        expect(title).toBe(found);
        expect([...title].length).toBeGreaterThan(0);
        expect([...title].length).toBeLessThanOrEqual(256);
        expect(hasUnsafeCharacters(title)).toBe(false);
        expect(title).not.toMatch(/[\r\n\t]/u);
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(read).toBeGreaterThan(propertyRuns(10_000) / 20);
  });

  it.each([
    ['plain', '# Export reports', 'Export reports'],
    ['marks', '# Export **all** `reports` [here](x)', 'Export all `reports` here'],
    ['closing hashes', '# Export #', 'Export'],
    ['white space', '#   Export \t reports  ', 'Export reports'],
    ['a comment is not read', '# Export <!-- hidden -->', 'Export'],
    ['underlined, on two lines', 'Export\nreports\n===', 'Export reports'],
    ['the first of two', '# One\n\n# Two', 'One'],
    ['after a lower heading', '## Zero\n\n# One', 'One'],
    ['256 characters', `# ${'é'.repeat(256)}`, 'é'.repeat(256)],
  ])('%s', (_, draft, title) => {
    expect(readTitle(draft)).toBe(title);
  });

  it.each([
    ['none', 'text'],
    ['only a lower heading', '## Part'],
    ['empty', '#\n\ntext'],
    ['only a comment', '# <!-- x -->'],
    ['in a quote', '> # T'],
    ['in code', '```\n# T\n```'],
    ['in a list', '- # T'],
    ['257 characters', `# ${'a'.repeat(257)}`],
    ['a right-to-left override', '# a\u202Eb'],
    ['a zero-width space', '# a\u200Bb'],
    ['nothing but a Hangul filler, which is invisible', '# \u3164'],
  ])('refuses: %s', (_, draft) => {
    expect(thrownCode(() => readTitle(draft))).toBe('title-invalid');
  });
});
