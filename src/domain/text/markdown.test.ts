/** Any text is some Markdown: reading it never fails and always gives the declared shape. */
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import {
  collectNodes,
  findSection,
  inlineMarkdown,
  listSections,
  normaliseTitle,
  parseMarkdown,
  plainText,
  sourceOf,
} from './markdown.ts';

const fragments = [
  '# ',
  '## A\n',
  '\n### B\n\n',
  'T\n===\n',
  'words ',
  '- ',
  '- [x] ',
  '1. ',
  '> ',
  '```\n',
  '~~~',
  '    ',
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '<!--',
  '-->',
  '<p>',
  '**',
  '_',
  '~~',
  '`',
  '![alt](x)',
  '[a](b)',
  '[a]: b\n',
  '[^1]',
  '[^1]: n\n',
  '| a |\n|---|\n',
  '\\',
  '&amp;',
  'www.example.org',
  '\0',
  '\u202E',
  '$(x)',
  '../',
  '"',
  "'",
];

const anyText = hostileText(fragments, 80);

function walk(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node);
  if ('children' in node) for (const child of node.children) walk(child, visit);
}

describe('parseMarkdown, listSections and plainText', () => {
  it('never fail, and give sections in order with all that follows them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const root = parseMarkdown(text);
        expect(root.type).toBe('root');
        expect(typeof plainText(root)).toBe('string');
        const headings = root.children.filter((node) => node.type === 'heading');
        const sections = listSections(root);
        expect(sections.map((section) => section.depth)).toEqual(headings.map((heading) => heading.depth));
        for (const section of sections) {
          expect(section.title).toBe(section.title.trim());
          for (const node of section.content) {
            expect(root.children).toContain(node);
            if (node.type === 'heading') expect(node.depth).toBeGreaterThan(section.depth);
          }
        }
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('place every node somewhere in the text, so that it can be quoted as it was written', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const node of parseMarkdown(text).children) {
          const [start, end] = [node.position?.start.offset ?? -1, node.position?.end.offset ?? -1];
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(sourceOf(text, node)).toBe(text.slice(start, end));
        }
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each([
    ['quotes', '>'.repeat(20_000)],
    ['numbered lists', '1. '.repeat(3_000)],
  ])('do not fail on %s nested thousands deep', (_, text) => {
    expect(typeof plainText(parseMarkdown(text))).toBe('string');
  });
});

describe('plainText', () => {
  it.each([
    ['a **b** `c` [d](e)', 'a b c d'],
    ['a <b>c</b>', 'a c'],
    ['a <!-- hidden --> b', 'a  b'],
    ['<!-- hidden -->', ''],
    ['![words](x.png)', 'words'],
    ['a  \nb', 'a b'],
    ['- a\n- b\n  - c', 'a\nb\nc'],
    ['> a\n>\n> b', 'a\nb'],
    ['```sh\ncode\n```', 'code'],
    ['&lt;tag&gt;', '<tag>'],
    ['***', ''],
  ])('of %j is %j', (text, words) => {
    expect(plainText(parseMarkdown(text))).toBe(words);
  });
});

describe('listSections', () => {
  it('gives deeper headings to the section above them too', () => {
    const sections = listSections(
      parseMarkdown('before\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd'),
    );
    const shown = sections.map(({ title, depth, content }) => [
      title,
      depth,
      content.map((node) => plainText(node)).join(' '),
    ]);
    expect(shown).toEqual([
      ['A', 1, 'a B b C c D d'],
      ['B', 2, 'b C c'],
      ['C', 3, 'c'],
      ['D', 2, 'd'],
    ]);
  });

  it('sees no heading in quotes, lists and code', () => {
    expect(listSections(parseMarkdown('> # A\n\n- # B\n\n```\n# C\n```\n\n    # D'))).toEqual([]);
  });
});

describe('findSection', () => {
  it.each([
    ['Acceptance Criteria', '## Acceptance Criteria'],
    ['other case', '## ACCEPTANCE criteria'],
    ['a number', '## 7. Acceptance Criteria'],
    ['punctuation', '## Acceptance criteria:'],
    ['marks', '## **Acceptance** Criteria'],
    ['another rank', '#### Acceptance-Criteria'],
  ])('finds it with %s', (_, text) => {
    expect(findSection(listSections(parseMarkdown(text)), 'Acceptance Criteria')).toBeDefined();
  });

  it.each(['## Acceptance', '## No Acceptance Criteria', '> ## Acceptance Criteria', 'Acceptance Criteria'])(
    'does not find it in %j',
    (text) => {
      expect(findSection(listSections(parseMarkdown(text)), 'Acceptance Criteria')).toBeUndefined();
    },
  );

  it('compares titles in a form that does not change when it is taken twice', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseTitle(text);
        expect(once).toMatch(/^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u);
        expect(once).toBe(once.toLowerCase());
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

describe('inlineMarkdown', () => {
  it('makes of any text one line without marks, boxes or blocks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const inline = inlineMarkdown(text);
        expect(inline).not.toMatch(/[\r\n]/u);
        const root = parseMarkdown(`- x ${inline}`);
        expect(root.children.length).toBe(1);
        const kinds = new Set<string>();
        walk(root, (node) => kinds.add(node.type));
        // Bare addresses become links; everything else has to stay text.
        for (const kind of kinds)
          expect(['root', 'list', 'listItem', 'paragraph', 'text', 'link']).toContain(kind);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('cannot become a box even where an item begins', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        walk(parseMarkdown(`- ${inlineMarkdown(text)}`), (node) => {
          if (node.type === 'listItem') expect(typeof node.checked).not.toBe('boolean');
        });
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('still reads as the same words', () => {
    expect(plainText(parseMarkdown(inlineMarkdown('a *b* [c]\n`d` \\ <e> #f |g| ~h~ _i_')))).toBe(
      'a *b* [c] `d` \\ <e> #f |g| ~h~ _i_',
    );
  });
});

describe('a text that begins with a byte order mark', () => {
  it('is read as without it, and each node is found where it stands', () => {
    const plain = '# One\n\nWords `x`.\n\n- a\n  - b\n';
    const text = `\uFEFF${plain}`;
    const [one, other] = [parseMarkdown(plain), parseMarkdown(text)];
    expect(listSections(other).map(({ title }) => title)).toEqual(['One']);
    for (const type of ['heading', 'paragraph', 'inlineCode', 'list', 'listItem', 'text'] as const)
      expect(collectNodes([other], type).map((node) => sourceOf(text, node))).toEqual(
        collectNodes([one], type).map((node) => sourceOf(plain, node)),
      );
    const deep = `\uFEFF${'> '.repeat(200)}x\n\nWords.\n`;
    const [words] = collectNodes([parseMarkdown(deep)], 'paragraph');
    expect(words === undefined ? '' : sourceOf(deep, words)).toBe('Words.');
  });
});

describe('a text that nests absurdly deep', () => {
  it.each([
    ['quotes', '>'.repeat(65_536)],
    ['quotes with spaces', '> '.repeat(30_000)],
    ['lists', '- '.repeat(30_000)],
    ['numbered lists', '1. '.repeat(20_000)],
    ['both', '> - '.repeat(15_000)],
  ])('of %s is read in no time, and what follows it is still found where it stands', (_, deep) => {
    const text = `# One\n\n${deep}x\n\n## Two\n\nWords.\n`;
    const sections = listSections(parseMarkdown(text));
    expect(sections.map((section) => section.title)).toEqual(['One', 'Two']);
    const [words] = sections[1]?.content ?? [];
    expect(words === undefined ? '' : sourceOf(text, words)).toBe('Words.');
  });
});
