/** What stands beside the link: whether there is anything to open. */
import { expect, it } from 'vitest';
import { wordsBesideLink } from './serve-local.ts';

const link = 'http://127.0.0.1:8787/open?code=x';

it('shows the link alone where the pages are built', () => {
  expect(wordsBesideLink(link, { hasPages: true })).toEqual([`Open it within ten minutes: ${link}`]);
});

it('says first how to build the pages where they are not', () => {
  const [first = '', second] = wordsBesideLink(link, { hasPages: false });
  expect(first).toContain('npm run build');
  expect(second).toBe(`Open it within ten minutes: ${link}`);
});
