import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.tsx';
import { whyNotRendered } from './why-not-rendered.ts';

const draft = [
  '# Export reports',
  '',
  'People copy **numbers** by hand, see [the issue](https://example.com/1) and `export.ts`.',
  '',
  '- [ ] a button that says *Export*',
  '  1. it asks for the range',
  '  2. it sends a file',
  '',
  '| column | meaning |',
  '|---|---|',
  '| `at` | when it was |',
  '',
].join('\n');

it.each([1, 10, 60])('renders a draft with %i sections', (sections) => {
  expect(whyNotRendered(draft.repeat(sections))).toBeNull();
});

describe('what a browser would need seconds for', () => {
  it.each([
    ['emphasis that is left open', '*a_ '.repeat(4_000)],
    ['quotations and lists within each other', '> - > - > - > - x\n'.repeat(1_000)],
    ['lists that many lines leave', `${'- '.repeat(500)}x\n${'\n'.repeat(1_000)}y`],
    ['numbered lists on one line', `${'1. '.repeat(500)}x`],
    ['quotations without a space', `${'>'.repeat(500)}x`],
    ['headings of two lines', 'a\n=\n'.repeat(4_000)],
    ['headings of two lines, ended the old way', 'a\r=\r'.repeat(4_000)],
    ['pictures within pictures', '!['.repeat(3_000) + '](a)'.repeat(3_000)],
    ['a long text', 'a '.repeat(10_001)],
  ])('is not rendered: %s', (_, source) => {
    expect(whyNotRendered(source)).toContain('as it was written');
    expect(renderMarkdown(source)).toMatchObject({
      type: 'pre',
      props: { children: source.replaceAll('\r', '\\u{d}') },
    });
  });
});
