/** The review log says what the ledger says, and nothing that a reviewer's name would make of it. */
import { describe, expect, it } from 'vitest';
import { designText } from '../../../test/support/cassettes.ts';
import { listSections, parseMarkdown } from '../../domain/text/markdown.ts';
import { readLldDocument } from './lld/rules/lld-document.ts';
import { appendReviewLog } from './review-log.ts';

const reviews = [
  { at: '2026-11-15T10:00:00.000Z', by: 'mechanical checks', decision: 'REVISE', blocking: 2 },
  { at: '2026-11-16T10:00:00.000Z', by: 'gemini-x', decision: 'APPROVED', blocking: 0 },
];

describe('appendReviewLog', () => {
  it('keeps the design and adds every review', () => {
    const text = appendReviewLog(`${designText(7)}\n\n`, reviews, 'alice');
    expect(text.startsWith(designText(7).trimEnd())).toBe(true);
    expect(text.slice(designText(7).length)).toBe(`
## Appendix: Review Log

| Review | Date | By | Decision | Blocking findings |
|---|---|---|---|---|
| 1 | 2026-11-15 | mechanical checks | REVISE | 2 |
| 2 | 2026-11-16 | gemini-x | APPROVED | 0 |

**Final status:** APPROVED by alice
`);
    expect(readLldDocument(text).hasReviewLog).toBe(true);
  });

  it('lets no name add a row or a heading', () => {
    const by = 'x |\n\n## Approved\n\n| y';
    const text = appendReviewLog(designText(7), [{ ...reviews[0], by } as (typeof reviews)[0]], by);
    const titles = listSections(parseMarkdown(text)).map((section) => section.title);
    expect(titles.filter((title) => title.includes('Approved'))).toEqual([]);
    expect(text.split('\n').filter((line) => line.startsWith('| 1 |'))).toHaveLength(1);
  });
});
