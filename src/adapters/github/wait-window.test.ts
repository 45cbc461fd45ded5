import { describe, expect, it } from 'vitest';
import { readLimit } from './wait-window.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const reset = String(now / 1000 + 30);

describe('how long GitHub wants to be left alone', () => {
  it.each<[string, number, Record<string, string>, string, number | null]>([
    ['a time in seconds', 403, { 'retry-after': '7' }, '', 7000],
    ['a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 10:00:20 GMT' }, '', 20_000],
    ['nothing left', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, '', 31_000],
    ['429 with a reset time', 429, { 'x-ratelimit-reset': reset }, '', 31_000],
    [
      'a clock that is an hour off',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, date: 'Sun, 01 Mar 2026 09:00:00 GMT' },
      '',
      3_631_000,
    ],
    ['429 without a time', 429, {}, '', 60_000],
    ['429 with nonsense', 429, { 'retry-after': 'soon' }, '', 60_000],
    ['a secondary limit without a time', 403, {}, 'You have exceeded a secondary rate limit', 60_000],
    ['a time before a reset', 403, { 'retry-after': '1', 'x-ratelimit-remaining': '0' }, '', 1000],
    ['a plain refusal', 403, { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': reset }, 'Forbidden', null],
    ['another answer', 500, { 'retry-after': '7' }, '', null],
  ])('%s', (_, status, headers, body, wait) => {
    expect(readLimit(status, new Headers(headers), body, now)).toBe(wait === null ? null : now + wait);
  });
});
