import { expect, it } from 'vitest';
import { tellAge, tellDuration, tellMoney } from './tell-time.ts';

const now = Date.parse('2026-11-19T12:00:00.000Z');
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

it.each([
  [0, 'just now'],
  [9, 'just now'],
  [10, '10 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3_599, '59 min ago'],
  [3_600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, '1 d ago'],
  [30 * 86_400, '30 d ago'],
  [31 * 86_400, '2026-10-19'],
  [-5, 'in a moment'],
  [-60, 'in 1 min'],
  [-7_200, 'in 2 h'],
])('tells what was %i seconds ago', (seconds, words) => {
  expect(tellAge(before(seconds), now)).toBe(words);
});

it.each([
  [0, '0 ms'],
  [-3, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [31_240, '31.2 s'],
  [60_000, '1 min 0 s'],
  [3_661_000, '1 h 1 min'],
  [90_000_000, '1 d 1 h'],
])('tells how long %i milliseconds are', (milliseconds, words) => {
  expect(tellDuration(milliseconds)).toBe(words);
});

it.each([
  [0, '$0.00'],
  [0.004, '<$0.01'],
  [0.01, '$0.01'],
  [1.1, '$1.10'],
  [1234.5, '$1234.50'],
])('tells what %d dollars are', (usd, words) => {
  expect(tellMoney(usd)).toBe(words);
});
