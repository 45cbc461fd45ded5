import { expect, it } from 'vitest';
import { countOf } from './count-of.ts';

it.each([
  [countOf(0, 'line'), '0 lines'],
  [countOf(1, 'line'), '1 line'],
  [countOf(2, 'line'), '2 lines'],
  [countOf(1, 'entry', 'entries'), '1 entry'],
  [countOf(3, 'entry', 'entries'), '3 entries'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
