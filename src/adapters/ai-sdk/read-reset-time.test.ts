/** Every provider's way to say when its quota comes back. */
import { describe, expect, it } from 'vitest';
import { isInvalidKey, readResetTime } from './read-reset-time.ts';

const now = new Date('2026-11-15T10:00:00.000Z');
const delay = (retryDelay: string) =>
  JSON.stringify({ error: { details: [{ '@type': 'QuotaFailure' }, { '@type': 'RetryInfo', retryDelay }] } });

describe('readResetTime', () => {
  it.each([
    ['seconds', { 'retry-after': '90' }, '', '10:01:30.000'],
    ['a date', { 'retry-after': 'Sun, 15 Nov 2026 10:05:00 GMT' }, '', '10:05:00.000'],
    ['a date that is over', { 'retry-after': 'Sun, 15 Nov 2026 09:05:00 GMT' }, '', '10:00:00.000'],
    [
      'Anthropic: the limit that is used up',
      {
        'anthropic-ratelimit-requests-remaining': '5',
        'anthropic-ratelimit-requests-reset': '2026-11-15T12:00:00Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-15T10:02:00Z',
      },
      '',
      '10:02:00.000',
    ],
    [
      'OpenAI: the longer of two that are used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '120ms',
      },
      '',
      '10:06:00.000',
    ],
    ['Google: in the body', {}, delay('34.5s'), '10:00:34.500'],
    ['a body that is no JSON', {}, '<html>', '10:01:00.000'],
    ['a delay that is none', {}, delay('soon'), '10:01:00.000'],
    ['nothing', {}, '', '10:01:00.000'],
  ])('reads %s', (_, headers, body, expected) => {
    expect(readResetTime(headers, body, now).toISOString()).toBe(`2026-11-15T${expected}Z`);
  });

  it('does not believe in years', () => {
    expect(readResetTime({ 'retry-after': '999999999' }, '', now).toISOString()).toBe(
      '2026-11-22T10:00:00.000Z',
    );
  });
});

describe('isInvalidKey', () => {
  it.each([
    [JSON.stringify({ error: { details: [{ reason: 'API_KEY_INVALID' }] } }), true],
    [JSON.stringify({ error: { message: 'API_KEY_INVALID', details: [] } }), false],
    ['', false],
  ])('of %s is %s', (body, expected) => expect(isInvalidKey(body)).toBe(expected));
});
