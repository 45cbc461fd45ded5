import { describe, expect, it } from 'vitest';
import { compareWithBase, showsRed } from './compare-with-base.ts';
import { listFailedTests } from './failed-tests.ts';

interface Counts {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly printed?: string;
}

/** What pytest prints at its end. */
const pytest = ({ passed, failed, printed = '' }: Counts): string =>
  [
    printed,
    '=========================== short test summary info ============================',
    ...failed.map((name) => `FAILED ${name} - assert 1 == 2`),
    `${failed.length === 0 ? '' : `${failed.length} failed, `}${passed} passed in 0.03s`,
  ].join('\n');

const ran = (counts: Counts, exitCode: number | null = counts.failed.length === 0 ? 0 : 1) => [
  { command: ['pytest', '-q'], exitCode, output: pytest(counts) },
];
const said = (output: string, exitCode = 1) => [{ command: ['pytest', '-q'], exitCode, output }];
const old = 'tests/test_a.py::test_old';
const fresh = 'tests/test_b.py::test_new';
const before = ran({ passed: 5, failed: [old] });

describe('tests that fail with a change', () => {
  it.each([
    ['where the base passes', ran({ passed: 6, failed: [] }), ran({ passed: 5, failed: [old] }), 'green'],
    ['that failed before', before, ran({ passed: 6, failed: [old] }), 'same'],
    ['of which one failed before', before, ran({ passed: 6, failed: [old, fresh] }), 'worse'],
    ['instead of the one before', before, ran({ passed: 5, failed: [fresh] }), 'worse'],
    [
      'the same name in another file',
      before,
      ran({ passed: 5, failed: ['tests/test_b.py::test_old'] }),
      'worse',
    ],
    ['while others no longer run', before, ran({ passed: 2, failed: [old] }), 'worse'],
    ['and cannot be run any more', before, said('ImportError: boom\n'), 'worse'],
    [
      'and a file cannot be loaded',
      before,
      said(`FAILED ${old}\n1 failed, 5 passed, 1 error in 0.03s`),
      'worse',
    ],
    ['that was stopped', before, ran({ passed: 5, failed: [old] }, null), 'worse'],
    [
      'and prints the name of the one before over its own',
      before,
      ran({ passed: 5, failed: [fresh], printed: `FAILED ${old}` }),
      'worse',
    ],
    ['where the base was stopped', ran({ passed: 5, failed: [old] }, null), before, 'unclear'],
    ['where the base has no report', said('boom\n'), before, 'unclear'],
    [
      'where the base cannot be loaded',
      said(`FAILED ${old}\n1 failed, 2 errors in 0.03s`),
      before,
      'unclear',
    ],
    ['where the base does not name them', said('1 failed, 5 passed in 0.03s'), before, 'unclear'],
  ])('%s', (_, base, change, kind) => {
    expect(compareWithBase(base, change)).toMatchObject({ kind });
  });

  it('names only its own', () => {
    expect(compareWithBase(before, ran({ passed: 6, failed: [old, fresh] }))).toMatchObject({
      names: [fresh],
    });
  });
});

describe('the tests of a change without it', () => {
  const after = ran({ passed: 6, failed: [old] });
  it.each([
    [
      'show it when one fails that failed neither before nor with it',
      ran({ passed: 5, failed: [old, fresh] }),
      true,
    ],
    ['do not show it when only those fail that failed before', ran({ passed: 6, failed: [old] }), false],
    ['show it when they cannot be loaded', said(`FAILED ${old}\n1 failed, 5 passed, 1 error in 0.03s`), true],
    ['are not known when they are not named', said('2 failed, 5 passed in 0.03s'), null],
  ])('%s', (_, without, expected) => {
    expect(showsRed(before, after, without)).toBe(expected);
  });

  it('do not show it by a file that cannot be loaded while no more tests pass', () => {
    const without = said(`FAILED ${old}\n1 failed, 5 passed, 1 error in 0.03s`);
    expect(showsRed(before, ran({ passed: 5, failed: [old] }), without)).toBe(false);
  });
});

describe('the names of failed tests', () => {
  const node =
    '✖ a (1ms)\nℹ tests 2\n\n✖ failing tests:\n\ntest at test/a.test.js:3:1\n✖ a (0.4ms)\n  AssertionError\n';
  it.each([
    ['node:test', node, ['test/a.test.js > a']],
    ['vitest', ' FAIL  test/a.test.ts > sums > adds\nAssertionError: no\n', ['test/a.test.ts > sums > adds']],
    ['jest', 'FAIL test/a.test.js\n  ● sums › adds\n\n    no\n', ['test/a.test.js > sums › adds']],
    ['pytest', 'FAILED tests/t.py::test_a[1 - 2] - assert 0\n', ['tests/t.py::test_a[1']],
    ['unittest', 'FAIL: test_a (tests.t.T.test_a)\n', ['test_a (tests.t.T.test_a)']],
    ['go', '--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tcalc/sum\t0.01s\n', ['calc/sum.TestA']],
    ['cargo', 'test tests::a ... FAILED\ntest tests::b ... ok\n', ['tests::a']],
  ])('of %s', (runner, output, names) => {
    expect([...(listFailedTests(output, { runner, failed: 1 }) ?? [])]).toEqual(names);
    expect(listFailedTests(output, { runner, failed: 2 })).toBeNull();
  });

  it.each([
    ['a runner that is not known here', 'mocha', '1) adds\n'],
    ['a package that was torn down', 'go', 'panic: no\n--- FAIL: TestA (0.00s)\nFAIL\tcalc\t0.01s\n'],
  ])('are not known of %s', (_, runner, output) => {
    expect(listFailedTests(output, { runner, failed: 1 })).toBeNull();
  });
});
