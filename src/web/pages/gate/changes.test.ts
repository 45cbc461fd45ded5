import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Changes } from './changes.tsx';

const show = (before: string | null, after: string | null): string =>
  renderToStaticMarkup(createElement(Changes, { before, after }));
const countLines = (html: string, change: string): number => html.split(`class="is-${change}"`).length - 1;

it('shows what was taken out and put in', () => {
  const html = show('a\nb', 'a\nc');
  expect(html).toContain('taken out: </span>b');
  expect(html).toContain('put in: </span>c');
});

it('says that nothing is different where nothing is', () => {
  expect(show('a', 'a')).toContain('Nothing is different.');
});

it.each([
  [null, null],
  [null, 'a'],
  ['a', null],
])('does not compare %j with %j', (before, after) => {
  const html = show(before, after);
  expect(html).toContain('cannot be compared');
  expect(html).not.toContain('Nothing is different');
  expect(html).not.toContain('put in');
});

it('shows a limited number of lines, and says how many it leaves out', () => {
  const many = (letter: string): string =>
    Array.from({ length: 5_000 }, (_, at) => `${letter}${at}`).join('\n');
  const html = show(many('a'), many('b'));
  expect(countLines(html, 'out') + countLines(html, 'in')).toBe(2_000);
  expect(html).toContain('8,000 more lines');
});
