/** What was shown is said with its numbers, and what was not shown is said plainly. */
import { describe, expect, it } from 'vitest';
import { countAll } from './count-all.ts';
import type { TestCounts } from './count-tests.ts';
import { type Proof, ranNoTest } from './proof.ts';
import { describeProof, listWeakened } from './proof-text.ts';

const counts: TestCounts = {
  ...{ runner: 'vitest', executed: 12, passed: 12, failed: 0, skipped: 1, errors: 0, isMinimum: false },
};
const shown: Proof = {
  ...{ isProven: true, reasons: [], counts, newCases: 2, redGreen: 'shown', weakened: [] },
  without: { ...counts, passed: 10, failed: 2 },
};

describe('a proof in words', () => {
  it.each<[string, Partial<Proof>, number, string]>([
    [
      'a change that is proven',
      {},
      0,
      '12 tests ran, 2 new, 1 skipped (by the report of vitest). Without the change, its tests fail: 2 of 12 tests fail.',
    ],
    [
      'tests that cannot be run without it',
      {
        without: { ...counts, executed: 0, errors: 1 },
        newCases: 0,
        counts: { ...counts, executed: 1, skipped: 0 },
      },
      0,
      '1 test ran (by the report of vitest). Without the change, its tests fail: 1 test file cannot be run.',
    ],
    [
      'what is missing',
      { redGreen: 'not-red', reasons: ['Its tests pass without the change too, so they do not show it.'] },
      0,
      '12 tests ran, 2 new, 1 skipped (by the report of vitest). **Not shown:** Its tests pass without the change too, so they do not show it.',
    ],
    [
      'a check that fails',
      { redGreen: 'not-run', reasons: ['The check fails: npm test.'] },
      1,
      '12 tests ran, 2 new, 1 skipped (by the report of vitest).',
    ],
    [
      'a runner that does not say all',
      { counts: { ...counts, isMinimum: true, skipped: 0 }, newCases: 0, redGreen: 'not-run' },
      0,
      'At least 12 tests ran (by the report of vitest).',
    ],
    ['nothing at all', { counts: { runner: null, why: 'unknown' }, redGreen: 'not-run' }, 1, ''],
  ])('%s', (_, parts, exitCode, text) => {
    expect(describeProof({ ...shown, ...parts }, exitCode)).toBe(text);
  });

  it('lists each place, as text that does nothing', () => {
    const place = {
      path: 'a`b.test.ts',
      line: 3,
      kind: 'test-removed',
      message: 'A test was removed: “@bob #7”.',
    } as const;
    expect(listWeakened({ weakened: [place] })).toEqual([
      "- `a'b.test.ts:3` A test was removed: “@&#8203;bob #&#8203;7”.",
    ]);
    const many = listWeakened({ weakened: Array.from({ length: 23 }, () => place) });
    expect([many.length, many.at(-1)]).toEqual([21, '- and 3 more']);
  });
});

describe('several commands', () => {
  const vitest = (passed: number): string =>
    ` Test Files  1 passed (1)\n      Tests  ${passed} passed (${passed})\n   Start at  19:00:00\n   Duration  1s\n`;
  const at = (output: string, command = ['npm', 'test']) => ({ command, output });

  it('are counted together; one without tests adds none', () => {
    expect(
      countAll([at(vitest(2)), at('fine', ['tsc']), at('3 passed in 1.00s\n', ['pytest'])]),
    ).toMatchObject({
      ...{ runner: 'vitest, pytest', executed: 5 },
    });
    expect(countAll([at('fine', ['tsc'])])).toEqual({ runner: null, why: 'unknown' });
    expect(countAll([at(vitest(2)), at(`${vitest(2)}${vitest(9)}`)])).toEqual({
      runner: null,
      why: 'unclear',
    });
  });

  it('show nothing where one of them ran no test', () => {
    const none = countAll([at(vitest(2)), at('no tests ran in 0.01s\n', ['pytest'])]);
    expect(none).toMatchObject({ runner: 'pytest', executed: 0 });
    expect(ranNoTest({ counts: none })).toBe(true);
    expect(ranNoTest({ counts })).toBe(false);
    expect(ranNoTest({ counts: { runner: null, why: 'unknown' } })).toBe(false);
  });
});
