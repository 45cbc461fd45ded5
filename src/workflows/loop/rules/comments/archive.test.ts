/** What is kept in the repository: names that git takes, and words of strangers as code. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyStories, hostileWords, storyOf } from '../../../../../test/support/loop-comments.ts';
import { isPlainPath } from '../../../../domain/changes/plain-path.ts';
import { carriesMarker } from '../../../../domain/fleet/effect-marker.ts';
import { collectNodes, parseMarkdown, plainText } from '../../../../domain/text/markdown.ts';
import { archiveFolderOf, writeArchiveComments, writeArchiveSummary } from './archive.ts';

it('names the folder after the day and the issue', () => {
  expect(archiveFolderOf('archive/', '2026-02-10', 42, 'Add auth: v1.2 (JWT)!')).toBe(
    'archive/2026-02-10-issue-42-add-auth-v1-2-jwt/',
  );
  expect(archiveFolderOf('docs/done', '2026-02-10', 7, '')).toMatch(
    /^docs\/done\/2026-02-10-issue-7-[a-z]+\/$/u,
  );
});

it('gives a plain path for any title', () => {
  fc.assert(
    fc.property(hostileWords, (title) => {
      const folder = archiveFolderOf('archive/', '2026-02-10', 42, title);
      expect(folder).toMatch(/^archive\/2026-02-10-issue-42-[a-z0-9-]+\/$/u);
      expect(isPlainPath(`${folder}prd.json`)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it('keeps comments in order, each as a block of code', () => {
  const text = writeArchiveComments([
    { author: 'alice', createdAt: '2026-01-01T00:00:00Z', body: '# One\n```\nx\n```' },
    { author: 'bob', createdAt: '2026-01-02T00:00:00Z', body: 'two' },
  ]);
  expect(text).toBe(
    '# Comments of the issue, as they were written\n\n## 1. alice, 2026-01-01T00:00:00Z\n\n````markdown\n# One\n```\nx\n```\n````\n\n## 2. bob, 2026-01-02T00:00:00Z\n\n```markdown\ntwo\n```\n',
  );
  expect(writeArchiveComments([])).toContain('There is none.');
});

it('says how many comments had no room', () => {
  const comments = Array.from({ length: 30 }, () => ({
    author: 'a',
    createdAt: 'x',
    body: 'y '.repeat(32_000),
  }));
  const text = writeArchiveComments(comments);
  expect(text.length).toBeLessThan(1_001_000);
  expect(text).toMatch(/\n\n1\d more comments are not kept here\.\n$/u);
});

it('lets no word of a comment out of its block', () => {
  const comment = fc.record({ author: hostileWords, createdAt: hostileWords, body: hostileWords });
  fc.assert(
    fc.property(fc.array(comment, { minLength: 1, maxLength: 3 }), (comments) => {
      const text = writeArchiveComments(comments);
      const root = parseMarkdown(text);
      expect(collectNodes([root], 'heading')).toHaveLength(1 + comments.length);
      expect(collectNodes([root], 'code')).toHaveLength(comments.length);
      for (const kind of ['html', 'link', 'image'] as const) expect(collectNodes([root], kind)).toEqual([]);
      expect(carriesMarker(text)).toBe(false);
    }),
    { numRuns: 120 },
  );
});

it('sums a loop up', () => {
  const prd = { branchName: 'ai/issue-42-x', userStories: [storyOf({ passes: true })] };
  const text = writeArchiveSummary({
    issue: { number: 42, title: 'Tokens' },
    prd,
    report: '## 📊 Final Report\n\nfine\n',
  });
  expect(text).toContain(
    '# Issue 42: Tokens\n\nThe work was done on the branch `ai/issue-42-x`.\n\n## 📊 Final Report\n\nfine\n',
  );
  expect(text).toContain('### US-001: Add one endpoint\n\nPassed. It was done when:\n\n- npm test passes\n');
});

it('sums it up with headings of ours only', () => {
  fc.assert(
    fc.property(anyStories, hostileWords, (userStories, title) => {
      const prd = { branchName: 'b', userStories: userStories.map((story) => ({ ...story, title: 'T' })) };
      const root = parseMarkdown(writeArchiveSummary({ issue: { number: 1, title }, prd, report: 'fine' }));
      const headings = collectNodes([root], 'heading').map((node) => plainText(node));
      expect(headings.slice(1)).toEqual(['The tasks', ...userStories.map(({ id }) => `${id}: T`)]);
      for (const kind of ['html', 'link', 'image'] as const) expect(collectNodes([root], kind)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
