import { describe, expect, it } from 'vitest';
import { readLimit, WaitWindow } from './wait-window.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const reset = String(now / 1000 + 30);

describe('how long GitHub wants to be left alone', () => {
  it.each<[string, number, Record<string, string>, string, number | null]>([
    ['a time in seconds', 403, { 'retry-after': '7' }, '', 7000],
    ['a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 10:00:20 GMT' }, '', 20_000],
    ['nothing left', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, '', 31_000],
    // The reset time is that of what is counted, and there is something left of that.
    ['429 with requests left', 429, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': reset }, '', 60_000],
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
    const until = readLimit(status, new Headers(headers), body, now)?.until ?? null;
    expect(until).toBe(wait === null ? null : now + wait);
  });
});

describe('what is counted apart', () => {
  const usedUp = (resource: string) => ({
    'x-ratelimit-resource': resource,
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(now / 1000 + 3600),
  });

  /** Answers with these headers, one after the other, and then with nothing special. */
  function makeWindow(...answers: readonly { status: number; headers: Record<string, string> }[]) {
    const sent: string[] = [];
    const left = [...answers];
    const window = new WaitWindow({ now: () => new Date(now), sleep: async () => undefined }, async (url) => {
      sent.push(new URL(String(url)).pathname);
      const { status = 200, headers = {} } = left.shift() ?? {};
      return Response.json({}, { status, headers });
    });
    return { window, sent, ask: async (path: string) => (await window.fetch(`https://h${path}`)).status };
  }

  it.each([200, 403, 429])('is closed apart: GraphQL is used up, with %i', async (status) => {
    const { ask, sent } = makeWindow({ status, headers: usedUp('graphql') });
    await ask('/graphql');
    expect(await ask('/graphql')).toBe(429);
    expect(await ask('/repos/o/r')).toBe(200);
    expect(sent).toEqual(['/graphql', '/repos/o/r']);
  });

  it('is closed apart: what counts is what the answer names', async () => {
    const { ask, sent } = makeWindow({ status: 200, headers: usedUp('core') });
    await ask('/repos/o/r');
    expect(await ask('/repos/o/r')).toBe(429);
    expect(await ask('/api/graphql')).toBe(200);
    expect(await ask('/search/issues')).toBe(200);
    expect(sent).toHaveLength(3);
  });

  it('is closed together when we were too fast', async () => {
    const { ask, sent } = makeWindow({ status: 403, headers: { 'retry-after': '90' } });
    expect(await ask('/graphql')).toBe(429);
    expect(await ask('/repos/o/r')).toBe(429);
    expect(sent).toHaveLength(1);
  });

  it('is closed by what GraphQL says, until the time that it names or for a minute', async () => {
    const { window, ask } = makeWindow();
    expect(window.closeGraphql(new Headers({ ...usedUp('graphql'), 'x-ratelimit-remaining': '4' }))).toBe(
      now + 3_601_000,
    );
    expect(await ask('/graphql')).toBe(429);
    expect(await ask('/repos/o/r')).toBe(200);
    expect(makeWindow().window.closeGraphql(new Headers())).toBe(now + 60_000);
  });
});
